package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"unicode/utf8"
)

const maxValueBytes = 200

var (
	keyForm    = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$`)
	prefixForm = regexp.MustCompile(`^[A-Za-z0-9._/-]{1,64}$`)
	limitForm  = regexp.MustCompile(`^[1-9][0-9]{0,5}$`)
)

func checkKey(text string) error {
	if !keyForm.MatchString(text) {
		return fmt.Errorf("bad key '%s'", text)
	}
	return nil
}

func checkValue(text string) error {
	if !isValue(text) {
		return errors.New("bad value")
	}
	return nil
}

func isValue(text string) bool {
	for _, c := range []byte(text) {
		if c < 0x20 || c == 0x7f {
			return false
		}
	}
	return 1 <= len(text) && len(text) <= maxValueBytes && utf8.ValidString(text)
}

func checkPrefix(text string) error {
	if !prefixForm.MatchString(text) {
		return fmt.Errorf("bad prefix '%s'", text)
	}
	return nil
}

func readLimit(text string) (int, error) {
	if !limitForm.MatchString(text) {
		return 0, fmt.Errorf("bad limit '%s'", text)
	}
	return strconv.Atoi(text)
}
