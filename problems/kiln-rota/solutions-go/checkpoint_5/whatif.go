package main

import (
	"encoding/json"
	"net/http"
	"strings"
)

var whatIfFields = []Field{
	{name: "steps", check: listOf(1, 20, []Field{
		{name: "send", check: isRequest},
		{name: "body", check: isObject, optional: true},
	})},
}

// allRoutes has what a step of a what-if cannot be, too.
var allRoutes = append([]Route{
	{method: "POST", pattern: "/what-if", handle: postWhatIf, fields: whatIfFields},
}, routes...)

// Result is the answer to a step.
type Result struct {
	Status int `json:"status"`
	Body   any `json:"body"`
}

// postWhatIf tries the steps in a copy of the studio.
func postWhatIf(studio *Studio, call Call) (Reply, error) {
	trial := studio.copied()
	var results []Result
	for _, step := range call.fields.objects("steps") {
		request, err := requestOf(step)
		if err != nil {
			return Reply{}, err
		}
		result, err := resultOf(perform(routes, trial, request))
		if err != nil {
			return Reply{}, err
		}
		results = append(results, result)
	}
	history := trial.eventsAfter(len(studio.history), "")
	body := map[string]any{"now": trial.now, "results": results, "history": history}
	return Reply{status: http.StatusOK, body: body, isTrial: true}, nil
}

func requestOf(step Fields) (Request, error) {
	method, uri, _ := strings.Cut(step.text("send"), " ")
	if !step.has("body") {
		return makeRequest(method, uri, nil), nil
	}
	body, err := json.Marshal(step["body"])
	return makeRequest(method, uri, body), err
}

// resultOf keeps the answer as it is now, whatever later steps do.
func resultOf(reply Reply) (Result, error) {
	body, err := json.Marshal(reply.body)
	return Result{reply.status, json.RawMessage(body)}, err
}
