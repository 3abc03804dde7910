package main

// Window is a stretch of time; its last minute is the one before until.
type Window struct {
	from  int
	until int
}

func (w Window) holdsAt(minute int) bool { return w.from <= minute && minute < w.until }

func (w Window) overlaps(other Window) bool { return w.from < other.until && other.from < w.until }

// Reservation keeps a lock for one boat, until the lock has taken it or the time is over.
type Reservation struct {
	boat   *Boat
	window Window
}
