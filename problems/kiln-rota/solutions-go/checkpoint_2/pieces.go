package main

import (
	"fmt"
	"math"
	"sort"
)

const defaultRank = 5

// Piece is a piece that somebody brought.
type Piece struct {
	ID       string `json:"id"`
	Owner    string `json:"owner"`
	Size     int    `json:"size"`
	Heat     int    `json:"heat"`
	Rank     int    `json:"rank,omitempty"`
	Due      int    `json:"due,omitempty"` // 0 if it has none
	BookedAt int    `json:"booked_at"`
	State    string `json:"state"`
	Firing   string `json:"firing,omitempty"`
}

// view is the piece as it is shown.
func (p *Piece) view() Piece {
	view := *p
	if view.Rank == defaultRank {
		view.Rank = 0
	}
	return view
}

func (s *Studio) book(fields Fields) (*Piece, error) {
	piece := &Piece{
		ID:       fmt.Sprintf("P%d", s.pieces.next()),
		Owner:    fields.text("owner"),
		Size:     fields.number("size"),
		Heat:     fields.number("heat"),
		Rank:     fields.numberOr("rank", defaultRank),
		Due:      fields.number("due"),
		BookedAt: s.now,
		State:    "waiting",
	}
	if err := s.refusePastDue(fields); err != nil {
		return nil, err
	}
	s.pieces.add(piece.ID, piece)
	return piece, nil
}

// inLoadOrder gives all pieces in the order in which the stoker considers them.
func (s *Studio) inLoadOrder() []*Piece {
	pieces := append([]*Piece{}, s.pieces.all...)
	sort.SliceStable(pieces, func(i, j int) bool {
		if pieces[i].Rank != pieces[j].Rank {
			return pieces[i].Rank < pieces[j].Rank
		}
		return pieces[i].dueOrNever() < pieces[j].dueOrNever()
	})
	return pieces
}

func (p *Piece) dueOrNever() int {
	if p.Due == 0 {
		return math.MaxInt
	}
	return p.Due
}

func (s *Studio) changePiece(piece *Piece, fields Fields) error {
	if err := piece.refuseUnlessOpen(); err != nil {
		return err
	}
	if err := s.refusePastDue(fields); err != nil {
		return err
	}
	piece.Rank = fields.numberOr("rank", piece.Rank)
	if fields.has("due") {
		piece.Due = fields.number("due")
	}
	return nil
}

func (s *Studio) cancelPiece(piece *Piece) error {
	if err := piece.refuseUnlessOpen(); err != nil {
		return err
	}
	piece.State = "cancelled"
	return nil
}

func (p *Piece) refuseUnlessOpen() error {
	switch {
	case p.State == "firing":
		return conflict("in-the-fire")
	case p.State != "waiting":
		return conflict("piece-over")
	}
	return nil
}

func (s *Studio) refusePastDue(fields Fields) error {
	if fields["due"] != nil && fields.number("due") <= s.now {
		return conflict("in-the-past")
	}
	return nil
}
