package main

import "sort"

func (s *Studio) stagesOf(firing *Firing) []Stage {
	if firing.Programme != "" {
		return s.programmes.byID[firing.Programme].Stages
	}
	return []Stage{{firing.Heat, s.kilns.byID[firing.Kiln].Rate, *firing.Hold}}
}

// setTimes sets when the firing ends and is opened.
func (s *Studio) setTimes(firing *Firing) {
	kiln := s.kilns.byID[firing.Kiln]
	stages := s.stagesOf(firing)
	firing.Ends = firing.Starts + heatingMinutes(kiln, stages)
	firing.setOpening(kiln, stages[len(stages)-1].Heat)
}

// setOpening sets when a kiln that has a heat at the end can be opened.
func (f *Firing) setOpening(kiln *Kiln, heat int) {
	f.Opens = nil
	if kiln.Cooling != 0 {
		opens := f.Ends + coolingMinutes(kiln, heat)
		f.Opens = &opens
	}
}

// opening is the minute from which the kiln can be used again.
func (f *Firing) opening() int {
	if f.Opens == nil {
		return f.Ends
	}
	return *f.Opens
}

// isHot tells whether the firing has its kiln, and pieces in it, at present.
func (s *Studio) isHot(firing *Firing) bool {
	switch firing.State {
	case "firing", "cooling":
		return true
	case "stopped":
		return firing.opening() > s.now
	}
	return false
}

// hotFiring is the firing that has the kiln at present, or nil.
func (s *Studio) hotFiring(kiln *Kiln) *Firing {
	for _, firing := range s.firingsOf(kiln) {
		if s.isHot(firing) {
			return firing
		}
	}
	return nil
}

// planOf gives the firings that take the kiln's time, the earliest first.
func (s *Studio) planOf(kiln *Kiln) []*Firing {
	plan := []*Firing{}
	for _, firing := range s.firingsOf(kiln) {
		if firing.State == "planned" || s.isHot(firing) {
			plan = append(plan, firing)
		}
	}
	sort.SliceStable(plan, func(i, j int) bool { return plan[i].Starts < plan[j].Starts })
	return plan
}

// busyWith gives the firings that take the kiln between two minutes, the earliest first.
func (s *Studio) busyWith(kiln *Kiln, first, last int) []*Firing {
	var busy []*Firing
	for _, firing := range s.planOf(kiln) {
		if first < firing.opening() && firing.Starts < last {
			busy = append(busy, firing)
		}
	}
	return busy
}

func (s *Studio) refuseImpossible(firing *Firing) error {
	kiln := s.kilns.byID[firing.Kiln]
	if kiln.broken {
		return conflict("kiln-broken")
	}
	if firing.Starts < s.now {
		return conflict("in-the-past")
	}
	if firing.Heat > kiln.MaxHeat {
		return conflict("too-hot", "max_heat", kiln.MaxHeat)
	}
	if leases := s.foreignLeases(firing); len(leases) > 0 {
		return conflict("leased", "lease", leases[0].ID)
	}
	if busy := s.busyWith(kiln, firing.Starts, firing.opening()); len(busy) > 0 {
		return conflict("kiln-busy", "until", busy[0].opening())
	}
	return nil
}

// move moves a firing to where it can start the soonest. It tells whether there is a kiln for it.
func (s *Studio) move(firing *Firing) bool {
	var best *Firing
	for _, kiln := range s.kilns.all {
		if kiln.broken || kiln.MaxHeat < firing.Heat {
			continue
		}
		if draft := s.soonest(firing, kiln); best == nil || draft.isBetter(best) {
			best = draft
		}
	}
	if best == nil {
		return false
	}
	*firing = *best
	firing.State = "planned"
	firing.Moves++
	s.noteEvent(Event{What: "firing-moved", ID: firing.ID, Kiln: firing.Kiln, Starts: &best.Starts})
	return true
}

func (f *Firing) isBetter(other *Firing) bool {
	if f.Starts != other.Starts {
		return f.Starts < other.Starts
	}
	return f.Kiln < other.Kiln
}

// soonest is the firing as it would be in a kiln at the first minute at which it can start there.
func (s *Studio) soonest(firing *Firing, kiln *Kiln) *Firing {
	draft := *firing
	draft.Kiln = kiln.ID
	if draft.Starts < s.now {
		draft.Starts = s.now
	}
	for {
		s.setTimes(&draft)
		next, isTaken := s.firstRelease(&draft, kiln)
		if !isTaken {
			return &draft
		}
		draft.Starts = next
	}
}

// firstRelease is the first minute at which something that is in the firing's way is over.
func (s *Studio) firstRelease(firing *Firing, kiln *Kiln) (minute int, isTaken bool) {
	var ends []int
	for _, lease := range s.foreignLeases(firing) {
		ends = append(ends, lease.To)
	}
	for _, other := range s.busyWith(kiln, firing.Starts, firing.opening()) {
		ends = append(ends, other.opening())
	}
	if len(ends) == 0 {
		return 0, false
	}
	sort.Ints(ends)
	return ends[0], true
}
