"""Reads a scenario."""

import lines
from errors import CanalError
from lines import number, required
from model import Boat, Lock, Reach, Scenario

REACH_OPTIONS = {"length": required(number(1, 9999))}
LOCK_OPTIONS = {"up": required(number(1, 999)), "down": required(number(1, 999))}
BOAT_OPTIONS = {
    "from": required(lines.name),
    "to": required(lines.name),
    "at": required(lines.TIME),
    "pace": required(number(1, 999)),
}


class Reader:
    def __init__(self):
        self.scenario = Scenario()
        self.names = set()
        self.words = {
            "stop": ({}, self.read_stop),
            "reach": (REACH_OPTIONS, self.read_reach),
            "lock": (LOCK_OPTIONS, self.read_lock),
            "boat": (BOAT_OPTIONS, self.read_boat),
        }

    def read(self, text):
        for line_number, found in lines.words(text):
            try:
                self.read_line(found)
            except CanalError as error:
                raise CanalError("line %d: %s" % (line_number, error)) from None
        self.finish()
        return self.scenario

    def read_line(self, found):
        if found[0] not in self.words:
            raise CanalError("unknown word '%s'" % found[0])
        kinds, read = self.words[found[0]]
        name = lines.read_name(found[1:])
        read(name, lines.read_options(kinds, found[2:]))

    def claim(self, name):
        if name in self.names:
            raise CanalError("name '%s' is taken" % name)
        self.names.add(name)

    def read_stop(self, name, options):
        self.claim(name)
        elements = self.scenario.canal.elements
        if elements and isinstance(elements[-1], str):
            raise CanalError("two stops in a row")
        self.scenario.canal.add(name)

    def read_reach(self, name, options):
        self.add_section(Reach(name, options["length"]))

    def read_lock(self, name, options):
        self.add_section(Lock(name, options["up"], options["down"]))

    def add_section(self, section):
        self.claim(section.name)
        if not self.scenario.canal.elements:
            raise CanalError("canal must begin with a stop")
        self.scenario.canal.add(section)

    def read_boat(self, name, options):
        self.claim(name)
        for stop in (options["from"], options["to"]):
            if stop not in self.scenario.canal.stops():
                raise CanalError("no stop '%s'" % stop)
        if options["from"] == options["to"]:
            raise CanalError("boat %s goes nowhere" % name)
        self.scenario.boats[name] = Boat(
            name, options["from"], options["to"], options["at"], options["pace"]
        )

    def finish(self):
        elements = self.scenario.canal.elements
        if not elements:
            raise CanalError("no canal")
        if not isinstance(elements[-1], str):
            raise CanalError("canal must end with a stop")


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, ValueError):
        raise CanalError("cannot read %s" % path) from None
    return Reader().read(text)
