"""The moving parts: where a boat is, and what a lock is doing."""


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
        return (self.joined, self.boat.departs, self.boat.name)


class Chamber:
    """One lock at work."""

    def __init__(self, lock):
        self.lock = lock
        self.queue = []
        self.free_at = 0
        self.level = lock.level
        self.taken = {"up": 0, "down": 0}
        self.passages = 0
        self.turns = 0
        self.busy = 0
        self.longest_queue = 0

    def next_group(self):
        """The voyages that share the next passage, in the order of the queue."""
        first, *others = sorted(self.queue, key=Voyage.queue_key)
        group = [first]
        if self.lock.room is None:
            return group
        room = self.lock.room - first.boat.size
        for voyage in others:
            if voyage.step().direction == first.step().direction and voyage.boat.size <= room:
                group.append(voyage)
                room -= voyage.boat.size
        return group
