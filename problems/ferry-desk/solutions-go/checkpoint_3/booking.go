package main

import "fmt"

func (l *Line) book(fields Fields) (BookingView, error) {
	sailing, err := l.findSailing(fields.text("sailing"))
	if err != nil {
		return BookingView{}, err
	}
	if l.clock >= sailing.Departs {
		return BookingView{}, conflict("departed")
	}
	booking := l.ordered(sailing, fields)
	free := l.free(sailing, "")
	if booking.fits(free) {
		booking = booking.withPlaces(sailing.Departs, l.clock)
	} else if fields["wait"] != true || !booking.fits(sailing.Room) {
		return BookingView{}, full(free)
	}
	l.put(Entry{Booking: &booking, What: "booking-made"})
	return l.viewBooking(booking), nil
}

// ordered is the booking of an order, which has no places yet.
func (l *Line) ordered(sailing Sailing, fields Fields) Booking {
	room := Room{fields.number("persons"), fields.number("metres")}
	return Booking{
		ID:       fmt.Sprintf("B%d", len(l.bookingIDs)+1),
		Sailing:  sailing.ID,
		Name:     fields.text("name"),
		Room:     room,
		Hold:     fields.number("hold"),
		Price:    sailing.price(room),
		BookedAt: l.clock,
		State:    "waiting",
	}
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
	if booking.State == "waiting" {
		view.Position = l.position(booking.Sailing, booking.ID)
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
	if l.clock >= l.sailings[booking.Sailing].Departs {
		return conflict("departed")
	}
	return nil
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
	l.put(Entry{Booking: &booking, What: "booking-confirmed"})
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
	sailing := l.sailings[booking.Sailing]
	refund := booking.refund(sailing.Departs, l.clock)
	booking = booking.moved("cancelled")
	booking.Refund = &refund
	l.put(Entry{Booking: &booking, What: "booking-cancelled"})
	l.serve(sailing)
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
	sailing := l.sailings[booking.Sailing]
	free := l.free(sailing, booking.ID)
	if !amended.fits(free) && (booking.State != "waiting" || !amended.fits(sailing.Room)) {
		return BookingView{}, full(free)
	}
	if amended.Room != booking.Room {
		amended.Price = sailing.price(amended.Room)
	}
	if amended.Room != booking.Room || amended.Name != booking.Name {
		l.put(Entry{Booking: &amended, What: "booking-changed"})
		l.serve(sailing)
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
