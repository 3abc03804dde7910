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
		minutes = append(minutes, s.firingMinutes(firing)...)
	}
	for _, piece := range s.pieces.all {
		minutes = append(minutes, piece.dueMinutes()...)
	}
	return minutes
}

func (s *Studio) firingMinutes(firing *Firing) []int {
	switch {
	case firing.State == "planned":
		return []int{firing.Starts}
	case firing.State == "firing":
		return []int{firing.Ends}
	case s.isHot(firing):
		return []int{firing.opening()}
	}
	return nil
}

func (p *Piece) dueMinutes() []int {
	var minutes []int
	if p.State == "drying" {
		minutes = append(minutes, p.ReadyAt)
	}
	if p.isOpen() && p.Due != 0 {
		minutes = append(minutes, p.Due)
	}
	return minutes
}

func (s *Studio) playMinute() {
	s.endHeats()
	s.openKilns()
	s.dryPieces()
	s.missPieces()
	s.startFirings()
}

func (s *Studio) endHeats() {
	for _, firing := range s.firings.all {
		if firing.State == "firing" && firing.Ends == s.now {
			s.endHeat(firing)
		}
	}
}

func (s *Studio) openKilns() {
	for _, firing := range s.firings.all {
		if (firing.State == "cooling" || firing.State == "stopped") && firing.opening() == s.now {
			s.open(firing)
		}
	}
}

func (s *Studio) dryPieces() {
	for _, piece := range s.pieces.all {
		if piece.State == "drying" && piece.ReadyAt == s.now {
			s.endDrying(piece)
		}
	}
}

func (s *Studio) missPieces() {
	for _, piece := range s.pieces.all {
		if piece.isOpen() && piece.Due == s.now {
			s.closePiece(piece, "missed")
		}
	}
}

func (s *Studio) startFirings() {
	for _, firing := range s.firings.all {
		if firing.State == "planned" && firing.Starts == s.now {
			s.start(firing)
		}
	}
}
