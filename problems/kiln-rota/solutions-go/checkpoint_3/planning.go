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

func (s *Studio) refuseImpossible(firing *Firing) error {
	kiln := s.kilns.byID[firing.Kiln]
	if firing.Starts < s.now {
		return conflict("in-the-past")
	}
	if firing.Heat > kiln.MaxHeat {
		return conflict("too-hot", "max_heat", kiln.MaxHeat)
	}
	for _, other := range s.planOf(kiln) {
		if firing.Starts < other.opening() && other.Starts < firing.opening() {
			return conflict("kiln-busy", "until", other.opening())
		}
	}
	return nil
}
