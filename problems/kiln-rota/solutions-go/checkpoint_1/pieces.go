package main

import "fmt"

// Piece is a piece that somebody brought.
type Piece struct {
	ID       string `json:"id"`
	Owner    string `json:"owner"`
	Size     int    `json:"size"`
	Heat     int    `json:"heat"`
	BookedAt int    `json:"booked_at"`
	State    string `json:"state"`
	Firing   string `json:"firing,omitempty"`
}

func (s *Studio) book(owner string, size, heat int) *Piece {
	piece := &Piece{
		ID:       fmt.Sprintf("P%d", s.pieces.next()),
		Owner:    owner,
		Size:     size,
		Heat:     heat,
		BookedAt: s.now,
		State:    "waiting",
	}
	s.pieces.add(piece.ID, piece)
	return piece
}
