package main

// Studio is all that there is in the studio.
type Studio struct {
	now        int
	kilns      *Register[Kiln]
	programmes *Register[Programme]
	pieces     *Register[Piece]
	firings    *Register[Firing]
}

func newStudio() *Studio {
	return &Studio{
		kilns:      newRegister[Kiln]("kiln"),
		programmes: newRegister[Programme]("programme"),
		pieces:     newRegister[Piece]("piece"),
		firings:    newRegister[Firing]("firing"),
	}
}

func (s *Studio) piecesOf(firing *Firing) []*Piece {
	var pieces []*Piece
	for _, id := range firing.Pieces {
		pieces = append(pieces, s.pieces.byID[id])
	}
	return pieces
}

func (s *Studio) firingsOf(kiln *Kiln) []*Firing {
	return s.firings.where(func(firing *Firing) bool { return firing.Kiln == kiln.ID })
}
