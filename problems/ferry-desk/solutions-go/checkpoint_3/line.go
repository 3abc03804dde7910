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

func (l *Line) version(id string) int { return l.versions[id] }

// changesAfter gives the changes that follow one, at most so many.
func (l *Line) changesAfter(after, limit int) []Change {
	changes := []Change{}
	for at := after; at < len(l.changes) && at < after+limit; at++ {
		changes = append(changes, l.changes[at])
	}
	return changes
}

func (l *Line) addSailing(sailing Sailing) (SailingView, error) {
	if _, ok := l.sailings[sailing.ID]; ok {
		return SailingView{}, conflict("sailing-exists")
	}
	if sailing.Departs <= l.clock {
		return SailingView{}, conflict("in-the-past")
	}
	l.put(Entry{Sailing: &sailing, What: "sailing-added"})
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
	free := l.free(sailing, "")
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

func (l *Line) refuseStale(id string, version int) error {
	if version != 0 && version != l.versions[id] {
		return stale(l.versions[id])
	}
	return nil
}

func (l *Line) amendSailing(call Call) (SailingView, error) {
	sailing, err := l.findSailing(call.id)
	if err != nil {
		return SailingView{}, err
	}
	if err := l.refuseStale(sailing.ID, call.version); err != nil {
		return SailingView{}, err
	}
	if l.clock >= sailing.Departs {
		return SailingView{}, conflict("departed")
	}
	amended := sailing.amended(call.fields)
	if amended.Departs <= l.clock {
		return SailingView{}, conflict("in-the-past")
	}
	if taken := l.taken(sailing, ""); !taken.fits(amended.Room) {
		return SailingView{}, conflict("taken", "taken_persons", taken.Persons, "taken_metres", taken.Metres)
	}
	if amended != sailing {
		l.put(Entry{Sailing: &amended, What: "sailing-changed"})
		l.shortenHolds(amended)
		l.serve(amended)
	}
	return l.viewSailing(amended), nil
}

func (s Sailing) amended(fields Fields) Sailing {
	s.Departs = fields.numberOr("departs", s.Departs)
	s.Persons = fields.numberOr("persons", s.Persons)
	s.Metres = fields.numberOr("metres", s.Metres)
	s.PersonFare = fields.numberOr("person_fare", s.PersonFare)
	s.MetreFare = fields.numberOr("metre_fare", s.MetreFare)
	return s
}

func (l *Line) shortenHolds(sailing Sailing) {
	for _, booking := range l.bookingsOn(sailing.ID) {
		if booking.State != "held" || booking.HeldUntil <= sailing.Departs {
			continue
		}
		shortened := booking
		shortened.HeldUntil = sailing.Departs
		l.put(Entry{Booking: &shortened, What: "booking-changed"})
	}
}
