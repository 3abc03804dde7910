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

// Reply is an answer. Its body can be written as JSON.
type Reply struct {
	status int
	body   any
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
	handle     func(studio *Studio, call Call) (Reply, error)
	fields     []Field
	parameters []Field
}

func makeRequest(method, uri string, body []byte) Request {
	path, query, _ := strings.Cut(uri, "?")
	return Request{method, path, query, body}
}

func ok(body any) (Reply, error) { return Reply{status: http.StatusOK, body: body}, nil }

func created(body any) (Reply, error) { return Reply{status: http.StatusCreated, body: body}, nil }

// findRoute gives the route of a request, and the id in its path if there is one.
func findRoute(routes []Route, request Request) (route Route, id string, err error) {
	parts := strings.Split(request.path, "/")
	if len(parts) > 2 {
		id = parts[2]
	}
	err = refuse(http.StatusNotFound, "unknown-path")
	for _, route := range routes {
		if !matches(strings.Split(route.pattern, "/"), parts) {
			continue
		}
		if route.method == request.method {
			return route, id, nil
		}
		err = refuse(http.StatusMethodNotAllowed, "unknown-method")
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
