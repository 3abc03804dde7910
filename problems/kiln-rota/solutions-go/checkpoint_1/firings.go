package main

import "fmt"

const (
	roomHeat    = 20
	heatBand    = 40
	defaultHold = 30
)

// Order is what somebody wants to be fired.
type Order struct {
	kiln *Kiln
	heat int
	hold int
}

// Firing is a firing of a kiln.
type Firing struct {
	ID     string   `json:"id"`
	Kiln   string   `json:"kiln"`
	Heat   int      `json:"heat"`
	Hold   int      `json:"hold"`
	Starts int      `json:"starts"`
	Ends   int      `json:"ends"`
	State  string   `json:"state"`
	Pieces []string `json:"pieces"`
	Used   int      `json:"used"`
}

func (s *Studio) orderOf(fields Fields) (Order, error) {
	kiln, err := s.kilns.find(fields.text("kiln"))
	if err != nil {
		return Order{}, err
	}
	return Order{kiln, fields.number("heat"), fields.numberOr("hold", defaultHold)}, nil
}

// fire fires a kiln at once with all pieces that suit and fit.
func (s *Studio) fire(order Order) (*Firing, error) {
	kiln := order.kiln
	if order.heat > kiln.MaxHeat {
		return nil, conflict("too-hot", "max_heat", kiln.MaxHeat)
	}
	for _, other := range s.firingsOf(kiln) {
		if other.State == "firing" {
			return nil, conflict("kiln-busy", "until", other.Ends)
		}
	}
	load := s.firstFit(order)
	if len(load) == 0 {
		return nil, conflict("nothing-to-fire")
	}
	firing := &Firing{
		ID:     fmt.Sprintf("F%d", s.firings.next()),
		Kiln:   kiln.ID,
		Heat:   order.heat,
		Hold:   order.hold,
		Starts: s.now,
		Ends:   s.now + minutesOfRise(kiln, order.heat) + order.hold,
		State:  "firing",
	}
	s.firings.add(firing.ID, firing)
	firing.load(load)
	return firing, nil
}

func (f *Firing) load(pieces []*Piece) {
	for _, piece := range pieces {
		f.Pieces = append(f.Pieces, piece.ID)
		f.Used += piece.Size
		piece.State, piece.Firing = "firing", f.ID
	}
}

func (s *Studio) firstFit(order Order) []*Piece {
	room := order.kiln.Room
	var load []*Piece
	for _, piece := range s.pieces.all {
		if piece.State == "waiting" && piece.suits(order.heat) && piece.Size <= room {
			load = append(load, piece)
			room -= piece.Size
		}
	}
	return load
}

func (p *Piece) suits(heat int) bool { return p.Heat <= heat && heat <= p.Heat+heatBand }

// minutesOfRise counts a part of a minute as a whole minute.
func minutesOfRise(kiln *Kiln, heat int) int {
	return (heat - roomHeat + kiln.Rate - 1) / kiln.Rate
}

func (s *Studio) finish(firing *Firing) {
	firing.State = "done"
	for _, piece := range s.piecesOf(firing) {
		piece.State = "fired"
	}
}
