package main

import "sort"

// Voyage is one boat under way.
type Voyage struct {
	boat *Boat
	plan []Step // the section that it is in or waits for, and all after it; nil before it has one
	Progress
}

// Progress is what changes of a voyage, besides its plan.
type Progress struct {
	Stop      string `json:"stop"` // where it last came to, or empty where two sections meet
	Departed  int    `json:"departed"`
	Arrived   int    `json:"arrived"`
	Joined    int    `json:"joined"` // when it joined the queue in which it stands
	Waited    int    `json:"waited"` // in queues that it has left
	HeldSince int    `json:"held_since"`
	Held      int    `json:"held"` // while that is over
	Due       int    `json:"due"`  // when it acts next, if that is known
}

func newVoyage(boat *Boat) *Voyage {
	return &Voyage{boat: boat, Progress: Progress{
		Stop:      boat.start,
		Departed:  never,
		Arrived:   never,
		Joined:    never,
		HeldSince: never,
		Due:       boat.departs,
	}}
}

// waitedBy is what the boat has waited up to the minute.
func (v *Voyage) waitedBy(minute int) int {
	if v.Joined == never {
		return v.Waited
	}
	return v.Waited + minute - v.Joined
}

// heldBy is how long the boat has been held up to the minute.
func (v *Voyage) heldBy(minute int) int {
	if v.HeldSince == never {
		return v.Held
	}
	return v.Held + minute - v.HeldSince
}

func (v *Voyage) step() Step { return v.plan[0] }

// before tells which of two boats stands first in a queue that is kept for nobody.
func (v *Voyage) before(other *Voyage) bool {
	if v.boat.rank != other.boat.rank {
		return v.boat.rank > other.boat.rank
	}
	if v.Joined != other.Joined {
		return v.Joined < other.Joined
	}
	if v.boat.departs != other.boat.departs {
		return v.boat.departs < other.boat.departs
	}
	return v.boat.name < other.boat.name
}

// Chamber is one lock at work.
type Chamber struct {
	lock  *Lock
	place int // of the lock in the scenario
	queue []*Voyage
	Workings
}

// Workings are what changes of a lock, besides its queue.
type Workings struct {
	Level         Level             `json:"level"`
	FreeAt        int               `json:"free_at"`
	Carried       map[Direction]int `json:"carried"`
	Taken         map[string]bool   `json:"taken"` // names of the boats that it has carried
	Passages      int               `json:"passages"`
	Turns         int               `json:"turns"`
	Busy          int               `json:"busy"` // up to when it is free
	LongestQueue  int               `json:"longest_queue"`
	WaitsForWater bool              `json:"waits_for_water"`
	Drawn         int               `json:"drawn"`
}

func newChamber(lock *Lock, place int) *Chamber {
	return &Chamber{lock: lock, place: place, Workings: Workings{
		Level:   lock.start,
		Carried: map[Direction]int{},
		Taken:   map[string]bool{},
	}}
}

// favourite is the boat that the lock is kept for, or nil.
func (c *Chamber) favourite(minute int) *Boat {
	for _, reservation := range c.lock.reservations {
		if reservation.window.holdsAt(minute) && !c.Taken[reservation.boat.name] {
			return reservation.boat
		}
	}
	return nil
}

// sortQueue puts the favourite first, and the others behind it.
func (c *Chamber) sortQueue(favourite *Boat) {
	sort.Slice(c.queue, func(i, j int) bool {
		one, other := c.queue[i], c.queue[j]
		if (one.boat == favourite) != (other.boat == favourite) {
			return one.boat == favourite
		}
		return one.before(other)
	})
}

// nextGroup is the boats that share the next passage, in the order of the queue.
func (c *Chamber) nextGroup(minute int) []*Voyage {
	if len(c.queue) == 0 {
		return nil
	}
	favourite := c.favourite(minute)
	c.sortQueue(favourite)
	first := c.queue[0]
	if favourite != nil && first.boat != favourite {
		return nil
	}
	if c.lock.room == unlimited {
		return []*Voyage{first}
	}
	return c.fitting(first)
}

// fitting is the first boat and all that go in with it.
func (c *Chamber) fitting(first *Voyage) []*Voyage {
	group := []*Voyage{first}
	room := c.lock.room - first.boat.size
	for _, voyage := range c.queue[1:] {
		if voyage.step().direction == first.step().direction && voyage.boat.size <= room {
			group = append(group, voyage)
			room -= voyage.boat.size
		}
	}
	return group
}

// leave takes the boats of a group out of the queue.
func (c *Chamber) leave(group []*Voyage) {
	gone := map[*Voyage]bool{}
	for _, voyage := range group {
		gone[voyage] = true
	}
	var rest []*Voyage
	for _, voyage := range c.queue {
		if !gone[voyage] {
			rest = append(rest, voyage)
		}
	}
	c.queue = rest
}

func (c *Chamber) keepBusy(from, minutes int) {
	c.Busy += minutes
	c.FreeAt = from + minutes
}

// busyBy is how long the lock has been busy up to the minute.
func (c *Chamber) busyBy(minute int) int {
	if c.FreeAt <= minute {
		return c.Busy
	}
	return c.Busy - (c.FreeAt - minute)
}

// changes are the minutes from which the lock may begin what it could not before.
func (c *Chamber) changes(closures []Window) []int {
	minutes := []int{c.FreeAt}
	for _, reservation := range c.lock.reservations {
		minutes = append(minutes, reservation.window.from, reservation.window.until)
	}
	for _, window := range closures {
		minutes = append(minutes, window.until)
	}
	return minutes
}

func (c *Chamber) noteQueue() {
	if len(c.queue) > c.LongestQueue {
		c.LongestQueue = len(c.queue)
	}
}
