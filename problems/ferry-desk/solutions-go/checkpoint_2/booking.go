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
	free := l.free(sailing)
	if booking.fits(free) {
		booking = booking.withPlaces(sailing.Departs, l.clock)
	} else if fields["wait"] != true || !booking.fits(sailing.Room) {
		return BookingView{}, full(free)
	}
	l.put(Entry{Booking: &booking})
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

func (l *Line) confirm(id string) (BookingView, error) {
	booking, err := l.findBooking(id)
	if err != nil {
		return BookingView{}, err
	}
	if booking.State != "held" {
		return BookingView{}, conflict("not-held")
	}
	booking = booking.moved("booked")
	l.put(Entry{Booking: &booking})
	return l.viewBooking(booking), nil
}

func (l *Line) cancel(id string) (BookingView, error) {
	booking, err := l.findBooking(id)
	if err != nil {
		return BookingView{}, err
	}
	if booking.State == "cancelled" {
		return BookingView{}, conflict("already-cancelled")
	}
	if !booking.isOpen() {
		return BookingView{}, conflict("not-open")
	}
	sailing := l.sailings[booking.Sailing]
	if l.clock >= sailing.Departs {
		return BookingView{}, conflict("departed")
	}
	refund := booking.refund(sailing.Departs, l.clock)
	booking = booking.moved("cancelled")
	booking.Refund = &refund
	l.put(Entry{Booking: &booking})
	l.serve(sailing)
	return l.viewBooking(booking), nil
}
