package main

import (
	"encoding/json"
	"net/http"
	"regexp"
)

const keyMinutes = 1440

var keyForm = regexp.MustCompile(`^[!-~]{1,64}$`)

// FirstReply is the reply to a request with a key, which was the first with it.
type FirstReply struct {
	Key   string
	At    int
	Asked string
	Reply Reply
}

// readKey is the key of a request, or empty if it has none.
func readKey(request Request) (string, error) {
	keys := request.headers.Values("Idempotency-Key")
	if request.method != http.MethodPost || len(keys) == 0 {
		return "", nil
	}
	if !keyForm.MatchString(keys[0]) {
		return "", refuse(http.StatusBadRequest, "bad-key")
	}
	return keys[0], nil
}

// askedText is the same text for equal requests only.
func askedText(request Request, body Fields) (string, error) {
	text, err := json.Marshal([]any{request.path, request.query, body})
	return string(text), err
}

// replyTo is the first reply to a request that is repeated, or nil.
func (s *State) replyTo(key, asked string) (*FirstReply, error) {
	first := s.replies[key]
	if first == nil || s.clock >= first.At+keyMinutes {
		return nil, nil
	}
	if first.Asked != asked {
		return nil, refuse(http.StatusUnprocessableEntity, "key-reused")
	}
	return first, nil
}

// repeated is the reply to a repeated request.
func (f *FirstReply) repeated() Reply {
	if f == nil {
		return Reply{}
	}
	reply := f.Reply
	reply.Headers = map[string]string{"Idempotent-Replay": "true"}
	for name, value := range f.Reply.Headers {
		reply.Headers[name] = value
	}
	return reply
}
