package main

import (
	"net/http"
	"strings"
)

var (
	minute       = number(0, 10000000)
	fare         = number(0, 100000)
	state        = oneOf(states...)
	changeNumber = digits(0, 999999999)
	limit        = digits(1, 100)
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
	{name: "hold", check: number(1, 10080), optional: true},
	{name: "wait", check: isFlag, optional: true},
}

var sailingAmendment = []Field{
	{name: "departs", check: minute, optional: true},
	{name: "persons", check: number(1, 5000), optional: true},
	{name: "metres", check: number(0, 5000), optional: true},
	{name: "person_fare", check: fare, optional: true},
	{name: "metre_fare", check: fare, optional: true},
}

var bookingAmendment = []Field{
	{name: "name", check: isText, optional: true},
	{name: "persons", check: number(1, 500), optional: true},
	{name: "metres", check: number(0, 100), optional: true},
}

var pageParameters = map[string]Check{
	"sailing": isCode, "state": state, "limit": limit, "cursor": isCursor,
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
			parameters: map[string]Check{"at": changeNumber, "from": isText, "to": isText}},
		{method: "POST", pattern: "/sailings", handle: postSailing, fields: sailingFields},
		{method: "GET", pattern: "/sailings/ID", handle: getSailing,
			parameters: map[string]Check{"at": changeNumber}},
		{method: "GET", pattern: "/sailings/ID/bookings", handle: getBookingsOf,
			parameters: map[string]Check{"at": changeNumber, "state": state}},
		{method: "GET", pattern: "/sailings/ID/waiting", handle: getWaiting,
			parameters: map[string]Check{"at": changeNumber}},
		{method: "PATCH", pattern: "/sailings/ID", handle: patchSailing, fields: sailingAmendment,
			versioned: versionNeeded},
	}
}

func bookingRoutes() []Route {
	return []Route{
		{method: "POST", pattern: "/bookings", handle: postBooking, fields: bookingFields},
		{method: "GET", pattern: "/bookings/ID", handle: getBooking,
			parameters: map[string]Check{"at": changeNumber}},
		{method: "GET", pattern: "/bookings", handle: getBookings, parameters: pageParameters},
		{method: "PATCH", pattern: "/bookings/ID", handle: patchBooking, fields: bookingAmendment,
			versioned: versionNeeded},
		{method: "POST", pattern: "/bookings/ID/confirm", handle: confirmBooking, versioned: versionAllowed},
		{method: "POST", pattern: "/bookings/ID/cancel", handle: cancelBooking, versioned: versionAllowed},
	}
}

func changeRoutes() []Route {
	return []Route{
		{method: "GET", pattern: "/changes", handle: getChanges,
			parameters: map[string]Check{"after": changeNumber, "limit": limit}},
		{method: "GET", pattern: "/report", handle: getReport,
			parameters: map[string]Check{"at": changeNumber, "minute": digits(0, 10000000)}},
	}
}

func allRoutes() []Route {
	routes := append(clockRoutes(), sailingRoutes()...)
	routes = append(routes, bookingRoutes()...)
	return append(routes, changeRoutes()...)
}

// stepRoutes are the requests that can be steps of a batch.
func stepRoutes() []Route {
	var routes []Route
	for _, route := range append(sailingRoutes(), bookingRoutes()...) {
		if strings.HasPrefix(route.method, "P") {
			routes = append(routes, route)
		}
	}
	return routes
}

func ok(body any) (Reply, error) { return jsonReply(http.StatusOK, body, nil) }

// one is a reply with one sailing or booking, and its version.
func one(line *Line, id string, thing any) (Reply, error) {
	return jsonReply(http.StatusOK, thing, map[string]string{"ETag": tag(line.version(id))})
}

func created(line *Line, path, id string, thing any) (Reply, error) {
	headers := map[string]string{"ETag": tag(line.version(id)), "Location": path + "/" + id}
	return jsonReply(http.StatusCreated, thing, headers)
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
	return created(line, "/sailings", sailing.ID, sailing)
}

// sailingReply is a reply with a sailing, unless there is an error.
func sailingReply(line *Line, sailing SailingView, err error) (Reply, error) {
	if err != nil {
		return Reply{}, err
	}
	return one(line, sailing.ID, sailing)
}

func getSailing(line *Line, call Call) (Reply, error) {
	sailing, err := line.sailing(call.id)
	return sailingReply(line, sailing, err)
}

func patchSailing(line *Line, call Call) (Reply, error) {
	sailing, err := line.amendSailing(call)
	return sailingReply(line, sailing, err)
}

func getBookingsOf(line *Line, call Call) (Reply, error) {
	bookings, err := line.bookingsOf(call.id, call.parameters.text("state"))
	if err != nil {
		return Reply{}, err
	}
	return ok(map[string]any{"bookings": bookings})
}

func getWaiting(line *Line, call Call) (Reply, error) {
	bookings, err := line.bookingsOf(call.id, "waiting")
	if err != nil {
		return Reply{}, err
	}
	return ok(map[string]any{"bookings": bookings})
}

func getBookings(line *Line, call Call) (Reply, error) {
	parameters := call.parameters
	wanted := Selection{parameters.text("sailing"), parameters.text("state")}
	before, _ := readCursor(parameters.text("cursor"))
	bookings, last, err := line.page(wanted, before.Last, parameters.numberOr("limit", 20))
	if err != nil {
		return Reply{}, err
	}
	var next any
	if last > 0 {
		next = cursor{last, wanted.sailing, wanted.state}.text()
	}
	return ok(map[string]any{"bookings": bookings, "next": next})
}

func postBooking(line *Line, call Call) (Reply, error) {
	booking, err := line.book(call.fields)
	if err != nil {
		return Reply{}, err
	}
	return created(line, "/bookings", booking.ID, booking)
}

// bookingReply is a reply with a booking, unless there is an error.
func bookingReply(line *Line, booking BookingView, err error) (Reply, error) {
	if err != nil {
		return Reply{}, err
	}
	return one(line, booking.ID, booking)
}

func getBooking(line *Line, call Call) (Reply, error) {
	booking, err := line.booking(call.id)
	return bookingReply(line, booking, err)
}

func patchBooking(line *Line, call Call) (Reply, error) {
	booking, err := line.amendBooking(call)
	return bookingReply(line, booking, err)
}

func confirmBooking(line *Line, call Call) (Reply, error) {
	booking, err := line.confirm(call.id, call.version)
	return bookingReply(line, booking, err)
}

func cancelBooking(line *Line, call Call) (Reply, error) {
	booking, err := line.cancel(call.id, call.version)
	return bookingReply(line, booking, err)
}

func getChanges(line *Line, call Call) (Reply, error) {
	changes := line.changesAfter(call.parameters.number("after"), call.parameters.numberOr("limit", 50))
	return ok(map[string]any{"changes": changes, "last": len(line.changes)})
}

func getReport(line *Line, _ Call) (Reply, error) { return ok(line.report()) }
