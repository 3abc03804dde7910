package main

import "fmt"

const (
	heatBand    = 40
	defaultHold = 30
)

// Heating is how a firing heats its kiln: by a programme, or to a heat that it holds.
type Heating struct {
	Programme string `json:"programme,omitempty"`
	Heat      int    `json:"heat"`
	Hold      *int   `json:"hold,omitempty"` // nil with a programme
}

// Order is what somebody wants to be fired.
type Order struct {
	kiln    *Kiln
	heating Heating
	start   int
	member  string
	series  string
	number  int
}

// Firing is a firing of a kiln.
type Firing struct {
	ID   string `json:"id"`
	Kiln string `json:"kiln"`
	Heating
	Starts int      `json:"starts"`
	Ends   int      `json:"ends"`
	Opens  *int     `json:"opens,omitempty"` // nil if the kiln need not cool down
	State  string   `json:"state"`
	Pieces []string `json:"pieces"`
	Used   int      `json:"used"`
	Member string   `json:"member,omitempty"`
	Moves  int      `json:"moves,omitempty"`
	Series string   `json:"series,omitempty"`
	Number int      `json:"number,omitempty"`
}

func (s *Studio) orderOf(fields Fields) (Order, error) {
	kiln, err := s.kilns.find(fields.text("kiln"))
	if err != nil {
		return Order{}, err
	}
	heating, err := s.heatingOf(fields)
	if err != nil {
		return Order{}, err
	}
	return Order{
		kiln:    kiln,
		heating: heating,
		start:   fields.numberOr("start", s.now),
		member:  fields.text("member"),
	}, nil
}

func (s *Studio) heatingOf(fields Fields) (Heating, error) {
	if !fields.has("programme") {
		hold := fields.numberOr("hold", defaultHold)
		return Heating{Heat: fields.number("heat"), Hold: &hold}, nil
	}
	programme, err := s.programmes.find(fields.text("programme"))
	if err != nil {
		return Heating{}, err
	}
	return Heating{Programme: programme.ID, Heat: programme.Top}, nil
}

// fire fires a kiln now, or plans to.
func (s *Studio) fire(order Order) (*Firing, error) {
	firing := s.draft(order)
	if err := s.refuseImpossible(firing); err != nil {
		return nil, err
	}
	if firing.Starts > s.now {
		s.firings.add(firing.ID, firing)
		s.note("firing-planned", firing.ID)
		return firing, nil
	}
	load := s.firstFit(firing)
	if len(load) == 0 {
		return nil, conflict("nothing-to-fire")
	}
	s.firings.add(firing.ID, firing)
	s.light(firing, load)
	return firing, nil
}

// draft is a firing that is not planned yet.
func (s *Studio) draft(order Order) *Firing {
	firing := &Firing{
		ID:      fmt.Sprintf("F%d", s.firings.next()),
		Kiln:    order.kiln.ID,
		Heating: order.heating,
		Starts:  order.start,
		State:   "planned",
		Pieces:  []string{},
		Member:  order.member,
		Series:  order.series,
		Number:  order.number,
	}
	s.setTimes(firing)
	return firing
}

// start is for a planned firing whose minute has come.
func (s *Studio) start(firing *Firing) {
	load := s.firstFit(firing)
	if len(load) == 0 {
		firing.State = "empty"
		s.note("firing-empty", firing.ID)
		return
	}
	s.light(firing, load)
}

func (s *Studio) light(firing *Firing, load []*Piece) {
	firing.State = "firing"
	s.note("firing-started", firing.ID)
	for _, piece := range load {
		firing.Pieces = append(firing.Pieces, piece.ID)
		firing.Used += piece.Size
		piece.State, piece.Firing = "firing", firing.ID
		s.noteEvent(Event{What: "piece-loaded", ID: piece.ID, Firing: firing.ID})
	}
}

func (s *Studio) firstFit(firing *Firing) []*Piece {
	room := s.kilns.byID[firing.Kiln].Room
	var load []*Piece
	owner := s.soleOwner(firing)
	for _, piece := range s.inLoadOrder() {
		isAllowed := owner == "" || piece.Owner == owner
		if isAllowed && s.canLoad(piece, firing) && piece.Size <= room {
			load = append(load, piece)
			room -= piece.Size
		}
	}
	return load
}

func (s *Studio) canLoad(piece *Piece, firing *Firing) bool {
	switch {
	case piece.State != "waiting":
		return false
	case piece.Due != 0 && firing.opening() > piece.Due:
		return false
	case piece.After != "" && s.pieces.byID[piece.After].State != "fired":
		return false
	}
	return piece.Heat <= firing.Heat && firing.Heat <= piece.Heat+heatBand
}

func (s *Studio) endHeat(firing *Firing) {
	firing.State = "cooling"
	if firing.Opens != nil {
		s.note("firing-cooling", firing.ID)
	}
}

// open takes the pieces out of the kiln, with their heat or without it.
func (s *Studio) open(firing *Firing) {
	if firing.State == "cooling" {
		firing.State = "done"
	}
	if firing.State != "stopped" {
		s.note("firing-"+firing.State, firing.ID)
	}
	for _, piece := range s.piecesOf(firing) {
		if firing.State == "done" {
			s.endPass(piece)
		} else {
			s.waitAgain(piece)
		}
	}
}

func (s *Studio) cancelFiring(firing *Firing) error {
	switch firing.State {
	case "planned", "stranded":
		firing.State = "cancelled"
		s.note("firing-cancelled", firing.ID)
	case "firing":
		s.stop(firing)
	default:
		return conflict("firing-over")
	}
	return nil
}

func (s *Studio) stop(firing *Firing) {
	kiln := s.kilns.byID[firing.Kiln]
	heat := heatAfter(kiln, s.stagesOf(firing), s.now-firing.Starts)
	firing.State, firing.Ends = "stopped", s.now
	s.note("firing-stopped", firing.ID)
	firing.setOpening(kiln, heat)
	if firing.opening() == s.now {
		s.open(firing)
	}
}
