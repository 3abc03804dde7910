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
	Filling
}

// Filling is what changes of a reservoir.
type Filling struct {
	Level int `json:"level"`
	Hour  int `json:"hour"`
	Used  int `json:"used"`
}

func newStore(reservoir *Reservoir) *Store {
	return &Store{reservoir: reservoir, Filling: Filling{Level: reservoir.start}}
}

// refresh lets flow in what has come by the minute.
func (s *Store) refresh(minute int) {
	hour := minute / minutesPerHour
	s.Level += (hour - s.Hour) * s.reservoir.refill
	if s.Level > s.reservoir.capacity {
		s.Level = s.reservoir.capacity
	}
	s.Hour = hour
}

func (s *Store) draw(water int) {
	s.Level -= water
	s.Used += water
}

// minuteOf is the first full hour at which so much is there, if nobody draws before.
func (s *Store) minuteOf(water int) int {
	missing := water - s.Level
	hours := (missing + s.reservoir.refill - 1) / s.reservoir.refill
	return (s.Hour + hours) * minutesPerHour
}
