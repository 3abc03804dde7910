package main

import "net/http"

// Refusal is the error of a request that is answered with a code, and changes nothing.
type Refusal struct {
	status int
	body   map[string]any
}

func (r *Refusal) Error() string { return r.body["fault"].(string) }

// refuse makes a refusal. Details are keys, each followed by its value.
func refuse(status int, code string, details ...any) error {
	body := map[string]any{"fault": code}
	for at := 0; at < len(details); at += 2 {
		body[details[at].(string)] = details[at+1]
	}
	return &Refusal{status, body}
}

func wrongField(name string) error {
	return refuse(http.StatusUnprocessableEntity, "wrong-field", "field", name)
}

func missing(kind string) error { return refuse(http.StatusNotFound, "no-"+kind) }

func conflict(code string, details ...any) error {
	return refuse(http.StatusConflict, code, details...)
}
