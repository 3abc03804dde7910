"""State in memory: everything there is, and every record that made it so.

A record is `[kind, value, what]` with the whole new value of one thing; for a sailing or a booking
`what` says what happened to it, and makes an entry in the feed.
"""
from collections import defaultdict


class State:
    def __init__(self):
        self.clock = 0
        self.sailings = {}
        self.bookings = {}
        self.replies = {}
        self.changes = []
        self.history = []
        self.versions = defaultdict(int)
        self._numbers_on = defaultdict(list)

    def apply(self, kind, value, what=None):
        """Takes a record in, and returns what takes it out again."""
        if kind == "clock":
            before, self.clock = self.clock, value
            return lambda: setattr(self, "clock", before)
        things = {"sailing": self.sailings, "booking": self.bookings, "reply": self.replies}[kind]
        before = things.get(value["id"])
        things[value["id"]] = value
        if kind != "reply":
            self._note(kind, value, what, is_new=before is None)
        return lambda: self._take_back(kind, things, value, before)

    def as_of(self, seq):
        """The state right after a change of the feed."""
        state = State()
        for record in self.history[:seq]:
            state.apply(*record)
        return state

    def bookings_on(self, sailing_id):
        """The bookings of a sailing in the order of their numbers."""
        return [self.bookings[number] for number in self._numbers_on[sailing_id]]

    def _note(self, kind, value, what, is_new):
        thing_id = value["id"]
        if kind == "booking" and is_new:
            self._numbers_on[value["sailing"]].append(thing_id)
        self.versions[thing_id] += 1
        self.changes.append({"seq": len(self.changes) + 1, "at": self.clock, "what": what,
                             "id": thing_id, "version": self.versions[thing_id]})
        self.history.append((kind, value, what))

    def _take_back(self, kind, things, value, before):
        thing_id = value["id"]
        if before is None:
            del things[thing_id]
        else:
            things[thing_id] = before
        if kind == "reply":
            return
        if kind == "booking" and before is None:
            self._numbers_on[value["sailing"]].pop()
        self.versions[thing_id] -= 1
        self.changes.pop()
        self.history.pop()
