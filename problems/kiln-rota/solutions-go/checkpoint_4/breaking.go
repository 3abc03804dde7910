package main

func (s *Studio) breakKiln(kiln *Kiln) error {
	if kiln.broken {
		return conflict("kiln-broken")
	}
	kiln.broken = true
	s.note("kiln-broken", kiln.ID)
	if firing := s.hotFiring(kiln); firing != nil {
		s.openAtOnce(firing)
	}
	for _, firing := range s.planOf(kiln) {
		if !s.move(firing) {
			firing.State = "stranded"
			s.note("firing-stranded", firing.ID)
		}
	}
	return nil
}

func (s *Studio) openAtOnce(firing *Firing) {
	if firing.State == "firing" {
		firing.State, firing.Ends = "failed", s.now
	}
	if firing.Opens != nil {
		now := s.now
		firing.Opens = &now
	}
	s.open(firing)
}

func (s *Studio) repairKiln(kiln *Kiln) error {
	if !kiln.broken {
		return conflict("not-broken")
	}
	kiln.broken = false
	s.note("kiln-repaired", kiln.ID)
	s.moveStranded()
	return nil
}

// moveStranded is for the moment at which there is one kiln more.
func (s *Studio) moveStranded() {
	stranded := s.firings.where(func(firing *Firing) bool { return firing.State == "stranded" })
	var moved []*Firing
	for _, firing := range stranded {
		if s.move(firing) {
			moved = append(moved, firing)
		}
	}
	for _, firing := range moved {
		if firing.Starts == s.now {
			s.start(firing)
		}
	}
}
