"""Reads a scenario."""

import lines
from errors import CanalError
from lines import Option, choice, number, required
from model import Boat, Lock, Reach, Reservation, Reservoir, Scenario, Window
from network import Canal, Network

REACH_OPTIONS = {"length": required(number(1, 9999))}
LOCK_OPTIONS = {
    "up": required(number(1, 999)),
    "down": required(number(1, 999)),
    "room": Option(number(1, 999)),
    "turn": Option(number(0, 999), default=0),
    "start": Option(choice("low", "high"), default="low"),
    "water": Option(number(1, 999999)),
    "reservoir": Option(lines.name),
}
RESERVOIR_OPTIONS = {
    "capacity": required(number(1, 999999)),
    "refill": required(number(1, 999999)),
    "start": Option(number(0, 999999)),
}
BOAT_OPTIONS = {
    "from": required(lines.name),
    "to": required(lines.name),
    "at": required(lines.TIME),
    "pace": required(number(1, 999)),
    "size": Option(number(1, 999), default=10),
    "rank": Option(number(0, 9), default=0),
}
RESERVATION_OPTIONS = {
    "boat": required(lines.name),
    "from": required(lines.TIME),
    "until": required(lines.TIME),
}
CLOSURE_OPTIONS = {"from": required(lines.TIME), "until": required(lines.TIME)}


def read_window(options):
    if options["until"] <= options["from"]:
        raise CanalError("until is not after from")
    return Window(options["from"], options["until"])


class Reader:
    def __init__(self):
        self.scenario = Scenario()
        self.line_of_name = {}
        self.words = {
            "canal": ({}, self.read_canal),
            "stop": ({}, self.read_stop),
            "reach": (REACH_OPTIONS, self.read_reach),
            "lock": (LOCK_OPTIONS, self.read_lock),
            "boat": (BOAT_OPTIONS, self.read_boat),
            "reservoir": (RESERVOIR_OPTIONS, self.read_reservoir),
            "reserve": (RESERVATION_OPTIONS, self.read_reservation),
            "closure": (CLOSURE_OPTIONS, self.read_closure),
        }

    def read(self, text):
        for line_number, found in lines.words(text):
            try:
                self.read_line(line_number, found)
            except CanalError as error:
                raise CanalError("line %d: %s" % (line_number, error)) from None
        self.finish()
        return self.scenario

    def read_line(self, line_number, found):
        if found[0] not in self.words:
            raise CanalError("unknown word '%s'" % found[0])
        kinds, read = self.words[found[0]]
        name = lines.read_name(found[1:])
        read(name, lines.read_options(kinds, found[2:]))
        self.line_of_name.setdefault(name, line_number)

    def claim(self, name):
        if name in self.line_of_name:
            raise CanalError("name '%s' is taken" % name)

    def read_canal(self, name, options):
        self.claim(name)
        if self.scenario.canals:
            self.finish_canal()
        self.scenario.canals.append(Canal(name))

    def finish_canal(self):
        canal = self.canal()
        if not canal.elements:
            raise CanalError("canal %s has no stop" % canal.name)
        if not canal.ends_with_stop():
            raise CanalError("canal must end with a stop")

    def canal(self):
        """The canal that the line belongs to."""
        if not self.scenario.canals:
            self.scenario.canals.append(Canal())
        return self.scenario.canals[-1]

    def read_stop(self, name, options):
        canal = self.canal()
        if name not in self.scenario.stops() or name in canal.stops():
            self.claim(name)
        if canal.elements and canal.ends_with_stop():
            raise CanalError("two stops in a row")
        canal.add(name)

    def read_reach(self, name, options):
        self.claim(name)
        self.add_section(Reach(name, options["length"]))

    def read_lock(self, name, options):
        self.claim(name)
        self.check_supply(options["water"], options["reservoir"])
        self.add_section(
            Lock(
                name,
                options["up"],
                options["down"],
                options["room"],
                options["turn"],
                options["start"],
                options["water"] or 0,
                options["reservoir"],
            )
        )

    def check_supply(self, water, reservoir):
        if water is None and reservoir is None:
            return
        if reservoir is None:
            raise CanalError("water needs reservoir")
        if water is None:
            raise CanalError("reservoir needs water")
        if reservoir not in self.scenario.reservoirs:
            raise CanalError("no reservoir '%s'" % reservoir)
        if water > self.scenario.reservoirs[reservoir].capacity:
            raise CanalError("reservoir %s holds too little" % reservoir)

    def read_reservoir(self, name, options):
        self.claim(name)
        capacity, start = options["capacity"], options["start"]
        if start is None:
            start = capacity
        if start > capacity:
            raise CanalError("start is above capacity")
        self.scenario.reservoirs[name] = Reservoir(name, capacity, options["refill"], start)

    def add_section(self, section):
        if not self.canal().elements:
            raise CanalError("canal must begin with a stop")
        self.canal().add(section)

    def read_boat(self, name, options):
        self.claim(name)
        for stop in (options["from"], options["to"]):
            if stop not in self.scenario.stops():
                raise CanalError("no stop '%s'" % stop)
        if options["from"] == options["to"]:
            raise CanalError("boat %s goes nowhere" % name)
        self.scenario.boats[name] = Boat(
            name,
            options["from"],
            options["to"],
            options["at"],
            options["pace"],
            options["size"],
            options["rank"],
        )

    def read_reservation(self, lock, options):
        boat = options["boat"]
        if lock not in (known.name for known in self.scenario.locks()):
            raise CanalError("no lock '%s'" % lock)
        if boat not in self.scenario.boats:
            raise CanalError("no boat '%s'" % boat)
        window = read_window(options)
        reservations = self.scenario.reservations.setdefault(lock, [])
        if any(window.overlaps(other.window) for other in reservations):
            raise CanalError("lock %s is already reserved then" % lock)
        reservations.append(Reservation(boat, window))

    def read_closure(self, section, options):
        if section not in (known.name for known in self.scenario.sections()):
            raise CanalError("no reach or lock '%s'" % section)
        self.scenario.closures.add(section, read_window(options))

    def finish(self):
        if not self.scenario.canals:
            raise CanalError("no canal")
        self.finish_canal()
        network = Network(self.scenario.canals)
        for boat in self.scenario.boats.values():
            if network.route(boat, boat.start, frozenset()) is None:
                raise CanalError(
                    "line %d: boat %s cannot get from %s to %s"
                    % (self.line_of_name[boat.name], boat.name, boat.start, boat.goal)
                )


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, ValueError):
        raise CanalError("cannot read %s" % path) from None
    return Reader().read(text)
