package main

// taken is what is taken on a sailing.
// taken is what is taken on a sailing by others than one booking.
func (s *Store) taken(sailing Sailing, without string) Room {
	taken := Room{}
	for _, booking := range s.bookingsOn(sailing.ID) {
		if booking.takesPlaces() && booking.ID != without {
			taken = taken.plus(booking.Room)
		}
	}
	return taken
}

func (s *Store) free(sailing Sailing, without string) Room {
	return sailing.Room.minus(s.taken(sailing, without))
}

// serve goes once through the waiting list of a sailing, and promotes what fits.
func (s *Store) serve(sailing Sailing) {
	if s.clock >= sailing.Departs {
		return
	}
	for _, booking := range s.bookingsOn(sailing.ID) {
		if booking.State != "waiting" || !booking.fits(s.free(sailing, "")) {
			continue
		}
		promoted := booking.withPlaces(sailing.Departs, s.clock)
		now := s.clock
		promoted.PromotedAt = &now
		s.put(Entry{Booking: &promoted, What: "booking-promoted"})
	}
}
