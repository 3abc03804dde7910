package main

// taken is what is taken on a sailing.
func (s *Store) taken(sailing Sailing) Room {
	taken := Room{}
	for _, booking := range s.bookingsOn(sailing.ID) {
		if booking.State == "booked" {
			taken = taken.plus(booking.Room)
		}
	}
	return taken
}

func (s *Store) free(sailing Sailing) Room { return sailing.Room.minus(s.taken(sailing)) }
