package main

// moveClock finishes the firings that end on the way.
func (s *Studio) moveClock(minutes int) {
	s.now += minutes
	for _, firing := range s.firings.all {
		if firing.State == "firing" && firing.Ends <= s.now {
			s.finish(firing)
		}
	}
}
