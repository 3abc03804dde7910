package main

// Entry is the whole new value of one thing. A sailing or booking has what happened to it, too.
type Entry struct {
	Clock   *int        `json:",omitempty"`
	Sailing *Sailing    `json:",omitempty"`
	Booking *Booking    `json:",omitempty"`
	Reply   *FirstReply `json:",omitempty"`
	What    string      `json:",omitempty"`
}

// Change is a change as the feed shows it.
type Change struct {
	Seq     int    `json:"seq"`
	At      int    `json:"at"`
	What    string `json:"what"`
	ID      string `json:"id"`
	Version int    `json:"version"`
}

// State is everything there is, and every change that made it so.
type State struct {
	clock      int
	sailings   map[string]Sailing
	bookings   map[string]Booking
	bookingIDs []string            // in the order of the numbers
	idsOn      map[string][]string // of the bookings of each sailing
	replies    map[string]*FirstReply
	versions   map[string]int
	changes    []Change
	history    []Entry
}

func newState() *State {
	return &State{
		sailings: map[string]Sailing{},
		bookings: map[string]Booking{},
		idsOn:    map[string][]string{},
		replies:  map[string]*FirstReply{},
		versions: map[string]int{},
	}
}

// bookingsOn gives the bookings of a sailing in the order of their numbers.
func (s *State) bookingsOn(sailing string) []Booking {
	var bookings []Booking
	for _, id := range s.idsOn[sailing] {
		bookings = append(bookings, s.bookings[id])
	}
	return bookings
}

// asOf is the state directly after a change of the feed.
func (s *State) asOf(change int) *State {
	state := newState()
	for _, entry := range s.history[:change] {
		state.apply(entry)
	}
	return state
}

// apply takes an entry in, and gives what takes it out again.
func (s *State) apply(entry Entry) (undo func()) {
	switch {
	case entry.Clock != nil:
		before := s.clock
		s.clock = *entry.Clock
		return func() { s.clock = before }
	case entry.Reply != nil:
		return set(s.replies, entry.Reply.Key, entry.Reply)
	case entry.Sailing != nil:
		return s.noted(entry, entry.Sailing.ID, set(s.sailings, entry.Sailing.ID, *entry.Sailing))
	default:
		return s.noted(entry, entry.Booking.ID, s.setBooking(*entry.Booking))
	}
}

// set sets a value of a map, and gives what undoes that.
func set[V any](values map[string]V, key string, value V) (undo func()) {
	before, ok := values[key]
	values[key] = value
	return func() {
		if ok {
			values[key] = before
		} else {
			delete(values, key)
		}
	}
}

func (s *State) setBooking(booking Booking) (undo func()) {
	_, isKnown := s.bookings[booking.ID]
	undoBooking := set(s.bookings, booking.ID, booking)
	if isKnown {
		return undoBooking
	}
	s.bookingIDs = append(s.bookingIDs, booking.ID)
	s.idsOn[booking.Sailing] = append(s.idsOn[booking.Sailing], booking.ID)
	return func() {
		ids := s.idsOn[booking.Sailing]
		s.idsOn[booking.Sailing] = ids[:len(ids)-1]
		s.bookingIDs = s.bookingIDs[:len(s.bookingIDs)-1]
		undoBooking()
	}
}

// noted adds a change to the feed, and gives what takes it back with the value.
func (s *State) noted(entry Entry, id string, undoValue func()) (undo func()) {
	s.versions[id]++
	s.changes = append(s.changes, Change{len(s.changes) + 1, s.clock, entry.What, id, s.versions[id]})
	s.history = append(s.history, entry)
	return func() {
		s.versions[id]--
		s.changes = s.changes[:len(s.changes)-1]
		s.history = s.history[:len(s.history)-1]
		undoValue()
	}
}
