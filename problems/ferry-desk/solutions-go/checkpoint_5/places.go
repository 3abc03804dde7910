package main

// taken is what is taken on a sailing by others than one booking.
func (s *State) taken(sailing Sailing, without string) Room {
	taken := Room{}
	for _, booking := range s.bookingsOn(sailing.ID) {
		if booking.takesPlaces() && booking.ID != without {
			taken = taken.plus(booking.Room)
		}
	}
	return taken
}

func (s *State) free(sailing Sailing, without string) Room {
	return sailing.Room.minus(s.taken(sailing, without))
}

func (s *State) sailingsOf(booking Booking) []Sailing {
	var sailings []Sailing
	for _, leg := range booking.legs() {
		sailings = append(sailings, s.sailings[leg])
	}
	return sailings
}

// departure is the minute in which the first sailing of a booking departs.
func (s *State) departure(booking Booking) int {
	sailings := s.sailingsOf(booking)
	first := sailings[0].Departs
	for _, sailing := range sailings[1:] {
		if sailing.Departs < first {
			first = sailing.Departs
		}
	}
	return first
}

// lacking is the first sailing on which a booking does not fit, or nil.
func (s *State) lacking(booking Booking) *Sailing {
	for _, sailing := range s.sailingsOf(booking) {
		if !booking.fits(s.free(sailing, booking.ID)) {
			return &sailing
		}
	}
	return nil
}

// couldFit tells whether a booking would fit if nobody else had a place.
func (s *State) couldFit(booking Booking) bool {
	for _, sailing := range s.sailingsOf(booking) {
		if !booking.fits(sailing.Room) {
			return false
		}
	}
	return true
}

// serve goes once through all bookings that wait, and promotes what fits.
func (s *Store) serve() {
	for _, id := range s.bookingIDs {
		booking := s.bookings[id]
		if booking.State != "waiting" {
			continue
		}
		departs := s.departure(booking)
		if s.clock >= departs || s.lacking(booking) != nil {
			continue
		}
		promoted := booking.withPlaces(departs, s.clock)
		now := s.clock
		promoted.PromotedAt = &now
		s.put(Entry{Booking: &promoted, What: "booking-promoted"})
	}
}
