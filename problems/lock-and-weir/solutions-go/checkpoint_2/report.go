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
	return lines
}

func byName(voyages []*Voyage) []*Voyage {
	sorted := append([]*Voyage(nil), voyages...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].boat.name < sorted[j].boat.name })
	return sorted
}

func boatLine(voyage *Voyage) string {
	return fmt.Sprintf(
		"boat %s: departed %s, arrived %s, travel %d, waited %d",
		voyage.boat.name,
		written(voyage.departed),
		written(voyage.arrived),
		voyage.arrived-voyage.departed,
		voyage.waited,
	)
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
	return line
}
