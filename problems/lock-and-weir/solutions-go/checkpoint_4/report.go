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

func summaryLines(simulation *Simulation) []string {
	var lines []string
	for _, voyage := range byName(simulation.voyages) {
		lines = append(lines, boatLine(voyage))
	}
	for _, chamber := range simulation.chambers {
		lines = append(lines, lockLine(chamber))
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

func boatLine(voyage *Voyage) string {
	line := fmt.Sprintf(
		"boat %s: departed %s, arrived %s, travel %d, waited %d",
		voyage.boat.name,
		written(voyage.departed),
		written(voyage.arrived),
		voyage.arrived-voyage.departed,
		voyage.waited,
	)
	if voyage.held > 0 {
		line += fmt.Sprintf(", held %d", voyage.held)
	}
	return line
}

func lockLine(chamber *Chamber) string {
	line := fmt.Sprintf(
		"lock %s: lifted %d, lowered %d, busy %d, longest queue %d",
		chamber.lock.name,
		chamber.carried[up],
		chamber.carried[down],
		chamber.busy,
		chamber.longestQueue,
	)
	if chamber.lock.room != unlimited {
		line += fmt.Sprintf(", passages %d", chamber.passages)
	}
	if chamber.lock.turn > 0 {
		line += fmt.Sprintf(", turns %d", chamber.turns)
	}
	if chamber.lock.water > 0 {
		line += fmt.Sprintf(", water %d", chamber.drawn)
	}
	return line
}

func reservoirLine(store *Store) string {
	return fmt.Sprintf("reservoir %s: level %d, used %d", store.reservoir.name, store.level, store.used)
}
