"""Runs a scenario from event to event.

In a minute, first the boats act, in the order of their names; then the locks, in the order of
the scenario.
"""

import heapq

from model import LEVEL_AFTER, LEVEL_TO_ENTER, Lock
from network import Network
from traffic import Chamber, Store, Voyage


class Event:
    """One line of the log. The words of the line are the report's business."""

    def __init__(self, minute, kind, subject, details):
        self.minute = minute
        self.kind = kind
        self.subject = subject
        self.details = details


class Agenda:
    """What is due when: boats by name, and locks that have to be looked at."""

    def __init__(self):
        self.entries = []

    def add(self, minute, kind, name):
        heapq.heappush(self.entries, (minute, kind, name))

    def next_minute(self):
        return self.entries[0][0]

    def has_entry(self, until):
        return bool(self.entries) and (until is None or self.next_minute() <= until)

    def take(self, minute):
        """The names due at that minute, by kind."""
        due = {"boat": set(), "lock": set()}
        while self.entries and self.entries[0][0] == minute:
            _, kind, name = heapq.heappop(self.entries)
            due[kind].add(name)
        return due


class Simulation:
    def __init__(self, scenario):
        self.scenario = scenario
        self.now = 0
        self.events = []
        self.network = Network(scenario.canals)
        self.closures = scenario.closures
        self.voyages = {}
        self.stores = {name: Store(each) for name, each in scenario.reservoirs.items()}
        self.chambers = {
            lock.name: Chamber(lock, scenario.reservations.setdefault(lock.name, []))
            for lock in scenario.locks()
        }
        self.rank_of_lock = {name: rank for rank, name in enumerate(self.chambers)}
        for boat in scenario.boats.values():
            self.voyages[boat.name] = Voyage(boat)
        self.rebuild_agenda()

    def rebuild_agenda(self):
        self.agenda = Agenda()
        for name, voyage in self.voyages.items():
            if voyage.due is not None:
                self.agenda.add(voyage.due, "boat", name)
        for chamber in self.chambers.values():
            for minute in self.changes(chamber):
                if minute > self.now:
                    self.agenda.add(minute, "lock", chamber.lock.name)

    def wake_all(self):
        """After a change of the rules, look at everything that waits in the next minute."""
        for voyage in self.voyages.values():
            if voyage.held_since is not None:
                voyage.due = self.now + 1
        self.rebuild_agenda()

    def add_boat(self, boat):
        self.voyages[boat.name] = Voyage(boat)

    def remove_boat(self, name):
        del self.voyages[name]

    def changes(self, chamber):
        """When something may let a lock begin that could not before."""
        yield self.now + 1
        yield chamber.free_at
        yield from self.closures.ends(chamber.lock.name)
        for reservation in chamber.reservations:
            yield reservation.window.start
            yield reservation.window.end

    def run(self, until=None):
        """Run up to and with that minute, or to the last line of the log."""
        while self.agenda.has_entry(until):
            self.run_minute(self.agenda.next_minute())
        if until is not None:
            self.now = until
        else:
            self.now = self.events[-1].minute if self.events else self.now

    def run_minute(self, minute):
        self.now = minute
        due = self.agenda.take(minute)
        self.touched = due["lock"]
        for name in sorted(due["boat"]):
            self.voyages[name].due = None
            self.act(self.voyages[name])
        for name in sorted(self.touched, key=self.rank_of_lock.get):
            self.operate(self.chambers[name])

    def log(self, kind, subject, *details):
        self.events.append(Event(self.now, kind, subject, details))

    def act(self, voyage):
        if voyage.departed is None:
            voyage.departed = self.now
            self.log("departs", voyage.boat.name, voyage.boat.start)
        elif voyage.held_since is None:
            self.finish_section(voyage)
        if voyage.arrived is None:
            self.proceed(voyage)

    def finish_section(self, voyage):
        step, *voyage.plan = voyage.plan
        voyage.stop = step.stop
        name = voyage.boat.name
        if isinstance(step.section, Lock):
            self.log("leaves", name, step.section.name)
        if step.stop == voyage.boat.goal:
            voyage.arrived = self.now
            self.log("arrives", name, step.stop)
        elif step.stop is not None:
            self.log("passes", name, step.stop)

    def proceed(self, voyage):
        """Go on from where one section ends, if there is a way."""
        if voyage.stop is None:
            if self.reach_is_closed(voyage.step().section):
                self.hold(voyage, "before", voyage.step().section.name)
            else:
                self.release(voyage)
                self.enter_section(voyage)
            return
        closed = self.closures.closed_sections(self.now)
        plan = self.network.route(voyage.boat, voyage.stop, closed)
        if plan is None:
            self.hold(voyage, "at", voyage.stop)
        else:
            self.release(voyage)
            self.follow(voyage, plan)
            self.enter_section(voyage)

    def reach_is_closed(self, section):
        return not isinstance(section, Lock) and self.closures.closed(section.name, self.now)

    def hold(self, voyage, where, name):
        if voyage.held_since is None:
            voyage.held_since = self.now
            self.log("held", voyage.boat.name, where, name)
        self.schedule(voyage, self.closures.next_end(self.now))

    def release(self, voyage):
        if voyage.held_since is not None:
            voyage.held = voyage.held_until(self.now)
            voyage.held_since = None
            self.log("goes on", voyage.boat.name)

    def follow(self, voyage, plan):
        names = [step.section.name for step in plan]
        if voyage.plan is not None and names != [step.section.name for step in voyage.plan]:
            self.log("reroutes", voyage.boat.name, ", ".join(names))
        voyage.plan = plan

    def enter_section(self, voyage):
        step = voyage.step()
        if isinstance(step.section, Lock):
            voyage.joined = self.now
            self.chambers[step.section.name].queue.append(voyage)
            self.touched.add(step.section.name)
            self.log("reaches", voyage.boat.name, step.section.name)
        else:
            self.occupy(voyage)

    def occupy(self, voyage):
        step = voyage.step()
        duration = step.section.minutes(voyage.boat, step.direction)
        self.schedule(voyage, self.now + duration)

    def schedule(self, voyage, minute):
        voyage.due = minute
        self.agenda.add(minute, "boat", voyage.boat.name)

    def operate(self, chamber):
        closed = self.closures.closed(chamber.lock.name, self.now)
        if chamber.free_at <= self.now and not closed:
            group = chamber.next_group(self.now)
            if group:
                self.serve(chamber, group)
        chamber.longest_queue = max(chamber.longest_queue, len(chamber.queue))

    def serve(self, chamber, group):
        direction = group[0].step().direction
        level = LEVEL_TO_ENTER[direction]
        if chamber.level != level:
            self.turn(chamber, level)
        if chamber.free_at <= self.now and chamber.level == level:
            self.carry(chamber, group, direction)

    def fill(self, chamber):
        """Draw the water of one filling. False if the lock has to wait for it."""
        if chamber.lock.water == 0:
            return True
        store = self.stores[chamber.lock.reservoir]
        store.refresh(self.now)
        if store.level >= chamber.lock.water:
            store.draw(chamber.lock.water)
            chamber.used += chamber.lock.water
            return True
        self.agenda.add(store.minute_of(chamber.lock.water), "lock", chamber.lock.name)
        if not chamber.waits_for_water:
            chamber.waits_for_water = True
            self.log("dry", chamber.lock.name)
        return False

    def turn(self, chamber, level):
        if level == "high" and not self.fill(chamber):
            return
        chamber.level = level
        chamber.waits_for_water = False
        if chamber.lock.turn > 0:
            chamber.turns += 1
            self.log("turns", chamber.lock.name, level)
            self.keep_busy(chamber, chamber.lock.turn)

    def carry(self, chamber, group, direction):
        if direction == "up" and not self.fill(chamber):
            return
        chamber.waits_for_water = False
        for voyage in group:
            chamber.queue.remove(voyage)
            chamber.carried.add(voyage.boat.name)
            voyage.waited = voyage.waited_until(self.now)
            voyage.joined = None
            self.occupy(voyage)
        chamber.level = LEVEL_AFTER[direction]
        chamber.passages += 1
        chamber.taken[direction] += len(group)
        names = ", ".join(voyage.boat.name for voyage in group)
        self.log(direction, chamber.lock.name, names)
        self.keep_busy(chamber, chamber.lock.duration[direction])

    def keep_busy(self, chamber, minutes):
        chamber.busy += minutes
        chamber.free_at = self.now + minutes
        self.agenda.add(chamber.free_at, "lock", chamber.lock.name)
