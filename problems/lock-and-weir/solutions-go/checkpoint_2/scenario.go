package main

import "fmt"

// defaultSize is the size of boats that tell none.
const defaultSize = 10

var (
	reachOptions = []Option{required("length", number(1, 9999))}
	lockOptions  = []Option{
		required("up", number(1, 999)),
		required("down", number(1, 999)),
		optional("room", number(1, 999), Value{number: unlimited}),
		optional("turn", number(0, 999), Value{number: 0}),
		optional("start", oneOf(string(low), string(high)), Value{word: string(low)}),
	}
	boatOptions = []Option{
		required("from", aName),
		required("to", aName),
		required("at", aTime),
		required("pace", number(1, 999)),
		optional("size", number(1, 999), Value{number: defaultSize}),
	}
)

// word is how the lines that begin with it are read.
type word struct {
	options []Option
	read    func(name string, values Values) error
}

// Reader reads the lines of a scenario, one after another.
type Reader struct {
	scenario *Scenario
	names    map[string]bool
	words    map[string]word
	line     int // number of the one that is read
}

func loadScenario(path string) (*Scenario, error) {
	text, err := readText(path)
	if err != nil {
		return nil, err
	}
	return parseScenario(text)
}

func parseScenario(text string) (*Scenario, error) {
	reader := newReader(&Scenario{})
	for _, line := range splitLines(text) {
		reader.line = line.number
		if err := reader.readLine(line.words); err != nil {
			return nil, atLine(line.number, err)
		}
	}
	return reader.scenario, reader.finish()
}

func atLine(number int, err error) error { return fmt.Errorf("line %d: %w", number, err) }

func newReader(scenario *Scenario) *Reader {
	r := &Reader{scenario: scenario, names: map[string]bool{}}
	r.words = map[string]word{
		"stop":  {nil, r.readStop},
		"reach": {reachOptions, r.readReach},
		"lock":  {lockOptions, r.readLock},
		"boat":  {boatOptions, r.readBoat},
	}
	return r
}

func (r *Reader) readLine(words []string) error {
	known, ok := r.words[words[0]]
	if !ok {
		return fmt.Errorf("unknown word '%s'", words[0])
	}
	name, err := readName(words)
	if err != nil {
		return err
	}
	values, err := readOptions(known.options, words[2:])
	if err != nil {
		return err
	}
	return known.read(name, values)
}

func (r *Reader) claim(name string) error {
	if r.names[name] {
		return fmt.Errorf("name '%s' is taken", name)
	}
	r.names[name] = true
	return nil
}

func (r *Reader) readStop(name string, _ Values) error {
	if err := r.claim(name); err != nil {
		return err
	}
	if r.scenario.canal.endsWithStop() {
		return fmt.Errorf("two stops in a row")
	}
	r.scenario.canal.addStop(name)
	return nil
}

func (r *Reader) readReach(name string, values Values) error {
	return r.addSection(&Reach{name: name, length: values["length"].number})
}

func (r *Reader) readLock(name string, values Values) error {
	return r.addSection(&Lock{
		name:     name,
		duration: map[Direction]int{up: values["up"].number, down: values["down"].number},
		room:     values["room"].number,
		turn:     values["turn"].number,
		start:    Level(values["start"].word),
	})
}

func (r *Reader) addSection(section Section) error {
	if err := r.claim(section.title()); err != nil {
		return err
	}
	if r.scenario.canal.isEmpty() {
		return fmt.Errorf("canal must begin with a stop")
	}
	r.scenario.canal.addSection(section)
	return nil
}

func (r *Reader) readBoat(name string, values Values) error {
	if err := r.claim(name); err != nil {
		return err
	}
	boat := &Boat{
		name:    name,
		start:   values["from"].word,
		goal:    values["to"].word,
		departs: values["at"].number,
		pace:    values["pace"].number,
		size:    values["size"].number,
		line:    r.line,
	}
	r.scenario.boats = append(r.scenario.boats, boat)
	return r.checkVoyage(boat)
}

func (r *Reader) checkVoyage(boat *Boat) error {
	for _, stop := range []string{boat.start, boat.goal} {
		if r.scenario.canal.place(stop) < 0 {
			return fmt.Errorf("no stop '%s'", stop)
		}
	}
	if boat.start == boat.goal {
		return fmt.Errorf("boat %s goes nowhere", boat.name)
	}
	return nil
}

// finish checks the scenario as a whole.
func (r *Reader) finish() error {
	if r.scenario.canal.isEmpty() {
		return fmt.Errorf("no canal")
	}
	if !r.scenario.canal.endsWithStop() {
		return fmt.Errorf("canal must end with a stop")
	}
	for _, boat := range r.scenario.boats {
		if err := r.checkWay(boat); err != nil {
			return atLine(boat.line, err)
		}
	}
	return nil
}

func (r *Reader) checkWay(boat *Boat) error {
	for _, step := range r.scenario.canal.way(boat.start, boat.goal) {
		if !step.section.admits(boat) {
			return fmt.Errorf("boat %s cannot get from %s to %s", boat.name, boat.start, boat.goal)
		}
	}
	return nil
}
