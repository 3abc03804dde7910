"""What a scenario describes."""


class Reach:
    def __init__(self, name, length):
        self.name = name
        self.length = length

    def admits(self, boat):
        return True
    def minutes(self, boat, direction):
        return self.length * boat.pace


LEVEL_TO_ENTER = {"up": "low", "down": "high"}
LEVEL_AFTER = {"up": "high", "down": "low"}


class Lock:
    """Without room it takes any boat, but only one at a time."""

    def __init__(self, name, up, down, room, turn, level):
        self.name = name
        self.duration = {"up": up, "down": down}
        self.room = room
        self.turn = turn
        self.level = level

    def admits(self, boat):
        return self.room is None or boat.size <= self.room

    def minutes(self, boat, direction):
        return self.duration[direction]


class Boat:
    def __init__(self, name, start, goal, departs, pace, size):
        self.name = name
        self.start = start
        self.goal = goal
        self.departs = departs
        self.pace = pace
        self.size = size


class Step:
    """One section on a boat's way, and the stop at its far end, if there is one."""

    def __init__(self, section, direction, stop):
        self.section = section
        self.direction = direction
        self.stop = stop


class Canal:
    """Stops (as their names) and sections, from the bottom to the top."""

    def __init__(self):
        self.elements = []

    def add(self, element):
        self.elements.append(element)

    def stops(self):
        return [element for element in self.elements if isinstance(element, str)]

    def locks(self):
        return [element for element in self.elements if isinstance(element, Lock)]

    def steps(self, start, goal):
        first, last = self.elements.index(start), self.elements.index(goal)
        if first < last:
            return list(self._steps("up", self.elements[first + 1:last + 1]))
        return list(self._steps("down", self.elements[last:first][::-1]))

    def _steps(self, direction, elements):
        for element, following in zip(elements, elements[1:]):
            if not isinstance(element, str):
                yield Step(element, direction, following if isinstance(following, str) else None)


class Scenario:
    def __init__(self):
        self.canal = Canal()
        self.boats = {}

    def locks(self):
        return self.canal.locks()

    def steps(self, boat):
        return self.canal.steps(boat.start, boat.goal)

    def can_travel(self, boat):
        return all(step.section.admits(boat) for step in self.steps(boat))
