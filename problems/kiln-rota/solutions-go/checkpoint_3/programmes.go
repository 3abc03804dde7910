package main

import "sort"

// Stage is a part of a programme: the kiln gets to a heat, and keeps it.
type Stage struct {
	Heat int `json:"heat"`
	Rate int `json:"rate"`
	Hold int `json:"hold"`
}

// Programme is a list of stages.
type Programme struct {
	ID     string  `json:"id"`
	Stages []Stage `json:"stages"`
	Top    int     `json:"top"`
}

func programmeOf(fields Fields) *Programme {
	programme := &Programme{ID: fields.text("id")}
	for _, stage := range fields.objects("stages") {
		heat := stage.number("heat")
		programme.Stages = append(programme.Stages, Stage{heat, stage.number("rate"), stage.number("hold")})
		if heat > programme.Top {
			programme.Top = heat
		}
	}
	return programme
}

func (s *Studio) addProgramme(programme *Programme) error {
	if s.programmes.has(programme.ID) {
		return conflict("programme-exists")
	}
	s.programmes.add(programme.ID, programme)
	return nil
}

// programmesByID gives all programmes in the order of their ids.
func (s *Studio) programmesByID() []*Programme {
	programmes := append([]*Programme{}, s.programmes.all...)
	sort.Slice(programmes, func(i, j int) bool { return programmes[i].ID < programmes[j].ID })
	return programmes
}
