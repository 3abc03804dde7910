package main

import (
	"container/heap"
	"strings"
)

// Network is the canals as legs from each stop to the next ones, and the ways found in it.
type Network struct {
	legs map[string][]leg
	ways map[wayKey][]Step
}

// leg is the sections between two neighbouring stops.
type leg struct {
	steps []Step
	end   string
}

// wayKey is all that a way depends on.
type wayKey struct {
	start, goal string
	pace, size  int
	closed      string
}

func newNetwork(canals []*Canal) *Network {
	n := &Network{legs: map[string][]leg{}, ways: map[wayKey][]Step{}}
	for _, canal := range canals {
		for place := 0; place+1 < len(canal.stops); place++ {
			lower, upper := canal.stops[place], canal.stops[place+1]
			n.legs[lower] = append(n.legs[lower], leg{canal.steps(place, up), upper})
			n.legs[upper] = append(n.legs[upper], leg{canal.steps(place, down), lower})
		}
	}
	return n
}

// way is the best one from a stop to the boat's goal, without closed sections; nil if there is none.
func (n *Network) way(boat *Boat, start string, closed []string) []Step {
	key := wayKey{start, boat.goal, boat.pace, boat.size, strings.Join(closed, " ")}
	if _, ok := n.ways[key]; !ok {
		n.ways[key] = n.search(boat, start, closed)
	}
	return n.ways[key]
}

func (n *Network) search(boat *Boat, start string, closed []string) []Step {
	shut := map[string]bool{}
	for _, name := range closed {
		shut[name] = true
	}
	seen := map[string]bool{}
	open := &wayHeap{{stop: start}}
	for open.Len() > 0 {
		best := heap.Pop(open).(*partialWay)
		if best.stop == boat.goal {
			return best.steps
		}
		if seen[best.stop] {
			continue
		}
		seen[best.stop] = true
		for _, next := range n.legs[best.stop] {
			if usable(next.steps, boat, shut) {
				heap.Push(open, best.longer(next, boat))
			}
		}
	}
	return nil
}

func usable(steps []Step, boat *Boat, shut map[string]bool) bool {
	for _, step := range steps {
		if shut[step.section.title()] || !step.section.admits(boat) {
			return false
		}
	}
	return true
}

// partialWay is a way from the start to some stop.
type partialWay struct {
	minutes int
	locks   int
	steps   []Step
	stop    string
}

func (w *partialWay) longer(next leg, boat *Boat) *partialWay {
	longer := &partialWay{minutes: w.minutes, locks: w.locks, stop: next.end}
	longer.steps = append(append(longer.steps, w.steps...), next.steps...)
	longer.minutes += wayMinutes(next.steps, boat)
	for _, step := range next.steps {
		if _, ok := step.section.(*Lock); ok {
			longer.locks++
		}
	}
	return longer
}

// before tells which of two ways is the better one.
func (w *partialWay) before(other *partialWay) bool {
	if w.minutes != other.minutes {
		return w.minutes < other.minutes
	}
	if w.locks != other.locks {
		return w.locks < other.locks
	}
	for at := 0; at < len(w.steps) && at < len(other.steps); at++ {
		mine, theirs := w.steps[at].section.title(), other.steps[at].section.title()
		if mine != theirs {
			return mine < theirs
		}
	}
	return len(w.steps) < len(other.steps)
}

// wayHeap gives the best way first, for container/heap.
type wayHeap []*partialWay

func (h wayHeap) Len() int           { return len(h) }
func (h wayHeap) Less(i, j int) bool { return h[i].before(h[j]) }
func (h wayHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *wayHeap) Push(way any)      { *h = append(*h, way.(*partialWay)) }

func (h *wayHeap) Pop() any {
	last := len(*h) - 1
	way := (*h)[last]
	*h = (*h)[:last]
	return way
}

// wayMinutes is what a way takes without any waiting or turning.
func wayMinutes(steps []Step, boat *Boat) int {
	minutes := 0
	for _, step := range steps {
		minutes += step.section.minutes(boat, step.direction)
	}
	return minutes
}

// wayNames are the names of the sections, as they are printed.
func wayNames(steps []Step) string {
	names := make([]string, len(steps))
	for at, step := range steps {
		names[at] = step.section.title()
	}
	return strings.Join(names, ", ")
}
