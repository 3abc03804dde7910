"""The lines that the files of a folder have for each key, and what their kinds must be."""

from typing import NamedTuple

import keys
import schema
from faults import Fault, raise_if_any
from reader import strength
from renames import Renames
from schema import Schema
from sources import Sources


class Layers:
    """``stacks`` has the lines of each key that apply, the weakest first."""

    def __init__(self, folder, performance, night=None):
        sources = Sources(folder, night)
        self.schema = Schema(folder.require(schema.FILE)) if folder.exists(schema.FILE) else None
        self.renames = self.schema.renames if self.schema else Renames()
        sources.read(self.renames)
        self.present = sources.present
        self.files = sources.files
        self.performance = performance.over(sources.performance)
        self.all = sorted(sources.settings, key=strength(self.performance))
        self.settings = [s for s in self.all if self.performance.applies(s.section)]
        self.stacks = build_stacks(self.settings)
        raise_if_any(sources.faults + self.schema_faults() + self.line_faults())

    def schema_faults(self):
        return self.schema.faults if self.schema else []

    def line_faults(self):
        return [
            fault
            for key, stack in self.stacks.items()
            for setting in stack
            for fault in self.faults_of(key, setting)
        ]

    def faults_of(self, key, setting):
        if self.is_checked and self.schema.find(key) is None:
            return [Fault(setting.place, key, "%s is not in the schema" % keys.show(key))]
        lock = self.lock_below(key, setting)
        if lock:
            words = (keys.show(key), lock.place)
            return [Fault(setting.place, key, "%s is locked in %s" % words)]
        expected = self.expected(key)
        if setting.kind and setting.kind != expected.kind:
            return [expected.fault(key, setting, setting.kind)]
        return []

    def lock_below(self, key, setting):
        """The weakest line that locks KEY below a line, or None."""
        stack = self.stacks[key]
        return next((line for line in stack[: stack.index(setting)] if line.locks), None)

    @property
    def is_checked(self):
        return self.schema is not None and not self.schema.faults

    def expected(self, key):
        """Of which kind the values of KEY must be, or None."""
        if self.is_checked:
            kind = self.schema.find(key).kind
            return Expected(kind, "must be " + kind)
        first = next((setting for setting in self.stacks[key] if setting.kind), None)
        return first and Expected(first.kind, "is %s in %s" % (first.kind, first.place))


class Expected(NamedTuple):
    kind: str
    reason: str

    def fault(self, key, setting, kind):
        message = "%s %s, not %s" % (keys.show(key), self.reason, kind)
        return Fault(setting.place, key, message)


def build_stacks(settings):
    """The lines for each key, in the order in which they are given."""
    written = {setting.key for setting in settings if not setting.is_default}
    stacks = {}
    for setting in settings:
        for key in keys_of(setting, written):
            stacks.setdefault(key, []).append(setting)
    return stacks


def keys_of(setting, written):
    if not setting.is_default:
        return {setting.key}
    return {keys.filled(setting.key, other) for other in written} - {None}
