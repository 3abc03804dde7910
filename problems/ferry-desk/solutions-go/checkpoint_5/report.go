package main

// ReportRow is the part of the report about one sailing.
type ReportRow struct {
	ID            string `json:"id"`
	BookedPersons int    `json:"booked_persons"`
	BookedMetres  int    `json:"booked_metres"`
	HeldPersons   int    `json:"held_persons"`
	HeldMetres    int    `json:"held_metres"`
	Waiting       int    `json:"waiting"`
	Income        int    `json:"income"`
}

// Report shows places and income.
type Report struct {
	At       int         `json:"at"`
	Income   int         `json:"income"`
	Sailings []ReportRow `json:"sailings"`
}

func (l *Line) report() Report {
	paid := l.everBooked()
	report := Report{At: len(l.history), Sailings: []ReportRow{}}
	for _, sailing := range l.orderedSailings() {
		row := ReportRow{ID: sailing.ID}
		for _, booking := range l.bookingsOn(sailing.ID) {
			row.count(booking)
			if paid[booking.ID] {
				row.Income += booking.income(sailing.ID)
			}
		}
		report.Income += row.Income
		report.Sailings = append(report.Sailings, row)
	}
	return report
}

func (r *ReportRow) count(booking Booking) {
	switch booking.State {
	case "booked":
		r.BookedPersons += booking.Persons
		r.BookedMetres += booking.Metres
	case "held":
		r.HeldPersons += booking.Persons
		r.HeldMetres += booking.Metres
	case "waiting":
		r.Waiting++
	}
}

// everBooked has the bookings that were booked at some time, and so were paid.
func (l *Line) everBooked() map[string]bool {
	paid := map[string]bool{}
	for _, entry := range l.history {
		if entry.Booking != nil && entry.Booking.State == "booked" {
			paid[entry.Booking.ID] = true
		}
	}
	return paid
}

// income is what a booking that was paid brings to one of its sailings.
func (b Booking) income(sailing string) int {
	price := 0
	for at, leg := range b.legs() {
		if leg == sailing {
			price = b.prices()[at]
		}
	}
	switch {
	case b.State == "booked":
		return price
	case b.State == "cancelled" && *b.Refund < b.Price:
		return price - price/2
	}
	return 0
}
