package main

import "fmt"

func (l *Line) book(fields Fields) (BookingView, error) {
	booking := l.ordered(fields)
	var sailings []Sailing
	for _, leg := range booking.legs() {
		sailing, err := l.findSailing(leg)
		if err != nil {
			return BookingView{}, err
		}
		sailings = append(sailings, sailing)
	}
	if err := refuseGaps(sailings); err != nil {
		return BookingView{}, err
	}
	if err := l.refuseOutOfService(sailings); err != nil {
		return BookingView{}, err
	}
	booking, err := l.placed(booking.priced(sailings), fields["wait"] == true)
	if err != nil {
		return BookingView{}, err
	}
	l.store.put(Entry{Booking: &booking, What: "booking-made"})
	return l.viewBooking(booking), nil
}

// ordered is the booking of an order, which has neither places nor a price yet.
func (l *Line) ordered(fields Fields) Booking {
	return Booking{
		ID:       fmt.Sprintf("B%d", len(l.bookingIDs)+1),
		Sailing:  fields.text("sailing"),
		Legs:     fields.texts("legs"),
		Name:     fields.text("name"),
		Room:     Room{fields.number("persons"), fields.number("metres")},
		Hold:     fields.number("hold"),
		BookedAt: l.clock,
		State:    "waiting",
	}
}

func refuseGaps(sailings []Sailing) error {
	for at := 1; at < len(sailings); at++ {
		before, next := sailings[at-1], sailings[at]
		if before.To != next.From || before.Departs >= next.Departs {
			return conflict("no-connection")
		}
	}
	return nil
}

// placed is the booking with places, or waiting for them if that is allowed.
func (l *Line) placed(booking Booking, mayWait bool) (Booking, error) {
	lacking := l.lacking(booking)
	if lacking == nil {
		return booking.withPlaces(l.departure(booking), l.clock), nil
	}
	if !mayWait || !l.couldFit(booking) {
		return Booking{}, l.full(booking, *lacking)
	}
	return booking, nil
}

func (l *Line) full(booking Booking, lacking Sailing) error {
	free := l.free(lacking, booking.ID)
	if booking.Legs == nil {
		return conflict("full", "free_persons", free.Persons, "free_metres", free.Metres)
	}
	return conflict("full", "free_persons", free.Persons, "free_metres", free.Metres, "sailing", lacking.ID)
}

func (l *Line) findBooking(id string) (Booking, error) {
	booking, ok := l.bookings[id]
	if !ok {
		return Booking{}, notFound("no-such-booking")
	}
	return booking, nil
}

func (l *Line) viewBooking(booking Booking) BookingView {
	view := BookingView{Booking: booking}
	if booking.State != "waiting" {
		return view
	}
	for _, leg := range booking.legs() {
		view.Positions = append(view.Positions, l.position(leg, booking.ID))
	}
	if booking.Legs == nil {
		view.Position, view.Positions = view.Positions[0], nil
	}
	return view
}

// position is the place of a booking in the waiting list of a sailing.
func (l *Line) position(sailing, id string) int {
	position := 1
	for _, booking := range l.bookingsOn(sailing) {
		if booking.ID == id {
			break
		}
		if booking.State == "waiting" {
			position++
		}
	}
	return position
}

func (l *Line) booking(id string) (BookingView, error) {
	booking, err := l.findBooking(id)
	if err != nil {
		return BookingView{}, err
	}
	return l.viewBooking(booking), nil
}

// bookingsOf gives the bookings of a sailing in a state, which is empty for all states.
func (l *Line) bookingsOf(sailing, state string) ([]BookingView, error) {
	if _, err := l.findSailing(sailing); err != nil {
		return nil, err
	}
	views := []BookingView{}
	for _, booking := range l.bookingsOn(sailing) {
		if state == "" || state == booking.State {
			views = append(views, l.viewBooking(booking))
		}
	}
	return views, nil
}

// page gives bookings before a number, the newest first, and the number of the last if more follow.
func (l *Line) page(wanted Selection, before, limit int) (views []BookingView, last int, err error) {
	if wanted.sailing != "" {
		if _, err := l.findSailing(wanted.sailing); err != nil {
			return nil, 0, err
		}
	}
	views = []BookingView{}
	for at := len(l.bookingIDs) - 1; at >= 0; at-- {
		booking := l.bookings[l.bookingIDs[at]]
		if !wanted.includes(booking) || before > 0 && booking.number() >= before {
			continue
		}
		if len(views) == limit {
			return views, views[limit-1].number(), nil
		}
		views = append(views, l.viewBooking(booking))
	}
	return views, 0, nil
}

// present is a booking, if it has the version that a request is meant for.
func (l *Line) present(id string, version int) (Booking, error) {
	booking, err := l.findBooking(id)
	if err != nil {
		return Booking{}, err
	}
	return booking, l.refuseStale(id, version)
}

// refuseClosed refuses to change a booking that is over, or whose departure is.
func (l *Line) refuseClosed(booking Booking) error {
	if !booking.isOpen() {
		return conflict("not-open")
	}
	return l.refuseOutOfService(l.sailingsOf(booking))
}

func (l *Line) confirm(id string, version int) (BookingView, error) {
	booking, err := l.present(id, version)
	if err != nil {
		return BookingView{}, err
	}
	if booking.State != "held" {
		return BookingView{}, conflict("not-held")
	}
	booking = booking.moved("booked")
	l.store.put(Entry{Booking: &booking, What: "booking-confirmed"})
	return l.viewBooking(booking), nil
}

func (l *Line) cancel(id string, version int) (BookingView, error) {
	booking, err := l.present(id, version)
	if err != nil {
		return BookingView{}, err
	}
	if booking.State == "cancelled" {
		return BookingView{}, conflict("already-cancelled")
	}
	if err := l.refuseClosed(booking); err != nil {
		return BookingView{}, err
	}
	refund := booking.refund(l.departure(booking), l.clock)
	booking = booking.moved("cancelled")
	booking.Refund = &refund
	l.store.put(Entry{Booking: &booking, What: "booking-cancelled"})
	l.store.serve()
	return l.viewBooking(booking), nil
}

func (l *Line) amendBooking(call Call) (BookingView, error) {
	booking, err := l.present(call.id, call.version)
	if err != nil {
		return BookingView{}, err
	}
	if err := l.refuseClosed(booking); err != nil {
		return BookingView{}, err
	}
	amended := booking.amended(call.fields)
	lacking := l.lacking(amended)
	if lacking != nil && (booking.State != "waiting" || !l.couldFit(amended)) {
		return BookingView{}, l.full(amended, *lacking)
	}
	if amended.Room != booking.Room {
		amended = amended.priced(l.sailingsOf(amended))
	}
	if amended.Room != booking.Room || amended.Name != booking.Name {
		l.store.put(Entry{Booking: &amended, What: "booking-changed"})
		l.store.serve()
	}
	return l.booking(booking.ID)
}

func (b Booking) amended(fields Fields) Booking {
	if fields.has("name") {
		b.Name = fields.text("name")
	}
	b.Persons = fields.numberOr("persons", b.Persons)
	b.Metres = fields.numberOr("metres", b.Metres)
	return b
}
