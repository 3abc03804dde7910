package main

// Direction is where a boat goes: upwards or downwards.
type Direction string

const (
	up   Direction = "up"
	down Direction = "down"
)

// Section is what lies between two stops: a reach or a lock.
type Section interface {
	title() string
	minutes(boat *Boat, direction Direction) int
}

// Reach is a stretch of water with room for any number of boats.
type Reach struct {
	name   string
	length int
}

func (r *Reach) title() string { return r.name }

func (r *Reach) minutes(boat *Boat, _ Direction) int { return r.length * boat.pace }

// Lock carries boats up and down, one at a time.
type Lock struct {
	name     string
	duration map[Direction]int
}

func (l *Lock) title() string { return l.name }

func (l *Lock) minutes(_ *Boat, direction Direction) int { return l.duration[direction] }

// Boat is a boat as the scenario describes it.
type Boat struct {
	name    string
	start   string
	goal    string
	departs int
	pace    int
}

// Step is one section on a boat's way.
type Step struct {
	section   Section
	direction Direction
	stop      string // at its far end; empty if another section lies there
}

// Scenario is all that a file describes. Boats are in the order of their lines.
type Scenario struct {
	canal Canal
	boats []*Boat
}
