package main

// Reservoir is the water that locks draw from.
type Reservoir struct {
	name     string
	capacity int
	refill   int // at each full hour
	start    int
}

// Store is a reservoir, as full as it was at the last full hour that anybody asked about.
type Store struct {
	reservoir *Reservoir
	level     int
	hour      int
	used      int
}

func newStore(reservoir *Reservoir) *Store {
	return &Store{reservoir: reservoir, level: reservoir.start}
}

// refresh lets flow in what has come by the minute.
func (s *Store) refresh(minute int) {
	hour := minute / minutesPerHour
	s.level += (hour - s.hour) * s.reservoir.refill
	if s.level > s.reservoir.capacity {
		s.level = s.reservoir.capacity
	}
	s.hour = hour
}

func (s *Store) draw(water int) {
	s.level -= water
	s.used += water
}

// minuteOf is the first full hour at which so much is there, if nobody draws before.
func (s *Store) minuteOf(water int) int {
	missing := water - s.level
	hours := (missing + s.reservoir.refill - 1) / s.reservoir.refill
	return (s.hour + hours) * minutesPerHour
}
