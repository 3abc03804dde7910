"""Runs a scenario from event to event.

In a minute, first the boats act, in the order of their names; then the locks, in the order of
the scenario.
"""

import heapq

from model import LEVEL_AFTER, LEVEL_TO_ENTER, Lock
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
        return self.entries[0][0] if self.entries else None

    def take(self, minute):
        """The names due at that minute, by kind."""
        due = {"boat": set(), "lock": set()}
        while self.entries and self.entries[0][0] == minute:
            _, kind, name = heapq.heappop(self.entries)
            due[kind].add(name)
        return due


class Simulation:
    def __init__(self, scenario):
        self.now = 0
        self.events = []
        self.agenda = Agenda()
        self.voyages = {}
        self.stores = {name: Store(each) for name, each in scenario.reservoirs.items()}
        self.chambers = {
            lock.name: Chamber(lock, scenario.reservations.get(lock.name, []))
            for lock in scenario.locks()
        }
        self.rank_of_lock = {name: rank for rank, name in enumerate(self.chambers)}
        for boat in scenario.boats.values():
            self.voyages[boat.name] = Voyage(boat, scenario.steps(boat))
            self.agenda.add(boat.departs, "boat", boat.name)
        for chamber in self.chambers.values():
            for reservation in chamber.reservations:
                self.agenda.add(reservation.start, "lock", chamber.lock.name)
                self.agenda.add(reservation.end, "lock", chamber.lock.name)

    def run(self):
        while self.agenda.next_minute() is not None:
            self.run_minute(self.agenda.next_minute())

    def last_minute(self):
        return self.events[-1].minute if self.events else 0

    def run_minute(self, minute):
        self.now = minute
        due = self.agenda.take(minute)
        self.touched = due["lock"]
        for name in sorted(due["boat"]):
            self.act(self.voyages[name])
        for name in sorted(self.touched, key=self.rank_of_lock.get):
            self.operate(self.chambers[name])

    def log(self, kind, subject, *details):
        self.events.append(Event(self.now, kind, subject, details))

    def act(self, voyage):
        if voyage.departed is None:
            voyage.departed = self.now
            self.log("departs", voyage.boat.name, voyage.boat.start)
        else:
            self.finish_section(voyage)
        if voyage.arrived is None:
            self.enter_section(voyage)

    def finish_section(self, voyage):
        step = voyage.step()
        name = voyage.boat.name
        if isinstance(step.section, Lock):
            self.log("leaves", name, step.section.name)
        voyage.position += 1
        if step.stop == voyage.boat.goal:
            voyage.arrived = self.now
            self.log("arrives", name, step.stop)
        elif step.stop is not None:
            self.log("passes", name, step.stop)

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
        self.agenda.add(self.now + duration, "boat", voyage.boat.name)

    def operate(self, chamber):
        if chamber.free_at <= self.now:
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
            voyage.waited += self.now - voyage.joined
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
