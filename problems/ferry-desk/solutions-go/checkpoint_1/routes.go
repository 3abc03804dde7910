package main

import "net/http"

var (
	minute = number(0, 10000000)
	fare   = number(0, 100000)
	state  = oneOf("booked", "cancelled")
)

var clockFields = []Field{{name: "now", check: minute}}

var sailingFields = []Field{
	{name: "id", check: isCode},
	{name: "from", check: isText},
	{name: "to", check: otherThan("from", isText)},
	{name: "departs", check: minute},
	{name: "persons", check: number(1, 5000)},
	{name: "metres", check: number(0, 5000)},
	{name: "person_fare", check: fare},
	{name: "metre_fare", check: fare},
}

var bookingFields = []Field{
	{name: "sailing", check: isCode},
	{name: "name", check: isText},
	{name: "persons", check: number(1, 500)},
	{name: "metres", check: number(0, 100), optional: true},
}

func clockRoutes() []Route {
	return []Route{
		{method: "GET", pattern: "/clock", handle: getClock},
		{method: "PUT", pattern: "/clock", handle: putClock, fields: clockFields},
	}
}

func sailingRoutes() []Route {
	return []Route{
		{method: "GET", pattern: "/sailings", handle: getSailings,
			parameters: map[string]Check{"from": isText, "to": isText}},
		{method: "POST", pattern: "/sailings", handle: postSailing, fields: sailingFields},
		{method: "GET", pattern: "/sailings/ID", handle: getSailing},
		{method: "GET", pattern: "/sailings/ID/bookings", handle: getBookingsOf,
			parameters: map[string]Check{"state": state}},
	}
}

func bookingRoutes() []Route {
	return []Route{
		{method: "POST", pattern: "/bookings", handle: postBooking, fields: bookingFields},
		{method: "GET", pattern: "/bookings/ID", handle: getBooking},
		{method: "POST", pattern: "/bookings/ID/cancel", handle: cancelBooking},
	}
}

func allRoutes() []Route {
	routes := append(clockRoutes(), sailingRoutes()...)
	return append(routes, bookingRoutes()...)
}

func ok(body any) (Reply, error) { return jsonReply(http.StatusOK, body, nil) }

func created(path, id string, thing any) (Reply, error) {
	return jsonReply(http.StatusCreated, thing, map[string]string{"Location": path + "/" + id})
}

func getClock(line *Line, _ Call) (Reply, error) { return ok(map[string]int{"now": line.clock}) }

func putClock(line *Line, call Call) (Reply, error) {
	if err := line.setClock(call.fields.number("now")); err != nil {
		return Reply{}, err
	}
	return getClock(line, call)
}

func getSailings(line *Line, call Call) (Reply, error) {
	views := line.viewSailings(call.parameters.text("from"), call.parameters.text("to"))
	return ok(map[string]any{"sailings": views})
}

func postSailing(line *Line, call Call) (Reply, error) {
	fields := call.fields
	sailing, err := line.addSailing(Sailing{
		ID:         fields.text("id"),
		From:       fields.text("from"),
		To:         fields.text("to"),
		Departs:    fields.number("departs"),
		Room:       Room{fields.number("persons"), fields.number("metres")},
		PersonFare: fields.number("person_fare"),
		MetreFare:  fields.number("metre_fare"),
	})
	if err != nil {
		return Reply{}, err
	}
	return created("/sailings", sailing.ID, sailing)
}

func getSailing(line *Line, call Call) (Reply, error) {
	sailing, err := line.sailing(call.id)
	if err != nil {
		return Reply{}, err
	}
	return ok(sailing)
}

func getBookingsOf(line *Line, call Call) (Reply, error) {
	bookings, err := line.bookingsOf(call.id, call.parameters.text("state"))
	if err != nil {
		return Reply{}, err
	}
	return ok(map[string]any{"bookings": bookings})
}

func postBooking(line *Line, call Call) (Reply, error) {
	booking, err := line.book(call.fields)
	if err != nil {
		return Reply{}, err
	}
	return created("/bookings", booking.ID, booking)
}

func getBooking(line *Line, call Call) (Reply, error) {
	booking, err := line.booking(call.id)
	if err != nil {
		return Reply{}, err
	}
	return ok(booking)
}

func cancelBooking(line *Line, call Call) (Reply, error) {
	booking, err := line.cancel(call.id)
	if err != nil {
		return Reply{}, err
	}
	return ok(booking)
}
