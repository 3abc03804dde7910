"""The layers of a folder, and the lines that they have for each key."""

import os

import keys
from faults import Fault, fail, raise_if_any
from reader import Reader

LAYERS = ("house.cue", "tour.cue", "piece.cue", "night.cue")


class Layers:
    """``stacks`` has the lines of each key, the weakest first."""

    def __init__(self, folder):
        self.folder = folder
        self.present = [name for name in LAYERS if os.path.exists(self.path(name))]
        if not self.present:
            fail("no layers in " + folder)
        self.settings = []
        faults = []
        for order, name in enumerate(self.present):
            faults += self.read(order, name)
        self.stacks = build_stacks(self.settings)
        for key, stack in self.stacks.items():
            faults += kind_faults(key, stack)
        raise_if_any(faults)

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
        self.settings += reader.settings
        return reader.faults


def build_stacks(settings):
    defaults = [setting for setting in settings if setting.is_default]
    plain = [setting for setting in settings if not setting.is_default]
    written = {setting.key for setting in plain}
    stacks = {}
    for default in defaults:
        for key in {keys.filled(default.key, other) for other in written} - {None}:
            stacks.setdefault(key, []).append(default)
    for setting in plain:
        stacks.setdefault(setting.key, []).append(setting)
    return stacks


def first_with_kind(stack):
    return next((setting for setting in stack if setting.kind), None)


def kind_faults(key, stack):
    first = first_with_kind(stack)
    return [
        kind_fault(key, first, setting, setting.kind)
        for setting in stack
        if setting.kind and setting.kind != first.kind
    ]


def kind_fault(key, first, setting, kind):
    words = (keys.show(key), first.kind, first.place, kind)
    return Fault(setting.place, key, "%s is %s in %s, not %s" % words)
