"""Keys that have another name now."""

import keys


class Renames:
    def __init__(self):
        self.next = {}

    def add(self, old, new, number):
        """Line NUMBER of the schema says that OLD is NEW; ValueError if that cannot be."""
        if old in self.next:
            words = (keys.show(old), self.next[old][1])
            raise ValueError("%s is renamed twice, first in line %d" % words)
        way = [old] + self.way(new)
        if way[-1] == old:
            raise ValueError("renames go round: " + " -> ".join(keys.show(key) for key in way))
        self.next[old] = new, number

    def way(self, key):
        """KEY and the names that it got one after another."""
        found = [key]
        while found[-1] in self.next:
            found.append(self.next[found[-1]][0])
        return found

    def last(self, key):
        return self.way(key)[-1]

    def number(self, key):
        """The line that renames KEY, or None."""
        return self.next[key][1] if key in self.next else None

    def notes(self, used):
        """What to tell of the keys that a line uses."""
        return [
            "%s is now %s" % (keys.show(key), keys.show(self.last(key)))
            for key in dict.fromkeys(used)
            if key in self.next
        ]
