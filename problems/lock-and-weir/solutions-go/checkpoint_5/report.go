package main

import (
	"fmt"
	"sort"
)

// Sentence is the form of a line of the log.
type Sentence string

const (
	departs Sentence = "%s departs %s"
	passes  Sentence = "%s passes %s"
	arrives Sentence = "%s arrives at %s"
	reaches Sentence = "%s reaches %s"
	leaves  Sentence = "%s leaves %s"
	turns   Sentence = "%s turns to %s"
	waits   Sentence = "%s waits for water"

	heldAt     Sentence = "%s is held at %s"
	heldBefore Sentence = "%s is held before %s"
	goesOn     Sentence = "%s goes on"
	reroutes   Sentence = "%s reroutes by %s"
)

var carries = map[Direction]Sentence{up: "%s lifts %s", down: "%s lowers %s"}

// Event is something that happened, and has a line in the log.
type Event struct {
	minute   int
	sentence Sentence
	words    []any
}

func (e Event) line() string {
	return written(e.minute) + " " + fmt.Sprintf(string(e.sentence), e.words...)
}

func logLines(events []Event) []string {
	lines := make([]string, len(events))
	for at, event := range events {
		lines[at] = event.line()
	}
	return lines
}

// differenceLines are what only one of two logs has, in the order of time, in each minute the
// first log's lines first.
func differenceLines(before, after []Event) []string {
	gone, added := onlyIn(before, after), onlyIn(after, before)
	var lines []string
	for len(gone)+len(added) > 0 {
		if len(added) == 0 || len(gone) > 0 && gone[0].minute <= added[0].minute {
			lines = append(lines, "- "+gone[0].line())
			gone = gone[1:]
		} else {
			lines = append(lines, "+ "+added[0].line())
			added = added[1:]
		}
	}
	if lines == nil {
		lines = []string{"no difference"}
	}
	return lines
}

// onlyIn is the events of one log whose lines the other has not.
func onlyIn(events, others []Event) []Event {
	known := map[string]bool{}
	for _, line := range logLines(others) {
		known[line] = true
	}
	var only []Event
	for _, event := range events {
		if !known[event.line()] {
			only = append(only, event)
		}
	}
	return only
}

func summaryLines(simulation *Simulation) []string {
	var lines []string
	for _, voyage := range byName(simulation.voyages) {
		lines = append(lines, boatLine(voyage, simulation.now))
	}
	for _, chamber := range simulation.chambers {
		lines = append(lines, lockLine(chamber, simulation.now))
	}
	for _, store := range simulation.stores {
		store.refresh(simulation.now)
		lines = append(lines, reservoirLine(store))
	}
	return lines
}

func routeLines(scenario *Scenario) []string {
	var lines []string
	network := newNetwork(scenario.canals)
	boats := append([]*Boat(nil), scenario.boats...)
	sort.Slice(boats, func(i, j int) bool { return boats[i].name < boats[j].name })
	for _, boat := range boats {
		way := network.way(boat, boat.start, nil)
		line := fmt.Sprintf("boat %s: %d minutes by %s", boat.name, wayMinutes(way, boat), wayNames(way))
		lines = append(lines, line)
	}
	return lines
}

func byName(voyages []*Voyage) []*Voyage {
	sorted := append([]*Voyage(nil), voyages...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].boat.name < sorted[j].boat.name })
	return sorted
}

func boatLine(voyage *Voyage, minute int) string {
	if voyage.Departed == never {
		return fmt.Sprintf("boat %s: not departed", voyage.boat.name)
	}
	line := fmt.Sprintf(
		"boat %s: departed %s, %s, waited %d",
		voyage.boat.name,
		written(voyage.Departed),
		arrival(voyage),
		voyage.waitedBy(minute),
	)
	if held := voyage.heldBy(minute); held > 0 {
		line += fmt.Sprintf(", held %d", held)
	}
	return line
}

func arrival(voyage *Voyage) string {
	if voyage.Arrived == never {
		return "under way"
	}
	travel := voyage.Arrived - voyage.Departed
	return fmt.Sprintf("arrived %s, travel %d", written(voyage.Arrived), travel)
}

func lockLine(chamber *Chamber, minute int) string {
	line := fmt.Sprintf(
		"lock %s: lifted %d, lowered %d, busy %d, longest queue %d",
		chamber.lock.name,
		chamber.Carried[up],
		chamber.Carried[down],
		chamber.busyBy(minute),
		chamber.LongestQueue,
	)
	if chamber.lock.room != unlimited {
		line += fmt.Sprintf(", passages %d", chamber.Passages)
	}
	if chamber.lock.turn > 0 {
		line += fmt.Sprintf(", turns %d", chamber.Turns)
	}
	if chamber.lock.water > 0 {
		line += fmt.Sprintf(", water %d", chamber.Drawn)
	}
	return line
}

func reservoirLine(store *Store) string {
	return fmt.Sprintf("reservoir %s: level %d, used %d", store.reservoir.name, store.Level, store.Used)
}
