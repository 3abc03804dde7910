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
	Price    int    `json:"price"`
	BookedAt int    `json:"booked_at"`
	State    string `json:"state"`
	Refund   *int   `json:"refund,omitempty"`
}

// refund is what is paid back if the booking is cancelled now.
func (b Booking) refund(departs, now int) int {
	if departs-now >= fullRefundMinutes {
		return b.Price
	}
	return b.Price / 2
}
