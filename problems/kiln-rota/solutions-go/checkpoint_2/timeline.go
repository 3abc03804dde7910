package main

// moveClock lets everything on the way happen at its own minute.
func (s *Studio) moveClock(minutes int) {
	target := s.now + minutes
	for {
		next := target + 1
		for _, minute := range s.dueMinutes() {
			if minute < next {
				next = minute
			}
		}
		if next > target {
			break
		}
		s.now = next
		s.playMinute()
	}
	s.now = target
}

// dueMinutes are the minutes at which something that is known now will happen.
func (s *Studio) dueMinutes() []int {
	var minutes []int
	for _, firing := range s.firings.all {
		switch firing.State {
		case "planned":
			minutes = append(minutes, firing.Starts)
		case "firing":
			minutes = append(minutes, firing.Ends)
		}
	}
	for _, piece := range s.pieces.all {
		if piece.State == "waiting" && piece.Due != 0 {
			minutes = append(minutes, piece.Due)
		}
	}
	return minutes
}

func (s *Studio) playMinute() {
	for _, firing := range s.firings.all {
		if firing.State == "firing" && firing.Ends == s.now {
			s.finish(firing)
		}
	}
	for _, piece := range s.pieces.all {
		if piece.State == "waiting" && piece.Due == s.now {
			piece.State = "missed"
		}
	}
	for _, firing := range s.firings.all {
		if firing.State == "planned" && firing.Starts == s.now {
			s.start(firing)
		}
	}
}
