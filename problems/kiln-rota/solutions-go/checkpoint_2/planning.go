package main

import "sort"

// planOf gives the firings that take the kiln's time, the earliest first.
func (s *Studio) planOf(kiln *Kiln) []*Firing {
	plan := []*Firing{}
	for _, firing := range s.firingsOf(kiln) {
		if firing.State == "planned" || firing.State == "firing" {
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
		if firing.Starts < other.Ends && other.Starts < firing.Ends {
			return conflict("kiln-busy", "until", other.Ends)
		}
	}
	return nil
}
