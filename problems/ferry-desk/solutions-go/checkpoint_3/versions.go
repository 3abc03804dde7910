package main

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
)

var tagForm = regexp.MustCompile(`^"([1-9][0-9]{0,8})"$`)

// tag is a version as it is written in headers.
func tag(version int) string { return fmt.Sprintf(`"%d"`, version) }

// readVersion is the version that a request is meant for, or 0 if it names none or need not.
func readVersion(request Request, route Route) (int, error) {
	headers := request.headers.Values("If-Match")
	switch {
	case route.versioned == unversioned:
		return 0, nil
	case len(headers) == 0 && route.versioned == versionNeeded:
		return 0, refuse(http.StatusPreconditionRequired, "need-version")
	case len(headers) == 0:
		return 0, nil
	}
	match := tagForm.FindStringSubmatch(headers[0])
	if match == nil {
		return 0, refuse(http.StatusBadRequest, "bad-version")
	}
	return strconv.Atoi(match[1])
}
