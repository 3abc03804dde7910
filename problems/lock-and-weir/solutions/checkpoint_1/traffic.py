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
        self.taken = {"up": 0, "down": 0}
        self.busy = 0
        self.longest_queue = 0

    def next_voyage(self):
        return min(self.queue, key=Voyage.queue_key)
