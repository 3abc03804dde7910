package main

// Studio is all that there is in the studio.
type Studio struct {
	now        int
	kilns      *Register[Kiln]
	programmes *Register[Programme]
	pieces     *Register[Piece]
	firings    *Register[Firing]
	leases     *Register[Lease]
	series     *Register[Series]
	history    []Event
}

func newStudio() *Studio {
	return &Studio{
		kilns:      newRegister[Kiln]("kiln"),
		programmes: newRegister[Programme]("programme"),
		pieces:     newRegister[Piece]("piece"),
		firings:    newRegister[Firing]("firing"),
		leases:     newRegister[Lease]("lease"),
		series:     newRegister[Series]("series"),
	}
}

// copied is a studio that can change without this one.
func (s *Studio) copied() *Studio {
	return &Studio{
		now:        s.now,
		kilns:      s.kilns.copied(func(kiln *Kiln) string { return kiln.ID }),
		programmes: s.programmes.copied(func(programme *Programme) string { return programme.ID }),
		pieces:     s.pieces.copied(func(piece *Piece) string { return piece.ID }),
		firings:    s.firings.copied(func(firing *Firing) string { return firing.ID }),
		leases:     s.leases.copied(func(lease *Lease) string { return lease.ID }),
		series:     s.series.copied(func(series *Series) string { return series.ID }),
		history:    append([]Event{}, s.history...),
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
