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
	service *Service
	lock    sync.Mutex
}

func serve(port int, service *Service) error {
	return http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", port), &Server{service: service})
}

func (s *Server) ServeHTTP(writer http.ResponseWriter, incoming *http.Request) {
	body, err := io.ReadAll(incoming.Body)
	if err != nil {
		return
	}
	reply, err := s.answer(makeRequest(incoming.Method, incoming.RequestURI, body))
	if err != nil {
		http.Error(writer, err.Error(), http.StatusInternalServerError)
		return
	}
	payload, err := json.Marshal(reply.body)
	if err != nil {
		http.Error(writer, err.Error(), http.StatusInternalServerError)
		return
	}
	writer.Header().Set("Content-Type", "application/json")
	writer.Header().Set("Content-Length", strconv.Itoa(len(payload)))
	writer.WriteHeader(reply.status)
	_, _ = writer.Write(payload)
}

func (s *Server) answer(request Request) (Reply, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.service.answer(request)
}
