"""What a scenario describes."""


class Reach:
    def __init__(self, name, length):
        self.name = name
        self.length = length

    def admits(self, boat):
        return True
    def minutes(self, boat, direction):
        return self.length * boat.pace


class Reservoir:
    def __init__(self, name, capacity, refill, start):
        self.name = name
        self.capacity = capacity
        self.refill = refill
        self.start = start


LEVEL_TO_ENTER = {"up": "low", "down": "high"}
LEVEL_AFTER = {"up": "high", "down": "low"}


class Lock:
    """Without room it takes any boat, but only one at a time."""

    def __init__(self, name, up, down, room, turn, level, water, reservoir):
        self.name = name
        self.duration = {"up": up, "down": down}
        self.room = room
        self.turn = turn
        self.level = level
        self.water = water
        self.reservoir = reservoir
    def admits(self, boat):
        return self.room is None or boat.size <= self.room

    def minutes(self, boat, direction):
        return self.duration[direction]


class Boat:
    def __init__(self, name, start, goal, departs, pace, size, rank):
        self.name = name
        self.start = start
        self.goal = goal
        self.departs = departs
        self.pace = pace
        self.size = size
        self.rank = rank


class Window:
    """A stretch of time; its end does not belong to it."""

    def __init__(self, start, end):
        self.start = start
        self.end = end

    def holds_at(self, minute):
        return self.start <= minute < self.end

    def overlaps(self, other):
        return self.start < other.end and other.start < self.end


class Reservation:
    """Keeps a lock for one boat, until the lock has taken it or the time is over."""

    def __init__(self, boat_name, window):
        self.boat_name = boat_name
        self.window = window


class Closures:
    """The windows in which sections are closed, by the section's name."""

    def __init__(self):
        self.windows = {}

    def add(self, section_name, window):
        self.windows.setdefault(section_name, []).append(window)

    def closed(self, section_name, minute):
        return any(window.holds_at(minute) for window in self.windows.get(section_name, []))

    def closed_sections(self, minute):
        return frozenset(name for name in self.windows if self.closed(name, minute))

    def ends(self, section_name):
        return [window.end for window in self.windows.get(section_name, [])]

    def next_end(self, minute):
        return min(end for name in self.windows for end in self.ends(name) if end > minute)


class Scenario:
    def __init__(self):
        self.canals = []
        self.boats = {}
        self.reservoirs = {}
        self.reservations = {}
        self.closures = Closures()

    def stops(self):
        return {stop for canal in self.canals for stop in canal.stops()}

    def sections(self):
        return [section for canal in self.canals for section in canal.sections()]

    def locks(self):
        return [section for section in self.sections() if isinstance(section, Lock)]
