package main

import "net/http"

// Refusal is the error of a request that is answered with a code, and changes nothing.
type Refusal struct {
	status int
	body   map[string]any
}

func (r *Refusal) Error() string { return r.body["error"].(string) }

// refuse makes a refusal. Details are keys, each followed by its value.
func refuse(status int, code string, details ...any) error {
	body := map[string]any{"error": code}
	for at := 0; at < len(details); at += 2 {
		body[details[at].(string)] = details[at+1]
	}
	return &Refusal{status, body}
}

func badField(name string) error {
	return refuse(http.StatusUnprocessableEntity, "bad-field", "field", name)
}

func notFound(code string) error { return refuse(http.StatusNotFound, code) }

func conflict(code string, details ...any) error {
	return refuse(http.StatusConflict, code, details...)
}

func full(free Room) error {
	return conflict("full", "free_persons", free.Persons, "free_metres", free.Metres)
}

func stale(version int) error {
	return refuse(http.StatusPreconditionFailed, "stale", "version", version)
}
