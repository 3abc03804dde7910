package main

import "sort"

// Kiln is a kiln of the studio.
type Kiln struct {
	ID      string `json:"id"`
	Room    int    `json:"room"`
	MaxHeat int    `json:"max_heat"`
	Rate    int    `json:"rate"`
	Cooling int    `json:"cooling,omitempty"` // 0 if it need not cool down
	broken  bool
}

// KilnView is a kiln as it is shown.
type KilnView struct {
	*Kiln
	State  string `json:"state"`
	Firing string `json:"firing,omitempty"`
}

func (s *Studio) addKiln(kiln *Kiln) error {
	if s.kilns.has(kiln.ID) {
		return conflict("kiln-exists")
	}
	s.kilns.add(kiln.ID, kiln)
	s.note("kiln-added", kiln.ID)
	s.moveStranded()
	return nil
}

func (s *Studio) viewKiln(kiln *Kiln) KilnView {
	if kiln.broken {
		return KilnView{kiln, "broken", ""}
	}
	firing := s.hotFiring(kiln)
	if firing == nil {
		return KilnView{kiln, "idle", ""}
	}
	if firing.State == "firing" {
		return KilnView{kiln, "firing", firing.ID}
	}
	return KilnView{kiln, "cooling", firing.ID}
}

// viewKilns shows all kilns in the order of their ids.
func (s *Studio) viewKilns() []KilnView {
	views := []KilnView{}
	for _, kiln := range s.kilns.all {
		views = append(views, s.viewKiln(kiln))
	}
	sort.Slice(views, func(i, j int) bool { return views[i].ID < views[j].ID })
	return views
}
