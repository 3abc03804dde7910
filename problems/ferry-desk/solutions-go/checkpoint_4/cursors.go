package main

import (
	"encoding/base64"
	"encoding/json"
)

// cursor is where a page of bookings ended, and of which list it was a page.
type cursor struct {
	Last    int
	Sailing string
	State   string
}

func (c cursor) text() string {
	// A struct of texts and numbers can always be written as JSON.
	content, _ := json.Marshal(c)
	return base64.RawURLEncoding.EncodeToString(content)
}

// readCursor reads a text, and tells whether it is a cursor.
func readCursor(text string) (cursor, bool) {
	var found cursor
	content, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || json.Unmarshal(content, &found) != nil {
		return cursor{}, false
	}
	return found, found.text() == text
}

// isCursor is right for a cursor of the same list.
func isCursor(value any, others Fields) bool {
	text, _ := value.(string)
	found, ok := readCursor(text)
	return ok && found.Sailing == others.text("sailing") && found.State == others.text("state")
}
