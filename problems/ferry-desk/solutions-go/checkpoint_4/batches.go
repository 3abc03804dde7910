package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

var referenceForm = regexp.MustCompile(`^\$([1-9][0-9]?)$`)

var stepFields = []Field{
	{name: "send", check: isSend},
	{name: "body", check: isObject, optional: true},
	{name: "version", check: number(1, 999999999), optional: true},
}

var batchFields = []Field{{name: "steps", check: isSteps}}

// Result is the answer to a step.
type Result struct {
	Status  int             `json:"status"`
	Body    json.RawMessage `json:"body"`
	Version int             `json:"version,omitempty"`
	id      string
}

func isSend(value any, others Fields) bool {
	return isText(value, others) && strings.Count(value.(string), " ") == 1
}

func isObject(value any, _ Fields) bool {
	_, ok := value.(map[string]any)
	return ok
}

func isSteps(value any, _ Fields) bool {
	steps, ok := value.([]any)
	if !ok || len(steps) < 1 || len(steps) > 50 {
		return false
	}
	for _, step := range steps {
		object, ok := step.(map[string]any)
		if !ok || checkFields(object, stepFields) != nil {
			return false
		}
	}
	return true
}

// runBatch carries out the steps. A refusal takes back those before it, too.
func (a *API) runBatch(line *Line, call Call) (Reply, error) {
	var results []Result
	for at, step := range call.fields["steps"].([]any) {
		result, err := a.runStep(line, step.(map[string]any), results)
		if refusal, ok := err.(*Refusal); ok {
			refusal.body["step"] = at + 1
		}
		if err != nil {
			return Reply{}, err
		}
		results = append(results, result)
	}
	return jsonReply(http.StatusOK, map[string]any{"results": results}, nil)
}

func (a *API) runStep(line *Line, step Fields, results []Result) (Result, error) {
	request, err := requestOf(step, results)
	if err != nil {
		return Result{}, err
	}
	reply, err := a.perform(request, stepRoutes())
	if err != nil {
		return Result{}, err
	}
	var thing struct{ ID string }
	if err := json.Unmarshal(reply.Body, &thing); err != nil {
		return Result{}, err
	}
	return Result{reply.Status, reply.Body, line.version(thing.ID), thing.ID}, nil
}

// requestOf is the request of a step, with the ids that earlier steps have answered.
func requestOf(step Fields, results []Result) (Request, error) {
	method, uri, _ := strings.Cut(step.text("send"), " ")
	parts := strings.Split(uri, "/")
	if len(parts) > 2 {
		parts[2] = resolved(parts[2], results)
	}
	headers := http.Header{}
	if step.has("version") {
		headers.Set("If-Match", tag(step.number("version")))
	}
	var body []byte
	if step.has("body") {
		var err error
		if body, err = json.Marshal(step["body"]); err != nil {
			return Request{}, fmt.Errorf("body of a step: %w", err)
		}
	}
	return makeRequest(method, strings.Join(parts, "/"), headers, body), nil
}

func resolved(part string, results []Result) string {
	match := referenceForm.FindStringSubmatch(part)
	if match == nil {
		return part
	}
	number, err := strconv.Atoi(match[1])
	if err != nil || number > len(results) || results[number-1].id == "" {
		return part
	}
	return results[number-1].id
}
