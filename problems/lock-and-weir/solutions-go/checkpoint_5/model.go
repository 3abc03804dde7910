package main

// Direction is where a boat goes: upwards or downwards.
type Direction string

const (
	up   Direction = "up"
	down Direction = "down"
)

// Level is how the water stands in a lock's chamber.
type Level string

const (
	low  Level = "low"
	high Level = "high"
)

var (
	levelBefore = map[Direction]Level{up: low, down: high}
	levelAfter  = map[Direction]Level{up: high, down: low}
)

// Section is what lies between two stops: a reach or a lock.
type Section interface {
	title() string
	admits(boat *Boat) bool
	minutes(boat *Boat, direction Direction) int
}

// Reach is a stretch of water with room for any number of boats.
type Reach struct {
	name   string
	length int
}

func (r *Reach) title() string { return r.name }

func (r *Reach) admits(*Boat) bool { return true }

func (r *Reach) minutes(boat *Boat, _ Direction) int { return r.length * boat.pace }

// unlimited is the room of a lock that takes one boat at a time, of any size.
const unlimited = 0

// Lock carries boats up and down, as many at a time as there is room for.
type Lock struct {
	name     string
	duration map[Direction]int
	room     int
	turn     int // minutes that it takes to change the level
	start    Level

	water        int        // that it draws for one filling; 0 without a reservoir
	reservoir    *Reservoir // nil if it needs none
	reservations []Reservation
}

func (l *Lock) title() string { return l.name }

func (l *Lock) admits(boat *Boat) bool { return l.room == unlimited || boat.size <= l.room }

func (l *Lock) minutes(_ *Boat, direction Direction) int { return l.duration[direction] }

func (l *Lock) dropReservations(boat *Boat) {
	var rest []Reservation
	for _, reservation := range l.reservations {
		if reservation.boat != boat {
			rest = append(rest, reservation)
		}
	}
	l.reservations = rest
}

// Boat is a boat as the scenario describes it.
type Boat struct {
	name    string
	start   string
	goal    string
	departs int
	pace    int
	size    int
	rank    int
	line    int // of the file, for what is found wrong later
}

// Step is one section on a boat's way.
type Step struct {
	section   Section
	direction Direction
	stop      string // at its far end; empty if another section lies there
}

// Scenario is all that a file describes. Canals, boats and reservoirs are in the order of their
// lines.
type Scenario struct {
	text       string
	names      map[string]bool // all that are taken
	canals     []*Canal
	boats      []*Boat
	reservoirs []*Reservoir
	closures   Closures
}

func (s *Scenario) sections() []Section {
	var found []Section
	for _, canal := range s.canals {
		for _, sections := range canal.sections {
			found = append(found, sections...)
		}
	}
	return found
}

func (s *Scenario) section(name string) Section {
	for _, section := range s.sections() {
		if section.title() == name {
			return section
		}
	}
	return nil
}

func (s *Scenario) locks() []*Lock {
	var locks []*Lock
	for _, section := range s.sections() {
		if lock, ok := section.(*Lock); ok {
			locks = append(locks, lock)
		}
	}
	return locks
}

func (s *Scenario) lock(name string) *Lock {
	lock, _ := s.section(name).(*Lock)
	return lock
}

func (s *Scenario) hasStop(name string) bool {
	for _, canal := range s.canals {
		if canal.place(name) >= 0 {
			return true
		}
	}
	return false
}

func (s *Scenario) boat(name string) *Boat {
	for _, boat := range s.boats {
		if boat.name == name {
			return boat
		}
	}
	return nil
}

// cancel drops a boat and its reservations. Its name stays taken.
func (s *Scenario) cancel(boat *Boat) {
	var boats []*Boat
	for _, other := range s.boats {
		if other != boat {
			boats = append(boats, other)
		}
	}
	s.boats = boats
	for _, lock := range s.locks() {
		lock.dropReservations(boat)
	}
}

func (s *Scenario) reservoir(name string) *Reservoir {
	for _, reservoir := range s.reservoirs {
		if reservoir.name == name {
			return reservoir
		}
	}
	return nil
}
