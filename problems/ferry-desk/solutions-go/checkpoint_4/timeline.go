package main

// moveClock lets everything that falls due happen at its own minute.
func (s *Store) moveClock(minute int) {
	for {
		booking, due := s.nextDue()
		if booking == nil || due > minute {
			break
		}
		s.setClock(due)
		s.endWaitingOrHold(*booking)
	}
	s.setClock(minute)
}

func (s *Store) setClock(minute int) { s.put(Entry{Clock: &minute}) }

// nextDue is the booking to which something happens first, and when.
func (s *Store) nextDue() (next *Booking, minute int) {
	for _, id := range s.bookingIDs {
		booking := s.bookings[id]
		due := booking.HeldUntil
		if booking.State == "waiting" {
			due = s.sailings[booking.Sailing].Departs
		}
		if due > 0 && (next == nil || due < minute) {
			next, minute = &booking, due
		}
	}
	return next, minute
}

func (s *Store) endWaitingOrHold(booking Booking) {
	if booking.State == "waiting" {
		missed := booking.moved("missed")
		s.put(Entry{Booking: &missed, What: "booking-missed"})
		return
	}
	lapsed := booking.moved("lapsed")
	lapsed.LapsedAt = s.clock
	s.put(Entry{Booking: &lapsed, What: "booking-lapsed"})
	s.serve(s.sailings[booking.Sailing])
}
