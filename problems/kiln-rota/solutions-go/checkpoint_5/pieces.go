package main

import (
	"fmt"
	"math"
	"sort"
)

const defaultRank = 5

// Pass is a heat that a piece needs, and the minutes for which it dries before.
type Pass struct {
	Heat int `json:"heat"`
	Dry  int `json:"dry"`
}

// Piece is a piece that somebody brought.
type Piece struct {
	ID       string `json:"id"`
	Owner    string `json:"owner"`
	Size     int    `json:"size"`
	Heat     int    `json:"heat"`
	Rank     int    `json:"rank,omitempty"`
	Due      int    `json:"due,omitempty"` // 0 if it has none
	Passes   []Pass `json:"passes,omitempty"`
	Pass     int    `json:"pass,omitempty"`
	After    string `json:"after,omitempty"`
	BookedAt int    `json:"booked_at"`
	State    string `json:"state"`
	ReadyAt  int    `json:"ready_at,omitempty"`
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
	if fields.has("after") && !s.pieces.has(fields.text("after")) {
		return nil, missing("piece")
	}
	if err := s.refusePastDue(fields); err != nil {
		return nil, err
	}
	piece := s.pieceOf(fields)
	s.pieces.add(piece.ID, piece)
	if len(piece.Passes) > 0 {
		s.beginPass(piece, 1)
	}
	s.note("piece-booked", piece.ID)
	return piece, nil
}

func (s *Studio) pieceOf(fields Fields) *Piece {
	piece := &Piece{
		ID:       fmt.Sprintf("P%d", s.pieces.next()),
		Owner:    fields.text("owner"),
		Size:     fields.number("size"),
		Heat:     fields.number("heat"),
		Rank:     fields.numberOr("rank", defaultRank),
		Due:      fields.number("due"),
		After:    fields.text("after"),
		BookedAt: s.now,
		State:    "waiting",
	}
	for _, pass := range fields.objects("passes") {
		piece.Passes = append(piece.Passes, Pass{pass.number("heat"), pass.number("dry")})
	}
	return piece
}

func (s *Studio) beginPass(piece *Piece, number int) {
	pass := piece.Passes[number-1]
	piece.Pass, piece.Heat, piece.State = number, pass.Heat, "waiting"
	if pass.Dry > 0 {
		piece.State, piece.ReadyAt = "drying", s.now+pass.Dry
	}
}

// endPass is for a piece that has had its heat.
func (s *Studio) endPass(piece *Piece) {
	if piece.Pass < len(piece.Passes) {
		s.beginPass(piece, piece.Pass+1)
		s.note("piece-out", piece.ID)
		return
	}
	piece.State = "fired"
	s.note("piece-fired", piece.ID)
}

// waitAgain is for a piece that comes out of a firing without its heat.
func (s *Studio) waitAgain(piece *Piece) {
	piece.State, piece.Firing = "waiting", ""
	s.note("piece-back", piece.ID)
}

func (s *Studio) endDrying(piece *Piece) {
	piece.State, piece.ReadyAt = "waiting", 0
	s.note("piece-dried", piece.ID)
}

// isOpen tells whether the piece can still be changed, cancelled and missed.
func (p *Piece) isOpen() bool { return p.State == "waiting" || p.State == "drying" }

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
	s.note("piece-changed", piece.ID)
	return nil
}

func (s *Studio) cancelPiece(piece *Piece) error {
	if err := piece.refuseUnlessOpen(); err != nil {
		return err
	}
	s.closePiece(piece, "cancelled")
	return nil
}

func (s *Studio) closePiece(piece *Piece, state string) {
	piece.State, piece.ReadyAt = state, 0
	s.note("piece-"+state, piece.ID)
}

func (p *Piece) refuseUnlessOpen() error {
	switch {
	case p.State == "firing":
		return conflict("in-the-fire")
	case !p.isOpen():
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
