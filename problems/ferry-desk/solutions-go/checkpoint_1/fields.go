package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

const longestText = 60

var (
	codeForm   = regexp.MustCompile(`^[a-z][a-z0-9-]{0,23}$`)
	numberForm = regexp.MustCompile(`^-?[0-9]+$`)
)

// Fields are values by name, as they are in JSON. Numbers are of type json.Number.
type Fields map[string]any

// Check tells whether a value is right. The others of the same body or path are known, too.
type Check func(value any, others Fields) bool

// Field is a field of a body.
type Field struct {
	name     string
	check    Check
	optional bool
}

func (f Fields) has(name string) bool {
	_, ok := f[name]
	return ok
}

// text is the empty text if there is no text with this name.
func (f Fields) text(name string) string {
	text, _ := f[name].(string)
	return text
}

// number is 0 if there is no number with this name.
func (f Fields) number(name string) int { return f.numberOr(name, 0) }

func (f Fields) numberOr(name string, fallback int) int {
	switch value := f[name].(type) {
	case json.Number:
		number, _ := strconv.Atoi(value.String())
		return number
	case string:
		number, _ := strconv.Atoi(value)
		return number
	}
	return fallback
}

func number(low, high int) Check {
	return func(value any, _ Fields) bool {
		literal, ok := value.(json.Number)
		if !ok || !numberForm.MatchString(literal.String()) {
			return false
		}
		number, err := strconv.Atoi(literal.String())
		return err == nil && low <= number && number <= high
	}
}

func isText(value any, _ Fields) bool {
	text, ok := value.(string)
	length := utf8.RuneCountInString(text)
	return ok && 1 <= length && length <= longestText && strings.Trim(text, " ") == text &&
		strings.IndexFunc(text, isControl) < 0
}

func isControl(character rune) bool { return character < ' ' || character == 0x7f }

func isCode(value any, _ Fields) bool {
	text, ok := value.(string)
	return ok && codeForm.MatchString(text)
}

// otherThan is right if the check is passed and the named field has another value.
func otherThan(name string, check Check) Check {
	return func(value any, others Fields) bool { return check(value, others) && value != others[name] }
}

func oneOf(words ...string) Check {
	return func(value any, _ Fields) bool {
		for _, word := range words {
			if value == word {
				return true
			}
		}
		return false
	}
}

// checkFields refuses the first field that is missing, wrong or not listed.
func checkFields(body Fields, fields []Field) error {
	listed := map[string]bool{}
	for _, field := range fields {
		listed[field.name] = true
		if !field.isRight(body) {
			return badField(field.name)
		}
	}
	var unknown []string
	for name := range body {
		if !listed[name] {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	sort.Strings(unknown)
	return badField(unknown[0])
}

func (f Field) isRight(body Fields) bool {
	if value, ok := body[f.name]; ok {
		return f.check(value, body)
	}
	return f.optional
}

// readParameters reads the parameters of a path, and refuses the first that is wrong.
func readParameters(query string, checks map[string]Check) (Fields, error) {
	pairs := queryPairs(query)
	others := Fields{}
	for _, pair := range pairs {
		others[pair[0]] = pair[1]
	}
	values := Fields{}
	for _, pair := range pairs {
		name, value := pair[0], pair[1]
		check := checks[name]
		if check == nil || values.has(name) || !check(value, others) {
			return nil, badField(name)
		}
		values[name] = value
	}
	return values, nil
}

// queryPairs gives names and values in the order in which they are written.
func queryPairs(query string) [][2]string {
	var pairs [][2]string
	for _, part := range strings.Split(query, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		pairs = append(pairs, [2]string{unescaped(name), unescaped(value)})
	}
	return pairs
}

func unescaped(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// parseObject reads the JSON object of a body.
func parseObject(body []byte) (Fields, error) {
	fault := refuse(http.StatusBadRequest, "bad-json")
	if !utf8.Valid(body) || !json.Valid(body) {
		return nil, fault
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, fault
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, fault
	}
	return object, nil
}
