package main

import "net/http"

// Service answers requests, and keeps those that changed something in a journal.
type Service struct {
	studio  *Studio
	journal *Journal
}

func openService(folder string) (*Service, error) {
	journal, entries, err := openJournal(folder)
	if err != nil {
		return nil, err
	}
	service := &Service{newStudio(), journal}
	for _, entry := range entries {
		perform(service.studio, makeRequest(entry.Method, entry.Path, []byte(entry.Body)))
	}
	return service, nil
}

func (s *Service) answer(request Request) (Reply, error) {
	reply := perform(s.studio, request)
	if request.method == http.MethodGet || reply.status >= http.StatusMultipleChoices {
		return reply, nil
	}
	return reply, s.journal.add(Entry{request.method, request.path, string(request.body)})
}

// perform does a request. A request that is refused has changed nothing.
func perform(studio *Studio, request Request) Reply {
	reply, err := attempt(studio, request)
	if refusal, ok := err.(*Refusal); ok {
		return Reply{status: refusal.status, body: refusal.body}
	}
	return reply
}

func attempt(studio *Studio, request Request) (Reply, error) {
	route, id, err := findRoute(routes, request)
	if err != nil {
		return Reply{}, err
	}
	call := Call{id: id}
	if route.fields != nil {
		if call.fields, err = parseObject(request.body); err != nil {
			return Reply{}, err
		}
	}
	if call.parameters, err = readParameters(request.query, route.parameters); err != nil {
		return Reply{}, err
	}
	if err := checkFields(call.fields, route.fields); err != nil {
		return Reply{}, err
	}
	return route.handle(studio, call)
}
