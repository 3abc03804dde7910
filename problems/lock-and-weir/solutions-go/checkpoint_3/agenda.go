package main

import (
	"container/heap"
	"sort"
)

// minuteHeap gives the earliest minute first, for container/heap.
type minuteHeap struct{ sort.IntSlice }

func (h *minuteHeap) Push(minute any) { h.IntSlice = append(h.IntSlice, minute.(int)) }

func (h *minuteHeap) Pop() any {
	last := len(h.IntSlice) - 1
	minute := h.IntSlice[last]
	h.IntSlice = h.IntSlice[:last]
	return minute
}

// due is what has to be looked at in a minute.
type due struct {
	voyages  map[*Voyage]bool
	chambers map[*Chamber]bool
}

// Agenda knows which boats and locks are due when.
type Agenda struct {
	minutes minuteHeap
	due     map[int]due
}

func newAgenda() *Agenda { return &Agenda{due: map[int]due{}} }

func (a *Agenda) at(minute int) due {
	if _, ok := a.due[minute]; !ok {
		a.due[minute] = due{voyages: map[*Voyage]bool{}, chambers: map[*Chamber]bool{}}
		heap.Push(&a.minutes, minute)
	}
	return a.due[minute]
}

func (a *Agenda) addVoyage(minute int, voyage *Voyage) { a.at(minute).voyages[voyage] = true }

func (a *Agenda) addChamber(minute int, chamber *Chamber) { a.at(minute).chambers[chamber] = true }

// next is the earliest minute in which anything is due.
func (a *Agenda) next() (minute int, ok bool) {
	if a.minutes.Len() == 0 {
		return never, false
	}
	return a.minutes.IntSlice[0], true
}

// voyages are those due in the minute, in the order of the boats' names.
func (a *Agenda) voyages(minute int) []*Voyage {
	var voyages []*Voyage
	for voyage := range a.at(minute).voyages {
		voyages = append(voyages, voyage)
	}
	sort.Slice(voyages, func(i, j int) bool { return voyages[i].boat.name < voyages[j].boat.name })
	return voyages
}

// chambers are those due in the minute, in the order of the scenario.
func (a *Agenda) chambers(minute int) []*Chamber {
	var chambers []*Chamber
	for chamber := range a.at(minute).chambers {
		chambers = append(chambers, chamber)
	}
	sort.Slice(chambers, func(i, j int) bool { return chambers[i].place < chambers[j].place })
	return chambers
}

// drop forgets the earliest minute.
func (a *Agenda) drop() {
	delete(a.due, heap.Pop(&a.minutes).(int))
}
