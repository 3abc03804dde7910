"""The values of a folder for one performance, without faults."""

import keys
import values
from faults import fail, raise_if_any
from layers import Layers
from resolver import Resolver


class Book:
    def __init__(self, folder, performance, night=None):
        self.layers = Layers(folder, performance, night)
        resolver = Resolver(self.layers)
        raise_if_any(resolver.faults)
        self.values = resolver.values
        self.says = resolver.says

    def named(self, text):
        """The key that an argument stands for."""
        return self.layers.renames.last(tuple(text.split(".")))

    def old_names(self):
        """What to tell of lines that use names from before, each line once."""
        lines = sorted(self.layers.all, key=lambda setting: setting.place)
        told = [
            "%s: %s" % (setting.place, note)
            for setting in lines
            for note in self.layers.renames.notes(setting.used_names())
        ]
        return list(dict.fromkeys(told))

    def find(self, text):
        key = self.named(text)
        if key not in self.values:
            fail("no key " + text)
        return key

    def show(self, key):
        return values.show(self.values[key])

    def equation(self, key):
        if key not in self.values:
            return keys.show(key) + " has no value"
        return "%s = %s" % (keys.show(key), self.show(key))

    def origins(self, key):
        says = self.says[key]
        return [str(setting.place) for setting in self.layers.stacks[key] if setting in says]

    def unused(self):
        used = set().union(*self.says.values())
        return sum(setting not in used for setting in self.layers.settings)
