package main

import "fmt"

// defaultSize is the size of boats that tell none.
const defaultSize = 10

const (
	lowestRank  = 0
	highestRank = 9
)

// full stands for the start of a reservoir that tells none: its capacity.
const full = -1

var (
	reachOptions = []Option{required("length", number(1, 9999))}
	lockOptions  = []Option{
		required("up", number(1, 999)),
		required("down", number(1, 999)),
		optional("room", number(1, 999), Value{number: unlimited}),
		optional("turn", number(0, 999), Value{number: 0}),
		optional("start", oneOf(string(low), string(high)), Value{word: string(low)}),
		optional("water", number(1, 999999), Value{number: 0}),
		optional("reservoir", aName, Value{word: ""}),
	}
	reservoirOptions = []Option{
		required("capacity", number(1, 999999)),
		required("refill", number(1, 999999)),
		optional("start", number(0, 999999), Value{number: full}),
	}
	windowOptions      = []Option{required("from", aTime), required("until", aTime)}
	reservationOptions = append([]Option{required("boat", aName)}, windowOptions...)
	boatOptions        = []Option{
		required("from", aName),
		required("to", aName),
		required("at", aTime),
		required("pace", number(1, 999)),
		optional("size", number(1, 999), Value{number: defaultSize}),
		optional("rank", number(lowestRank, highestRank), Value{number: lowestRank}),
	}
	fleetOptions = append([]Option{
		required("count", number(1, 9999)),
		required("every", number(0, 9999)),
	}, boatOptions...)
)

// word is how the lines that begin with it are read.
type word struct {
	options []Option
	read    func(name string, values Values) error
}

// Reader reads the lines of a scenario, one after another.
type Reader struct {
	scenario *Scenario
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
	scenario := &Scenario{text: text, names: map[string]bool{}, closures: Closures{}}
	reader := newReader(scenario)
	if err := reader.readAll(text); err != nil {
		return nil, err
	}
	return scenario, reader.finish()
}

func atLine(number int, err error) error { return fmt.Errorf("line %d: %w", number, err) }

func newReader(scenario *Scenario) *Reader {
	r := &Reader{scenario: scenario}
	r.words = map[string]word{
		"canal":     {nil, r.readCanal},
		"stop":      {nil, r.readStop},
		"reach":     {reachOptions, r.readReach},
		"lock":      {lockOptions, r.readLock},
		"boat":      {boatOptions, r.readBoat},
		"fleet":     {fleetOptions, r.readFleet},
		"reservoir": {reservoirOptions, r.readReservoir},
		"reserve":   {reservationOptions, r.readReservation},
		"closure":   {windowOptions, r.readClosure},
	}
	return r
}

func (r *Reader) readAll(text string) error {
	for _, line := range splitLines(text) {
		r.line = line.number
		if err := r.readLine(line.words); err != nil {
			return atLine(line.number, err)
		}
	}
	return nil
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
	if r.scenario.names[name] {
		return fmt.Errorf("name '%s' is taken", name)
	}
	r.scenario.names[name] = true
	return nil
}

func (r *Reader) readCanal(name string, _ Values) error {
	if err := r.claim(name); err != nil {
		return err
	}
	if len(r.scenario.canals) > 0 {
		if err := checkEnd(r.canal()); err != nil {
			return err
		}
	}
	r.scenario.canals = append(r.scenario.canals, &Canal{name: name})
	return nil
}

func checkEnd(canal *Canal) error {
	if canal.isEmpty() {
		return fmt.Errorf("canal %s has no stop", canal.name)
	}
	if !canal.endsWithStop() {
		return fmt.Errorf("canal must end with a stop")
	}
	return nil
}

// canal is the one that the line belongs to, or nil above the first.
func (r *Reader) canal() *Canal {
	if len(r.scenario.canals) == 0 {
		return nil
	}
	return r.scenario.canals[len(r.scenario.canals)-1]
}

func (r *Reader) readStop(name string, _ Values) error {
	if r.canal() == nil {
		r.scenario.canals = append(r.scenario.canals, &Canal{})
	}
	canal := r.canal()
	if !r.scenario.hasStop(name) || canal.place(name) >= 0 {
		if err := r.claim(name); err != nil {
			return err
		}
	}
	if canal.endsWithStop() {
		return fmt.Errorf("two stops in a row")
	}
	canal.addStop(name)
	return nil
}

func (r *Reader) readReach(name string, values Values) error {
	if err := r.claim(name); err != nil {
		return err
	}
	return r.addSection(&Reach{name: name, length: values["length"].number})
}

func (r *Reader) readLock(name string, values Values) error {
	if err := r.claim(name); err != nil {
		return err
	}
	water := values["water"].number
	reservoir, err := r.supply(water, values["reservoir"].word)
	if err != nil {
		return err
	}
	return r.addSection(&Lock{
		name:     name,
		duration: map[Direction]int{up: values["up"].number, down: values["down"].number},
		room:     values["room"].number,
		turn:     values["turn"].number,
		start:    Level(values["start"].word),

		water:     water,
		reservoir: reservoir,
	})
}

// supply is the reservoir that a lock draws from, or nil if it draws from none.
func (r *Reader) supply(water int, name string) (*Reservoir, error) {
	switch {
	case water == 0 && name == "":
		return nil, nil
	case name == "":
		return nil, fmt.Errorf("water needs reservoir")
	case water == 0:
		return nil, fmt.Errorf("reservoir needs water")
	}
	reservoir := r.scenario.reservoir(name)
	if reservoir == nil {
		return nil, fmt.Errorf("no reservoir '%s'", name)
	}
	if reservoir.capacity < water {
		return nil, fmt.Errorf("reservoir %s holds too little", name)
	}
	return reservoir, nil
}

func (r *Reader) addSection(section Section) error {
	canal := r.canal()
	if canal == nil || canal.isEmpty() {
		return fmt.Errorf("canal must begin with a stop")
	}
	canal.addSection(section)
	return nil
}

func (r *Reader) readBoat(name string, values Values) error {
	if err := r.claim(name); err != nil {
		return err
	}
	boat := r.newBoat(name, values)
	if err := r.checkVoyage("boat", boat); err != nil {
		return err
	}
	r.scenario.boats = append(r.scenario.boats, boat)
	return nil
}

func (r *Reader) readFleet(name string, values Values) error {
	if err := r.claim(name); err != nil {
		return err
	}
	if err := r.checkVoyage("fleet", r.newBoat(name, values)); err != nil {
		return err
	}
	for at := 0; at < values["count"].number; at++ {
		boat := r.newBoat(fmt.Sprintf("%s-%d", name, at+1), values)
		boat.departs += at * values["every"].number
		if err := r.claim(boat.name); err != nil {
			return err
		}
		r.scenario.boats = append(r.scenario.boats, boat)
	}
	return nil
}

func (r *Reader) newBoat(name string, values Values) *Boat {
	return &Boat{
		name:    name,
		start:   values["from"].word,
		goal:    values["to"].word,
		departs: values["at"].number,
		pace:    values["pace"].number,
		size:    values["size"].number,
		rank:    values["rank"].number,
		line:    r.line,
	}
}

func (r *Reader) checkVoyage(kind string, boat *Boat) error {
	for _, stop := range []string{boat.start, boat.goal} {
		if !r.scenario.hasStop(stop) {
			return fmt.Errorf("no stop '%s'", stop)
		}
	}
	if boat.start == boat.goal {
		return fmt.Errorf("%s %s goes nowhere", kind, boat.name)
	}
	return nil
}

func (r *Reader) readReservoir(name string, values Values) error {
	if err := r.claim(name); err != nil {
		return err
	}
	reservoir := &Reservoir{
		name:     name,
		capacity: values["capacity"].number,
		refill:   values["refill"].number,
		start:    values["start"].number,
	}
	if reservoir.start == full {
		reservoir.start = reservoir.capacity
	}
	if reservoir.start > reservoir.capacity {
		return fmt.Errorf("start is above capacity")
	}
	r.scenario.reservoirs = append(r.scenario.reservoirs, reservoir)
	return nil
}

func (r *Reader) readReservation(name string, values Values) error {
	lock := r.scenario.lock(name)
	if lock == nil {
		return fmt.Errorf("no lock '%s'", name)
	}
	boat, err := r.knownBoat(values["boat"].word)
	if err != nil {
		return err
	}
	window, err := readWindow(values)
	if err != nil {
		return err
	}
	for _, other := range lock.reservations {
		if window.overlaps(other.window) {
			return fmt.Errorf("lock %s is already reserved then", name)
		}
	}
	lock.reservations = append(lock.reservations, Reservation{boat: boat, window: window})
	return nil
}

func (r *Reader) readClosure(name string, values Values) error {
	if err := r.checkSection(name); err != nil {
		return err
	}
	window, err := readWindow(values)
	if err != nil {
		return err
	}
	r.scenario.closures.add(name, window)
	return nil
}

func (r *Reader) knownBoat(name string) (*Boat, error) {
	boat := r.scenario.boat(name)
	if boat == nil {
		return nil, fmt.Errorf("no boat '%s'", name)
	}
	return boat, nil
}

func (r *Reader) checkSection(name string) error {
	if r.scenario.section(name) == nil {
		return fmt.Errorf("no reach or lock '%s'", name)
	}
	return nil
}

func readWindow(values Values) (Window, error) {
	window := Window{from: values["from"].number, until: values["until"].number}
	if window.until <= window.from {
		return window, fmt.Errorf("until is not after from")
	}
	return window, nil
}

// finish checks the scenario as a whole.
func (r *Reader) finish() error {
	if r.canal() == nil {
		return fmt.Errorf("no canal")
	}
	if err := checkEnd(r.canal()); err != nil {
		return err
	}
	network := newNetwork(r.scenario.canals)
	for _, boat := range r.scenario.boats {
		if err := checkWay(network, boat); err != nil {
			return atLine(boat.line, err)
		}
	}
	return nil
}

func checkWay(network *Network, boat *Boat) error {
	if network.way(boat, boat.start, nil) == nil {
		return fmt.Errorf("boat %s cannot get from %s to %s", boat.name, boat.start, boat.goal)
	}
	return nil
}
