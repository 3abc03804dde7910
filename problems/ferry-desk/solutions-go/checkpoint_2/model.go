package main

const fullRefundMinutes = 1440

// Room is a number of places for persons, and of metres on the car deck.
type Room struct {
	Persons int `json:"persons"`
	Metres  int `json:"metres"`
}

func (r Room) fits(free Room) bool { return r.Persons <= free.Persons && r.Metres <= free.Metres }

func (r Room) minus(other Room) Room { return Room{r.Persons - other.Persons, r.Metres - other.Metres} }

func (r Room) plus(other Room) Room { return Room{r.Persons + other.Persons, r.Metres + other.Metres} }

// Sailing is a sailing with its fares.
type Sailing struct {
	ID      string `json:"id"`
	From    string `json:"from"`
	To      string `json:"to"`
	Departs int    `json:"departs"`
	Room
	PersonFare int `json:"person_fare"`
	MetreFare  int `json:"metre_fare"`
}

// SailingView is a sailing as it is shown.
type SailingView struct {
	Sailing
	FreePersons int `json:"free_persons"`
	FreeMetres  int `json:"free_metres"`
}

func (s Sailing) price(room Room) int { return room.Persons*s.PersonFare + room.Metres*s.MetreFare }

// Booking is a booking in one of its states.
type Booking struct {
	ID      string `json:"id"`
	Sailing string `json:"sailing"`
	Name    string `json:"name"`
	Room
	Hold       int    `json:"hold,omitempty"` // 0 without a hold
	Price      int    `json:"price"`
	BookedAt   int    `json:"booked_at"`
	State      string `json:"state"`
	HeldUntil  int    `json:"held_until,omitempty"` // 0 unless it is held
	PromotedAt *int   `json:"promoted_at,omitempty"`
	LapsedAt   int    `json:"lapsed_at,omitempty"`
	Refund     *int   `json:"refund,omitempty"`
}

// BookingView is a booking as it is shown.
type BookingView struct {
	Booking
	Position int `json:"position,omitempty"`
}

var states = []string{"booked", "held", "waiting", "cancelled", "lapsed", "missed"}

func (b Booking) takesPlaces() bool { return b.State == "booked" || b.State == "held" }

func (b Booking) isOpen() bool { return b.takesPlaces() || b.State == "waiting" }

// refund is what is paid back if the booking is cancelled now.
func (b Booking) refund(departs, now int) int {
	if b.State != "booked" {
		return 0
	}
	if departs-now >= fullRefundMinutes {
		return b.Price
	}
	return b.Price / 2
}

// withPlaces is the booking when it gets its places now.
func (b Booking) withPlaces(departs, now int) Booking {
	b.State = "booked"
	if b.Hold == 0 {
		return b
	}
	b.State, b.HeldUntil = "held", now+b.Hold
	if b.HeldUntil > departs {
		b.HeldUntil = departs
	}
	return b
}

// moved is the booking in another state. Its hold, if it had one, is over.
func (b Booking) moved(state string) Booking {
	b.State, b.HeldUntil = state, 0
	return b
}
