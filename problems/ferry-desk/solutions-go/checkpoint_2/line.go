package main

import "sort"

// Line is the ferry line with its rules.
type Line struct{ *Store }

func (l *Line) setClock(minute int) error {
	if minute < l.clock {
		return conflict("clock-backwards")
	}
	l.moveClock(minute)
	return nil
}

func (l *Line) addSailing(sailing Sailing) (SailingView, error) {
	if _, ok := l.sailings[sailing.ID]; ok {
		return SailingView{}, conflict("sailing-exists")
	}
	if sailing.Departs <= l.clock {
		return SailingView{}, conflict("in-the-past")
	}
	l.put(Entry{Sailing: &sailing})
	return l.viewSailing(sailing), nil
}

func (l *Line) findSailing(id string) (Sailing, error) {
	sailing, ok := l.sailings[id]
	if !ok {
		return Sailing{}, notFound("no-such-sailing")
	}
	return sailing, nil
}

func (l *Line) viewSailing(sailing Sailing) SailingView {
	free := l.free(sailing)
	return SailingView{sailing, free.Persons, free.Metres}
}

func (l *Line) sailing(id string) (SailingView, error) {
	sailing, err := l.findSailing(id)
	if err != nil {
		return SailingView{}, err
	}
	return l.viewSailing(sailing), nil
}

// orderedSailings gives the sailings by departure.
func (l *Line) orderedSailings() []Sailing {
	var sailings []Sailing
	for _, sailing := range l.sailings {
		sailings = append(sailings, sailing)
	}
	sort.Slice(sailings, func(i, j int) bool {
		if sailings[i].Departs != sailings[j].Departs {
			return sailings[i].Departs < sailings[j].Departs
		}
		return sailings[i].ID < sailings[j].ID
	})
	return sailings
}

// viewSailings gives the sailings from and to ports, which are empty for all ports.
func (l *Line) viewSailings(from, to string) []SailingView {
	views := []SailingView{}
	for _, sailing := range l.orderedSailings() {
		if (from == "" || from == sailing.From) && (to == "" || to == sailing.To) {
			views = append(views, l.viewSailing(sailing))
		}
	}
	return views
}
