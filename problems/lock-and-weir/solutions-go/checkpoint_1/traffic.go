package main

import "sort"

// Voyage is one boat under way.
type Voyage struct {
	boat     *Boat
	plan     []Step // the section that it is in or waits for, and all after it
	departed int
	arrived  int
	joined   int // when it joined the queue in which it stands
	waited   int
}

func newVoyage(boat *Boat) *Voyage {
	return &Voyage{boat: boat, departed: never, arrived: never, joined: never}
}

func (v *Voyage) step() Step { return v.plan[0] }

// before tells which of two boats stands first in a queue.
func (v *Voyage) before(other *Voyage) bool {
	if v.joined != other.joined {
		return v.joined < other.joined
	}
	if v.boat.departs != other.boat.departs {
		return v.boat.departs < other.boat.departs
	}
	return v.boat.name < other.boat.name
}

// Chamber is one lock at work.
type Chamber struct {
	lock         *Lock
	place        int // of the lock in the scenario
	queue        []*Voyage
	freeAt       int
	carried      map[Direction]int
	busy         int
	longestQueue int
}

func newChamber(lock *Lock, place int) *Chamber {
	return &Chamber{lock: lock, place: place, carried: map[Direction]int{}}
}

func (c *Chamber) join(voyage *Voyage) {
	c.queue = append(c.queue, voyage)
	sort.Slice(c.queue, func(i, j int) bool { return c.queue[i].before(c.queue[j]) })
}

func (c *Chamber) keepBusy(from, minutes int) {
	c.busy += minutes
	c.freeAt = from + minutes
}

func (c *Chamber) noteQueue() {
	if len(c.queue) > c.longestQueue {
		c.longestQueue = len(c.queue)
	}
}
