package main

import (
	"net/http"
	"strings"
)

// Request is a request as it arrives.
type Request struct {
	method string
	path   string
	query  string
	body   []byte
}

// Reply is an answer. Its body is JSON.
type Reply struct {
	Status  int
	Body    []byte
	Headers map[string]string
}

// Call is what a handler knows of a request. Everything in it that could be wrong is checked.
type Call struct {
	id         string
	fields     Fields
	parameters Fields
}

// Route is a kind of requests. Without fields, bodies are ignored.
type Route struct {
	method     string
	pattern    string
	handle     func(line *Line, call Call) (Reply, error)
	fields     []Field
	parameters map[string]Check
}

func makeRequest(method, uri string, body []byte) Request {
	path, query, _ := strings.Cut(uri, "?")
	return Request{method, path, query, body}
}

// findRoute gives the route of a request, and the id in its path if there is one.
func findRoute(routes []Route, request Request) (route Route, id string, err error) {
	parts := strings.Split(request.path, "/")
	if len(parts) > 2 {
		id = parts[2]
	}
	err = notFound("no-such-path")
	for _, route := range routes {
		if !matches(strings.Split(route.pattern, "/"), parts) {
			continue
		}
		if route.method == request.method {
			return route, id, nil
		}
		err = refuse(http.StatusMethodNotAllowed, "no-such-method")
	}
	return Route{}, "", err
}

func matches(pattern, parts []string) bool {
	if len(pattern) != len(parts) {
		return false
	}
	for at, wanted := range pattern {
		if parts[at] != wanted && (wanted != "ID" || parts[at] == "") {
			return false
		}
	}
	return true
}
