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
	level        Level
	freeAt       int
	carried      map[Direction]int
	passages     int
	turns        int
	busy         int
	longestQueue int
}

func newChamber(lock *Lock, place int) *Chamber {
	return &Chamber{lock: lock, place: place, level: lock.start, carried: map[Direction]int{}}
}

func (c *Chamber) join(voyage *Voyage) {
	c.queue = append(c.queue, voyage)
	sort.Slice(c.queue, func(i, j int) bool { return c.queue[i].before(c.queue[j]) })
}

// nextGroup is the boats that share the next passage, in the order of the queue.
func (c *Chamber) nextGroup() []*Voyage {
	if len(c.queue) == 0 {
		return nil
	}
	first := c.queue[0]
	group := []*Voyage{first}
	if c.lock.room == unlimited {
		return group
	}
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
	c.busy += minutes
	c.freeAt = from + minutes
}

func (c *Chamber) noteQueue() {
	if len(c.queue) > c.longestQueue {
		c.longestQueue = len(c.queue)
	}
}
