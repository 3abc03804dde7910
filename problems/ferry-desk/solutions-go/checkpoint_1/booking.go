package main

import "fmt"

func (l *Line) book(fields Fields) (Booking, error) {
	sailing, err := l.findSailing(fields.text("sailing"))
	if err != nil {
		return Booking{}, err
	}
	if l.clock >= sailing.Departs {
		return Booking{}, conflict("departed")
	}
	room := Room{fields.number("persons"), fields.number("metres")}
	if free := l.free(sailing); !room.fits(free) {
		return Booking{}, full(free)
	}
	booking := Booking{
		ID:       l.nextBookingID(),
		Sailing:  sailing.ID,
		Name:     fields.text("name"),
		Room:     room,
		Price:    sailing.price(room),
		BookedAt: l.clock,
		State:    "booked",
	}
	l.put(Entry{Booking: &booking})
	return booking, nil
}

func (l *Line) nextBookingID() string { return fmt.Sprintf("B%d", len(l.bookingIDs)+1) }

func (l *Line) booking(id string) (Booking, error) {
	booking, ok := l.bookings[id]
	if !ok {
		return Booking{}, notFound("no-such-booking")
	}
	return booking, nil
}

// bookingsOf gives the bookings of a sailing in a state, which is empty for all states.
func (l *Line) bookingsOf(sailing, state string) ([]Booking, error) {
	if _, err := l.findSailing(sailing); err != nil {
		return nil, err
	}
	bookings := []Booking{}
	for _, booking := range l.bookingsOn(sailing) {
		if state == "" || state == booking.State {
			bookings = append(bookings, booking)
		}
	}
	return bookings, nil
}

func (l *Line) cancel(id string) (Booking, error) {
	booking, err := l.booking(id)
	if err != nil {
		return Booking{}, err
	}
	if booking.State == "cancelled" {
		return Booking{}, conflict("already-cancelled")
	}
	sailing := l.sailings[booking.Sailing]
	if l.clock >= sailing.Departs {
		return Booking{}, conflict("departed")
	}
	refund := booking.refund(sailing.Departs, l.clock)
	booking.State, booking.Refund = "cancelled", &refund
	l.put(Entry{Booking: &booking})
	return booking, nil
}
