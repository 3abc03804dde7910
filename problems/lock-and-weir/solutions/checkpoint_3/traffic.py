"""The moving parts: where a boat is, and what a lock is doing."""

import clock

class Voyage:
    """One boat under way."""

    def __init__(self, boat, steps):
        self.boat = boat
        self.steps = steps
        self.position = 0
        self.departed = None
        self.arrived = None
        self.joined = None
        self.waited = 0

    def step(self):
        return self.steps[self.position]

    def queue_key(self):
        return (-self.boat.rank, self.joined, self.boat.departs, self.boat.name)


class Store:
    """One reservoir, as full as it was at the last hour that anybody asked."""

    def __init__(self, reservoir):
        self.reservoir = reservoir
        self.level = reservoir.start
        self.hour = 0
        self.used = 0

    def refresh(self, minute):
        hour = minute // clock.MINUTES_PER_HOUR
        gained = (hour - self.hour) * self.reservoir.refill
        self.level = min(self.reservoir.capacity, self.level + gained)
        self.hour = hour

    def draw(self, amount):
        self.level -= amount
        self.used += amount

    def minute_of(self, amount):
        """The first full hour at which so much is there, if nobody draws before."""
        hours = -((self.level - amount) // self.reservoir.refill)
        return (self.hour + hours) * clock.MINUTES_PER_HOUR


class Chamber:
    """One lock at work."""

    def __init__(self, lock, reservations):
        self.lock = lock
        self.reservations = reservations
        self.carried = set()
        self.waits_for_water = False
        self.used = 0
        self.queue = []
        self.free_at = 0
        self.level = lock.level
        self.taken = {"up": 0, "down": 0}
        self.passages = 0
        self.turns = 0
        self.busy = 0
        self.longest_queue = 0

    def favourite(self, minute):
        """The name of the boat that the lock is kept for."""
        for reservation in self.reservations:
            if reservation.holds_at(minute) and reservation.boat_name not in self.carried:
                return reservation.boat_name
        return None

    def next_group(self, minute):
        """The voyages that share the next passage, in the order of the queue."""
        favourite = self.favourite(minute)
        waiting = sorted(
            self.queue,
            key=lambda voyage: (voyage.boat.name != favourite, voyage.queue_key()),
        )
        if not waiting or favourite not in (None, waiting[0].boat.name):
            return []
        first, *others = waiting
        group = [first]
        if self.lock.room is None:
            return group
        room = self.lock.room - first.boat.size
        for voyage in others:
            if voyage.step().direction == first.step().direction and voyage.boat.size <= room:
                group.append(voyage)
                room -= voyage.boat.size
        return group
