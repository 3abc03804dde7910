"""The layers of a folder, and what they say together of each key."""

import os

import keys
from faults import Fault, fail, raise_if_any
from reader import Reader

LAYERS = ("house.cue", "tour.cue", "piece.cue", "night.cue")


class Layers:
    def __init__(self, folder):
        self.folder = folder
        self.present = [name for name in LAYERS if os.path.exists(self.path(name))]
        if not self.present:
            fail("no layers in " + folder)
        self.stacks = {}
        faults = []
        for order, name in enumerate(self.present):
            faults += self.read(order, name)
        raise_if_any(faults + self.kind_faults())

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, order, name):
        reader = Reader(order, name)
        try:
            with open(self.path(name), encoding="utf-8", newline="") as file:
                text = file.read()
        except (OSError, UnicodeDecodeError):
            fail("cannot read " + name)
        reader.read(text)
        for setting in reader.settings:
            self.stacks.setdefault(setting.key, []).append(setting)
        return reader.faults

    def kind_faults(self):
        return [
            kind_fault(stack[0], setting)
            for stack in self.stacks.values()
            for setting in stack[1:]
            if setting.value.kind != stack[0].value.kind
        ]

    def keys(self, group=()):
        return [key for key in sorted(self.stacks) if keys.within(key, group)]

    def strongest(self, key):
        return self.stacks[key][-1]

    def unused(self):
        return sum(len(stack) - 1 for stack in self.stacks.values())


def kind_fault(first, setting):
    name = keys.show(setting.key)
    kinds = (name, first.value.kind, first.place, setting.value.kind)
    return Fault(setting.place, "%s is %s in %s, not %s" % kinds)
