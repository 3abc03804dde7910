package main

import "strings"

// Simulation runs a scenario from one minute in which something is due to the next. In each of
// them first the boats act, in the order of their names; then the locks, in the order of the
// scenario.
type Simulation struct {
	now      int
	canal    *Canal
	events   []Event
	voyages  []*Voyage
	chambers []*Chamber
	lockAt   map[Section]*Chamber
	stores   []*Store
	storeOf  map[*Reservoir]*Store
	agenda   *Agenda
}

func newSimulation(scenario *Scenario) *Simulation {
	s := &Simulation{
		canal:   &scenario.canal,
		lockAt:  map[Section]*Chamber{},
		storeOf: map[*Reservoir]*Store{},
		agenda:  newAgenda(),
	}
	for _, reservoir := range scenario.reservoirs {
		store := newStore(reservoir)
		s.stores = append(s.stores, store)
		s.storeOf[reservoir] = store
	}
	for place, lock := range scenario.canal.locks() {
		s.addChamber(newChamber(lock, place))
	}
	for _, boat := range scenario.boats {
		voyage := newVoyage(boat)
		s.voyages = append(s.voyages, voyage)
		s.agenda.addVoyage(boat.departs, voyage)
	}
	return s
}

func (s *Simulation) addChamber(chamber *Chamber) {
	s.chambers = append(s.chambers, chamber)
	s.lockAt[chamber.lock] = chamber
	for _, reservation := range chamber.lock.reservations {
		s.agenda.addChamber(reservation.window.from, chamber)
		s.agenda.addChamber(reservation.window.until, chamber)
	}
}

// run ends in the minute of the last line of the log.
func (s *Simulation) run() {
	for minute, ok := s.agenda.next(); ok; minute, ok = s.agenda.next() {
		s.now = minute
		for _, voyage := range s.agenda.voyages(minute) {
			s.act(voyage)
		}
		for _, chamber := range s.agenda.chambers(minute) {
			s.operate(chamber)
		}
		s.agenda.drop()
	}
	s.now = 0
	if last := len(s.events) - 1; last >= 0 {
		s.now = s.events[last].minute
	}
}

func (s *Simulation) tell(sentence Sentence, words ...any) {
	s.events = append(s.events, Event{minute: s.now, sentence: sentence, words: words})
}

func (s *Simulation) act(voyage *Voyage) {
	if voyage.departed == never {
		s.depart(voyage)
	} else {
		s.comeOut(voyage)
	}
	if voyage.arrived == never {
		s.enter(voyage)
	}
}

func (s *Simulation) depart(voyage *Voyage) {
	voyage.departed = s.now
	voyage.plan = s.canal.way(voyage.boat.start, voyage.boat.goal)
	s.tell(departs, voyage.boat.name, voyage.boat.start)
}

// comeOut ends the time in a reach or a lock.
func (s *Simulation) comeOut(voyage *Voyage) {
	step, name := voyage.step(), voyage.boat.name
	voyage.plan = voyage.plan[1:]
	if lock, ok := step.section.(*Lock); ok {
		s.tell(leaves, name, lock.name)
	}
	switch step.stop {
	case "":
	case voyage.boat.goal:
		voyage.arrived = s.now
		s.tell(arrives, name, step.stop)
	default:
		s.tell(passes, name, step.stop)
	}
}

// enter begins the next section: a reach at once, a lock by its queue.
func (s *Simulation) enter(voyage *Voyage) {
	chamber, ok := s.lockAt[voyage.step().section]
	if !ok {
		s.occupy(voyage)
		return
	}
	voyage.joined = s.now
	chamber.queue = append(chamber.queue, voyage)
	s.agenda.addChamber(s.now, chamber)
	s.tell(reaches, voyage.boat.name, chamber.lock.name)
}

// occupy keeps a boat in its section for as long as that takes.
func (s *Simulation) occupy(voyage *Voyage) {
	step := voyage.step()
	s.agenda.addVoyage(s.now+step.section.minutes(voyage.boat, step.direction), voyage)
}

func (s *Simulation) operate(chamber *Chamber) {
	if chamber.freeAt <= s.now {
		if group := chamber.nextGroup(s.now); len(group) > 0 {
			s.serve(chamber, group)
		}
	}
	chamber.noteQueue()
}

// serve carries a group, or turns the chamber for it.
func (s *Simulation) serve(chamber *Chamber, group []*Voyage) {
	direction := group[0].step().direction
	level := levelBefore[direction]
	if chamber.level != level {
		s.turn(chamber, level)
	}
	if chamber.freeAt <= s.now && chamber.level == level {
		s.carry(chamber, group, direction)
	}
}

// fill draws the water of one filling; false says that the lock has to wait for it.
func (s *Simulation) fill(chamber *Chamber) bool {
	lock := chamber.lock
	if lock.reservoir == nil {
		return true
	}
	store := s.storeOf[lock.reservoir]
	store.refresh(s.now)
	if store.level >= lock.water {
		store.draw(lock.water)
		chamber.drawn += lock.water
		return true
	}
	s.agenda.addChamber(store.minuteOf(lock.water), chamber)
	if !chamber.waitsForWater {
		chamber.waitsForWater = true
		s.tell(waits, lock.name)
	}
	return false
}

// turn changes the level, unless there is not enough water for it.
func (s *Simulation) turn(chamber *Chamber, level Level) {
	if level == high && !s.fill(chamber) {
		return
	}
	chamber.waitsForWater = false
	chamber.level = level
	if chamber.lock.turn == 0 {
		return
	}
	chamber.turns++
	s.tell(turns, chamber.lock.name, level)
	s.keepBusy(chamber, chamber.lock.turn)
}

// carry begins a passage, unless there is not enough water for it.
func (s *Simulation) carry(chamber *Chamber, group []*Voyage, direction Direction) {
	if direction == up && !s.fill(chamber) {
		return
	}
	chamber.waitsForWater = false
	chamber.leave(group)
	names := make([]string, len(group))
	for at, voyage := range group {
		names[at] = voyage.boat.name
		chamber.taken[voyage.boat.name] = true
		voyage.waited += s.now - voyage.joined
		voyage.joined = never
		s.occupy(voyage)
	}
	chamber.level = levelAfter[direction]
	chamber.passages++
	chamber.carried[direction] += len(group)
	s.tell(carries[direction], chamber.lock.name, strings.Join(names, ", "))
	s.keepBusy(chamber, chamber.lock.duration[direction])
}

func (s *Simulation) keepBusy(chamber *Chamber, minutes int) {
	chamber.keepBusy(s.now, minutes)
	s.agenda.addChamber(chamber.freeAt, chamber)
}
