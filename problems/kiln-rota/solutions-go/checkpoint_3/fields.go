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

const longestText = 40

var (
	nameForm   = regexp.MustCompile(`^[a-z][a-z0-9-]{0,19}$`)
	numberForm = regexp.MustCompile(`^-?[0-9]+$`)
)

// Check tells whether a value is right.
type Check func(value any) bool

// Field is a field of a body, or a parameter.
type Field struct {
	name     string
	check    Check
	optional bool
	instead  string // a field with which this one must be missing
}

// Fields are values by name, as they are in JSON. Numbers are of type json.Number.
type Fields map[string]any

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
	number, ok := f[name].(json.Number)
	if !ok {
		return fallback
	}
	value, _ := strconv.Atoi(number.String())
	return value
}

func (f Fields) objects(name string) []Fields {
	list, _ := f[name].([]any)
	var objects []Fields
	for _, item := range list {
		objects = append(objects, item.(map[string]any))
	}
	return objects
}

func number(low, high int) Check {
	return func(value any) bool {
		literal, ok := value.(json.Number)
		if !ok || !numberForm.MatchString(literal.String()) {
			return false
		}
		number, err := strconv.Atoi(literal.String())
		return err == nil && low <= number && number <= high
	}
}

func isName(value any) bool {
	text, ok := value.(string)
	return ok && nameForm.MatchString(text)
}

func isText(value any) bool {
	text, ok := value.(string)
	length := utf8.RuneCountInString(text)
	return ok && 1 <= length && length <= longestText && strings.Trim(text, " ") == text &&
		strings.IndexFunc(text, isControl) < 0
}

func isControl(character rune) bool { return character < ' ' || character == 0x7f }

func oneOf(words ...string) Check {
	return func(value any) bool {
		for _, word := range words {
			if value == word {
				return true
			}
		}
		return false
	}
}

func orNull(check Check) Check {
	return func(value any) bool { return value == nil || check(value) }
}

// listOf is right for a list of so many objects with these fields.
func listOf(low, high int, fields []Field) Check {
	return func(value any) bool {
		list, ok := value.([]any)
		if !ok || len(list) < low || len(list) > high {
			return false
		}
		for _, item := range list {
			object, ok := item.(map[string]any)
			if !ok || checkFields(object, fields) != nil {
				return false
			}
		}
		return true
	}
}

// checkFields refuses the first field that is missing, wrong or not listed.
func checkFields(values Fields, fields []Field) error {
	listed := map[string]bool{}
	for _, field := range fields {
		listed[field.name] = true
		if !field.isRight(values) {
			return wrongField(field.name)
		}
	}
	var unlisted []string
	for name := range values {
		if !listed[name] {
			unlisted = append(unlisted, name)
		}
	}
	if len(unlisted) == 0 {
		return nil
	}
	sort.Strings(unlisted)
	return wrongField(unlisted[0])
}

func (f Field) isRight(values Fields) bool {
	value, ok := values[f.name]
	if f.instead != "" && values.has(f.instead) {
		return !ok
	}
	if !ok {
		return f.optional
	}
	return f.check(value)
}

// readParameters gives the parameters that are listed. It ignores all others.
func readParameters(query string, parameters []Field) (Fields, error) {
	given, _ := url.ParseQuery(query)
	values := Fields{}
	for _, parameter := range parameters {
		texts := given[parameter.name]
		if len(texts) == 0 {
			continue
		}
		text := texts[len(texts)-1]
		if !parameter.check(text) {
			return nil, wrongField(parameter.name)
		}
		values[parameter.name] = text
	}
	return values, nil
}

// parseObject reads the JSON object of a body.
func parseObject(body []byte) (Fields, error) {
	fault := refuse(http.StatusBadRequest, "not-json")
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
