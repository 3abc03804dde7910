"""The waterways as a network: stops, and the legs that join them."""

import heapq

from model import Lock


class Step:
    """One section on a boat's way, and the stop at its far end, if there is one."""

    def __init__(self, section, direction, stop):
        self.section = section
        self.direction = direction
        self.stop = stop


class Canal:
    """Stops (as their names) and sections, from the bottom to the top."""

    def __init__(self, name=None):
        self.name = name
        self.elements = []

    def add(self, element):
        self.elements.append(element)

    def ends_with_stop(self):
        return isinstance(self.elements[-1], str)

    def stops(self):
        return [element for element in self.elements if isinstance(element, str)]

    def sections(self):
        return [element for element in self.elements if not isinstance(element, str)]

    def legs(self):
        """From each stop to the next one, both ways: the stop and the steps."""
        for direction, elements in (("up", self.elements), ("down", self.elements[::-1])):
            start, steps = elements[0], []
            for element, following in zip(elements[1:], elements[2:] + [None]):
                if isinstance(element, str):
                    yield start, steps
                    start, steps = element, []
                else:
                    stop = following if isinstance(following, str) else None
                    steps.append(Step(element, direction, stop))


class Network:
    def __init__(self, canals):
        self.legs = {}
        self.known = {}
        for canal in canals:
            for start, steps in canal.legs():
                self.legs.setdefault(start, []).append(steps)

    def route(self, boat, start, closed):
        """The steps of the best way to the boat's goal, or None."""
        key = (start, boat.goal, boat.pace, boat.size, closed)
        if key not in self.known:
            self.known[key] = self.search(boat, start, closed)
        return self.known[key]

    def search(self, boat, start, closed):
        seen = set()
        ways = [((0, 0, ()), start, [])]
        while ways:
            cost, stop, way = heapq.heappop(ways)
            if stop == boat.goal:
                return way
            if stop in seen:
                continue
            seen.add(stop)
            for steps in self.legs.get(stop, []):
                if all(usable(step.section, boat, closed) for step in steps):
                    longer = way + steps
                    heapq.heappush(ways, (way_cost(longer, boat), steps[-1].stop, longer))
        return None


def usable(section, boat, closed):
    return section.admits(boat) and section.name not in closed


def way_minutes(steps, boat):
    return sum(step.section.minutes(boat, step.direction) for step in steps)


def way_cost(steps, boat):
    """What makes a way better than others; the least is the best."""
    locks = sum(isinstance(step.section, Lock) for step in steps)
    return way_minutes(steps, boat), locks, tuple(step.section.name for step in steps)
