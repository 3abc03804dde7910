package main

import "strings"

// Simulation runs a scenario from one minute in which something is due to the next. In each of
// them first the boats act, in the order of their names; then the locks, in the order of the
// scenario.
type Simulation struct {
	scenario *Scenario
	now      int
	network  *Network
	closures Closures
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
		scenario: scenario,
		network:  newNetwork(scenario.canals),
		closures: scenario.closures,
		lockAt:   map[Section]*Chamber{},
		storeOf:  map[*Reservoir]*Store{},
	}
	for _, reservoir := range scenario.reservoirs {
		store := newStore(reservoir)
		s.stores = append(s.stores, store)
		s.storeOf[reservoir] = store
	}
	for place, lock := range scenario.locks() {
		chamber := newChamber(lock, place)
		s.chambers = append(s.chambers, chamber)
		s.lockAt[lock] = chamber
	}
	for _, boat := range scenario.boats {
		s.voyages = append(s.voyages, newVoyage(boat))
	}
	s.rebuildAgenda()
	return s
}

// rebuildAgenda finds out what is due after the present minute.
func (s *Simulation) rebuildAgenda() {
	s.agenda = newAgenda()
	for _, voyage := range s.voyages {
		if voyage.Due != never {
			s.agenda.addVoyage(voyage.Due, voyage)
		}
	}
	for _, chamber := range s.chambers {
		if len(chamber.queue) > 0 {
			s.agenda.addChamber(s.now+1, chamber)
		}
		for _, minute := range chamber.changes(s.closures[chamber.lock.name]) {
			if minute > s.now {
				s.agenda.addChamber(minute, chamber)
			}
		}
	}
}

// wakeAll lets all that waits try anew in the next minute, after a change of the rules.
func (s *Simulation) wakeAll() {
	for _, voyage := range s.voyages {
		if voyage.HeldSince != never {
			voyage.Due = s.now + 1
		}
	}
	s.rebuildAgenda()
}

func (s *Simulation) voyage(name string) *Voyage {
	for _, voyage := range s.voyages {
		if voyage.boat.name == name {
			return voyage
		}
	}
	return nil
}

// dropVoyage takes out a boat that has not departed.
func (s *Simulation) dropVoyage(name string) {
	var rest []*Voyage
	for _, voyage := range s.voyages {
		if voyage.boat.name != name {
			rest = append(rest, voyage)
		}
	}
	s.voyages = rest
}

// run goes on up to the end of the minute until, or, if that is never, to the minute of the last
// line of the log.
func (s *Simulation) run(until int) {
	end := s.now
	for {
		minute, ok := s.agenda.next()
		if !ok || until != never && minute > until {
			break
		}
		s.now = minute
		s.runMinute()
		s.agenda.drop()
	}
	if last := len(s.events) - 1; last >= 0 {
		end = s.events[last].minute
	}
	if until != never {
		end = until
	}
	s.now = end
}

func (s *Simulation) runMinute() {
	for _, voyage := range s.agenda.voyages(s.now) {
		voyage.Due = never
		s.act(voyage)
	}
	for _, chamber := range s.agenda.chambers(s.now) {
		s.operate(chamber)
	}
}

// schedule lets the boat act in the minute.
func (s *Simulation) schedule(voyage *Voyage, minute int) {
	voyage.Due = minute
	s.agenda.addVoyage(minute, voyage)
}

func (s *Simulation) tell(sentence Sentence, words ...any) {
	s.events = append(s.events, Event{minute: s.now, sentence: sentence, words: words})
}

func (s *Simulation) act(voyage *Voyage) {
	switch {
	case voyage.Departed == never:
		voyage.Departed = s.now
		s.tell(departs, voyage.boat.name, voyage.boat.start)
	case voyage.HeldSince == never:
		s.comeOut(voyage)
	}
	if voyage.Arrived == never {
		s.proceed(voyage)
	}
}

// comeOut ends the time in a reach or a lock.
func (s *Simulation) comeOut(voyage *Voyage) {
	step, name := voyage.step(), voyage.boat.name
	voyage.plan = voyage.plan[1:]
	voyage.Stop = step.stop
	if lock, ok := step.section.(*Lock); ok {
		s.tell(leaves, name, lock.name)
	}
	switch step.stop {
	case "":
	case voyage.boat.goal:
		voyage.Arrived = s.now
		s.tell(arrives, name, step.stop)
	default:
		s.tell(passes, name, step.stop)
	}
}

// proceed goes on from where a section ends, or holds the boat there.
func (s *Simulation) proceed(voyage *Voyage) {
	if voyage.Stop == "" {
		s.proceedBetween(voyage)
		return
	}
	plan := s.network.way(voyage.boat, voyage.Stop, s.closures.closedAt(s.now))
	if plan == nil {
		s.hold(voyage, heldAt, voyage.Stop)
		return
	}
	s.release(voyage)
	s.follow(voyage, plan)
	s.enter(voyage)
}

// proceedBetween goes on where there is no stop, and so no other way.
func (s *Simulation) proceedBetween(voyage *Voyage) {
	reach, ok := voyage.step().section.(*Reach)
	if ok && s.closures.closed(reach.name, s.now) {
		s.hold(voyage, heldBefore, reach.name)
		return
	}
	s.release(voyage)
	s.enter(voyage)
}

func (s *Simulation) hold(voyage *Voyage, sentence Sentence, place string) {
	if voyage.HeldSince == never {
		voyage.HeldSince = s.now
		s.tell(sentence, voyage.boat.name, place)
	}
	s.schedule(voyage, s.closures.nextEnd(s.now))
}

func (s *Simulation) release(voyage *Voyage) {
	if voyage.HeldSince == never {
		return
	}
	voyage.Held = voyage.heldBy(s.now)
	voyage.HeldSince = never
	s.tell(goesOn, voyage.boat.name)
}

func (s *Simulation) follow(voyage *Voyage, plan []Step) {
	if names := wayNames(plan); voyage.plan != nil && names != wayNames(voyage.plan) {
		s.tell(reroutes, voyage.boat.name, names)
	}
	voyage.plan = plan
}

// enter begins the next section: a reach at once, a lock by its queue.
func (s *Simulation) enter(voyage *Voyage) {
	chamber, ok := s.lockAt[voyage.step().section]
	if !ok {
		s.occupy(voyage)
		return
	}
	voyage.Joined = s.now
	chamber.queue = append(chamber.queue, voyage)
	s.agenda.addChamber(s.now, chamber)
	s.tell(reaches, voyage.boat.name, chamber.lock.name)
}

// occupy keeps a boat in its section for as long as that takes.
func (s *Simulation) occupy(voyage *Voyage) {
	step := voyage.step()
	s.schedule(voyage, s.now+step.section.minutes(voyage.boat, step.direction))
}

func (s *Simulation) operate(chamber *Chamber) {
	if chamber.FreeAt <= s.now && !s.closures.closed(chamber.lock.name, s.now) {
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
	if chamber.Level != level {
		s.turn(chamber, level)
	}
	if chamber.FreeAt <= s.now && chamber.Level == level {
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
	if store.Level >= lock.water {
		store.draw(lock.water)
		chamber.Drawn += lock.water
		return true
	}
	s.agenda.addChamber(store.minuteOf(lock.water), chamber)
	if !chamber.WaitsForWater {
		chamber.WaitsForWater = true
		s.tell(waits, lock.name)
	}
	return false
}

// turn changes the level, unless there is not enough water for it.
func (s *Simulation) turn(chamber *Chamber, level Level) {
	if level == high && !s.fill(chamber) {
		return
	}
	chamber.WaitsForWater = false
	chamber.Level = level
	if chamber.lock.turn == 0 {
		return
	}
	chamber.Turns++
	s.tell(turns, chamber.lock.name, level)
	s.keepBusy(chamber, chamber.lock.turn)
}

// carry begins a passage, unless there is not enough water for it.
func (s *Simulation) carry(chamber *Chamber, group []*Voyage, direction Direction) {
	if direction == up && !s.fill(chamber) {
		return
	}
	chamber.WaitsForWater = false
	chamber.leave(group)
	names := make([]string, len(group))
	for at, voyage := range group {
		names[at] = voyage.boat.name
		chamber.Taken[voyage.boat.name] = true
		voyage.Waited = voyage.waitedBy(s.now)
		voyage.Joined = never
		s.occupy(voyage)
	}
	chamber.Level = levelAfter[direction]
	chamber.Passages++
	chamber.Carried[direction] += len(group)
	s.tell(carries[direction], chamber.lock.name, strings.Join(names, ", "))
	s.keepBusy(chamber, chamber.lock.duration[direction])
}

func (s *Simulation) keepBusy(chamber *Chamber, minutes int) {
	chamber.keepBusy(s.now, minutes)
	s.agenda.addChamber(chamber.FreeAt, chamber)
}
