package main

import "fmt"

const (
	roomHeat    = 20
	heatBand    = 40
	defaultHold = 30
)

// Order is what somebody wants to be fired.
type Order struct {
	kiln  *Kiln
	heat  int
	hold  int
	start int
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
	return Order{
		kiln:  kiln,
		heat:  fields.number("heat"),
		hold:  fields.numberOr("hold", defaultHold),
		start: fields.numberOr("start", s.now),
	}, nil
}

// fire fires a kiln now, or plans to.
func (s *Studio) fire(order Order) (*Firing, error) {
	firing := s.draft(order)
	if err := s.refuseImpossible(firing); err != nil {
		return nil, err
	}
	if firing.Starts > s.now {
		s.firings.add(firing.ID, firing)
		return firing, nil
	}
	load := s.firstFit(firing)
	if len(load) == 0 {
		return nil, conflict("nothing-to-fire")
	}
	s.firings.add(firing.ID, firing)
	firing.light(load)
	return firing, nil
}

// draft is a firing that is not planned yet.
func (s *Studio) draft(order Order) *Firing {
	return &Firing{
		ID:     fmt.Sprintf("F%d", s.firings.next()),
		Kiln:   order.kiln.ID,
		Heat:   order.heat,
		Hold:   order.hold,
		Starts: order.start,
		Ends:   order.start + minutesOfRise(order.kiln, order.heat) + order.hold,
		State:  "planned",
		Pieces: []string{},
	}
}

// start is for a planned firing whose minute has come.
func (s *Studio) start(firing *Firing) {
	load := s.firstFit(firing)
	if len(load) == 0 {
		firing.State = "empty"
		return
	}
	firing.light(load)
}

func (f *Firing) light(load []*Piece) {
	f.State = "firing"
	for _, piece := range load {
		f.Pieces = append(f.Pieces, piece.ID)
		f.Used += piece.Size
		piece.State, piece.Firing = "firing", f.ID
	}
}

func (s *Studio) firstFit(firing *Firing) []*Piece {
	room := s.kilns.byID[firing.Kiln].Room
	var load []*Piece
	for _, piece := range s.inLoadOrder() {
		if piece.State == "waiting" && piece.suits(firing) && piece.Size <= room {
			load = append(load, piece)
			room -= piece.Size
		}
	}
	return load
}

func (p *Piece) suits(firing *Firing) bool {
	if p.Due != 0 && firing.Ends > p.Due {
		return false
	}
	return p.Heat <= firing.Heat && firing.Heat <= p.Heat+heatBand
}

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

func (s *Studio) cancelFiring(firing *Firing) error {
	switch firing.State {
	case "planned":
		firing.State = "cancelled"
	case "firing":
		firing.State, firing.Ends = "stopped", s.now
		for _, piece := range s.piecesOf(firing) {
			piece.State, piece.Firing = "waiting", ""
		}
	default:
		return conflict("firing-over")
	}
	return nil
}
