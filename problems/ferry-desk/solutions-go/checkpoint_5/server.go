package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
)

// Server answers one request at a time, however many arrive.
type Server struct {
	api  *API
	lock sync.Mutex
}

func serve(port int, api *API) error {
	return http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", port), &Server{api: api})
}

func (s *Server) ServeHTTP(writer http.ResponseWriter, incoming *http.Request) {
	body, err := io.ReadAll(incoming.Body)
	if err != nil {
		return
	}
	reply, err := s.answer(makeRequest(incoming.Method, incoming.RequestURI, incoming.Header, body))
	if err != nil {
		http.Error(writer, err.Error(), http.StatusInternalServerError)
		return
	}
	writer.Header().Set("Content-Type", "application/json")
	writer.Header().Set("Content-Length", strconv.Itoa(len(reply.Body)))
	for name, value := range reply.Headers {
		writer.Header()[name] = []string{value}
	}
	writer.WriteHeader(reply.Status)
	_, _ = writer.Write(reply.Body)
}

func (s *Server) answer(request Request) (Reply, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.api.answer(request)
}

// jsonReply is a reply with a value as its body.
func jsonReply(status int, value any, headers map[string]string) (Reply, error) {
	body, err := json.Marshal(value)
	return Reply{Status: status, Body: body, Headers: headers}, err
}
