package main

// Canal is a row of stops with sections between them, from its bottom to its top.
type Canal struct {
	stops    []string
	sections [][]Section // at each place those that lie above the stop of that place
}

func (c *Canal) isEmpty() bool { return len(c.stops) == 0 }

func (c *Canal) endsWithStop() bool {
	return !c.isEmpty() && len(c.sections[len(c.sections)-1]) == 0
}

func (c *Canal) addStop(name string) {
	c.stops = append(c.stops, name)
	c.sections = append(c.sections, nil)
}

// addSection puts a section on top of a canal that has a stop.
func (c *Canal) addSection(section Section) {
	top := len(c.sections) - 1
	c.sections[top] = append(c.sections[top], section)
}

// place is where a stop comes in the row, or -1.
func (c *Canal) place(stop string) int {
	for at, name := range c.stops {
		if name == stop {
			return at
		}
	}
	return -1
}

func (c *Canal) locks() []*Lock {
	var locks []*Lock
	for _, sections := range c.sections {
		for _, section := range sections {
			if lock, ok := section.(*Lock); ok {
				locks = append(locks, lock)
			}
		}
	}
	return locks
}

// way is the steps from one stop to another.
func (c *Canal) way(start, goal string) []Step {
	var steps []Step
	from, to := c.place(start), c.place(goal)
	for at := from; at < to; at++ {
		steps = append(steps, c.leg(at, up)...)
	}
	for at := from; at > to; at-- {
		steps = append(steps, c.leg(at-1, down)...)
	}
	return steps
}

// leg is the steps between the stop of a place and the one above it.
func (c *Canal) leg(place int, direction Direction) []Step {
	sections := c.sections[place]
	steps := make([]Step, len(sections))
	for at, section := range sections {
		if direction == down {
			at = len(sections) - 1 - at
		}
		steps[at] = Step{section: section, direction: direction}
	}
	end := c.stops[place]
	if direction == up {
		end = c.stops[place+1]
	}
	steps[len(steps)-1].stop = end
	return steps
}
