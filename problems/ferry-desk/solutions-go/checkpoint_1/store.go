package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
)

// Entry is the whole new value of one thing.
type Entry struct {
	Clock   *int     `json:",omitempty"`
	Sailing *Sailing `json:",omitempty"`
	Booking *Booking `json:",omitempty"`
}

// Store is the state, which is kept in a journal with one line for each request that changed it.
type Store struct {
	clock      int
	sailings   map[string]Sailing
	bookings   map[string]Booking
	bookingIDs []string            // in the order of the numbers
	idsOn      map[string][]string // of the bookings of each sailing
	file       *os.File
	pending    []Entry
}

func openStore(folder string) (*Store, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	path := filepath.Join(folder, "journal.jsonl")
	content, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	// A line that a kill has cut off does not count.
	whole := content[:bytes.LastIndexByte(content, '\n')+1]
	store := &Store{
		sailings: map[string]Sailing{},
		bookings: map[string]Booking{},
		idsOn:    map[string][]string{},
	}
	if err := store.replay(whole); err != nil {
		return nil, err
	}
	store.file, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	return store, store.file.Truncate(int64(len(whole)))
}

func (s *Store) replay(content []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(content))
	for decoder.More() {
		var entries []Entry
		if err := decoder.Decode(&entries); err != nil {
			return err
		}
		for _, entry := range entries {
			s.apply(entry)
		}
	}
	return nil
}

// bookingsOn gives the bookings of a sailing in the order of their numbers.
func (s *Store) bookingsOn(sailing string) []Booking {
	var bookings []Booking
	for _, id := range s.idsOn[sailing] {
		bookings = append(bookings, s.bookings[id])
	}
	return bookings
}

func (s *Store) put(entry Entry) {
	s.apply(entry)
	s.pending = append(s.pending, entry)
}

// commit keeps all that was put, or nothing of it.
func (s *Store) commit() error {
	if len(s.pending) == 0 {
		return nil
	}
	line, err := json.Marshal(s.pending)
	if err != nil {
		return err
	}
	s.pending = nil
	_, err = s.file.Write(append(line, '\n'))
	return err
}

func (s *Store) apply(entry Entry) {
	switch {
	case entry.Clock != nil:
		s.clock = *entry.Clock
	case entry.Sailing != nil:
		s.sailings[entry.Sailing.ID] = *entry.Sailing
	case entry.Booking != nil:
		s.setBooking(*entry.Booking)
	}
}

func (s *Store) setBooking(booking Booking) {
	if _, ok := s.bookings[booking.ID]; !ok {
		s.bookingIDs = append(s.bookingIDs, booking.ID)
		s.idsOn[booking.Sailing] = append(s.idsOn[booking.Sailing], booking.ID)
	}
	s.bookings[booking.ID] = booking
}
