"""What each key has in the end: lines laid upon each other, references followed."""

import keys
import values
from faults import Fault
from values import BELOW, Value

EMPTY = Value("list", ())


class Resolver:
    """``values`` has the value of each key, None where it has a fault; ``says`` the settings that
    have a say in it."""

    def __init__(self, layers):
        self.layers = layers
        self.stacks = layers.stacks
        self.values = {}
        self.says = {}
        self.faults = []
        self.path = []
        self.via = {}
        for key in sorted(self.stacks):
            self.value(key)
        self.look_for_required()

    def value(self, key):
        if key not in self.values:
            self.path.append(key)
            self.says[key] = set()
            value = self.settle(key, len(self.stacks[key]))
            self.path.pop()
            self.values[key] = self.measured(key, value)
        return self.values[key]

    def measured(self, key, value):
        if value is None:
            return None
        problem = "is too long" if values.is_too_long(value) else self.outside(key, value)
        if problem is None:
            return value
        strongest = next(s for s in reversed(self.stacks[key]) if s in self.says[key])
        return self.fault(key, strongest, "%s %s" % (keys.show(key), problem))

    def outside(self, key, value):
        limits = self.layers.is_checked and self.layers.schema.find(key).range
        return limits.fault_of(value) if limits else None

    def look_for_required(self):
        if self.layers.is_checked:
            for declared in self.layers.schema.required():
                if declared.key not in self.stacks:
                    message = "%s is required" % keys.show(declared.key)
                    self.fault(declared.key, declared, message)

    def fault(self, key, setting, message):
        self.faults.append(Fault(setting.place, key, message))

    def settle(self, key, count):
        """The value that KEY has by its weakest COUNT lines."""
        setting = self.stacks[key][count - 1]
        self.says[key].add(setting)
        line = LineValue(self, key, count)
        if setting.sign == "=":
            return self.of_right_kind(key, setting, line.value(setting.value))
        base = self.settle(key, count - 1) if count > 1 else EMPTY
        items = line.items(setting.value)
        if base is None or items is None:
            return None
        if setting.sign == "+=":
            return Value("list", base.content + items)
        return Value("list", tuple(item for item in base.content if item not in items))

    def of_right_kind(self, key, setting, value):
        expected = self.layers.expected(key)
        if value is None or expected is None or value.kind == expected.kind:
            return value
        self.faults.append(expected.fault(key, setting, value.kind))
        return None

    def refer(self, key, setting, target):
        """The value of TARGET, to which a line of KEY refers."""
        self.via[key] = setting
        if target not in self.stacks:
            words = (keys.show(key), keys.show(target))
            return self.fault(key, setting, "%s refers to %s, which has no value" % words)
        if target in self.path:
            return self.tell_cycle(self.path[self.path.index(target) :])
        return self.value(target)

    def tell_cycle(self, cycle):
        start = cycle.index(min(cycle))
        around = cycle[start:] + cycle[:start]
        names = [keys.show(key) for key in around + around[:1]]
        self.fault(around[0], self.via[around[0]], "cycle: " + " -> ".join(names))


class LineValue:
    """Turns what a line says into values; ``count`` is the line's place in the stack of its key."""

    def __init__(self, resolver, key, count):
        self.resolver = resolver
        self.key = key
        self.count = count
        self.setting = resolver.stacks[key][count - 1]

    def value(self, written):
        if written.kind == "reference":
            return self.referred(written.content)
        if written.kind == "text":
            return self.text(written.content)
        if written.kind == "list":
            items = self.items(written)
            return None if items is None else Value("list", items)
        return Value(written.kind, written.content)

    def referred(self, target):
        if target != BELOW:
            return self.resolver.refer(self.key, self.setting, target)
        if self.count > 1:
            return self.resolver.settle(self.key, self.count - 1)
        message = "%s has nothing below" % keys.show(self.key)
        return self.resolver.fault(self.key, self.setting, message)

    def text(self, pieces):
        found = [piece if isinstance(piece, str) else self.value(piece) for piece in pieces]
        if None in found:
            return None
        parts = (piece if isinstance(piece, str) else values.characters(piece) for piece in found)
        return Value("text", "".join(parts))

    def items(self, written):
        """The values for which an item or a list stands, or None."""
        parts = written.content if written.kind == "list" else (written,)
        found = [self.value(part) for part in parts]
        if None in found:
            return None
        items = []
        for value in found:
            items += value.content if value.kind == "list" else [value]
        return tuple(items)
