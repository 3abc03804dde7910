package main

import "sort"

// event is something that falls due.
type event struct {
	minute int
	happen func()
}

// moveClock lets everything that falls due happen at its own minute.
func (s *Store) moveClock(minute int) {
	for {
		next := s.nextEvent()
		if next == nil || next.minute > minute {
			break
		}
		s.setClock(next.minute)
		next.happen()
	}
	s.setClock(minute)
}

func (s *Store) setClock(minute int) { s.put(Entry{Clock: &minute}) }

// nextEvent is the first event that is due. In the same minute, fares come before bookings.
func (s *Store) nextEvent() *event {
	var next *event
	for _, candidate := range append(s.fareEvents(), s.bookingEvents()...) {
		if next == nil || candidate.minute < next.minute {
			found := candidate
			next = &found
		}
	}
	return next
}

func (s *Store) fareEvents() []event {
	var ids []string
	for id, plan := range s.plans {
		if len(plan) > 0 {
			ids = append(ids, id)
		}
	}
	sort.Strings(ids)
	var events []event
	for _, each := range ids {
		id := each
		events = append(events, event{s.plans[id][0].From, func() { s.setFares(id) }})
	}
	return events
}

func (s *Store) bookingEvents() []event {
	var events []event
	for _, id := range s.bookingIDs {
		booking := s.bookings[id]
		switch booking.State {
		case "held":
			events = append(events, event{booking.HeldUntil, func() { s.endHold(booking) }})
		case "waiting":
			events = append(events, event{s.departure(booking), func() { s.endWaiting(booking) }})
		}
	}
	return events
}

func (s *Store) setFares(id string) {
	fares := s.plans[id][0]
	s.put(Entry{Plan: &Plan{id, s.plans[id][1:]}})
	sailing := s.sailings[id]
	isVoid := sailing.WithdrawnAt != nil || sailing.Departs <= fares.From
	if isVoid || sailing.PersonFare == fares.PersonFare && sailing.MetreFare == fares.MetreFare {
		return
	}
	sailing.PersonFare, sailing.MetreFare = fares.PersonFare, fares.MetreFare
	s.put(Entry{Sailing: &sailing, What: "sailing-changed"})
}

func (s *Store) endHold(booking Booking) {
	lapsed := booking.moved("lapsed")
	lapsed.LapsedAt = s.clock
	s.put(Entry{Booking: &lapsed, What: "booking-lapsed"})
	s.serve()
}

func (s *Store) endWaiting(booking Booking) {
	missed := booking.moved("missed")
	s.put(Entry{Booking: &missed, What: "booking-missed"})
}
