"""The store room: dyes, their scales, and the entries of what went in and out.

All state changes while the lock `changed` is held. Whoever waits for a change waits on it.
"""
import threading
import time

from faults import Refusal


class StoreRoom:
    def __init__(self):
        self.changed = threading.Condition()
        self._grams = {}
        self._on_scale = {}
        self._entries = []

    def add(self, dye, grams):
        with self.changed:
            if dye in self._grams:
                raise Refusal(409, "dye-exists")
            self._grams[dye] = grams
            return self._shape(dye)

    def dye(self, dye):
        with self.changed:
            if dye not in self._grams:
                raise Refusal(404, "no-dye", dye=dye)
            return self._shape(dye)

    def dyes(self):
        with self.changed:
            return [self._shape(dye) for dye in sorted(self._grams)]

    def entries(self):
        with self.changed:
            return list(self._entries)

    def refill(self, dye, grams):
        with self.changed:
            self.check_known([dye])
            return self.record({dye: grams})

    def weigh(self, parts, into, seconds):
        """Takes parts, and adds them to the dye `into` if there is one.

        Wrong: it has no scales, and writes what it read before it waited.
        """
        self.check_known([*sorted(parts), *([into] if into else [])])
        for dye in sorted(parts):
            if self._grams[dye] < parts[dye]:
                raise Refusal(409, "short", dye=dye, grams=self._grams[dye])
        left = {dye: self._grams[dye] - grams for dye, grams in parts.items()}
        time.sleep(seconds)
        changes = {dye: -grams for dye, grams in parts.items()}
        if into:
            changes[into] = sum(parts.values())
            left[into] = self._grams[into] + changes[into]
        self._grams.update(left)
        entry = {"entry": len(self._entries) + 1, "changes": changes, "left": left}
        self._entries.append(entry)
        return entry

    def check_known(self, dyes):
        for dye in dyes:
            if dye not in self._grams:
                raise Refusal(404, "no-dye", dye=dye)

    def record(self, changes):
        """Applies changes as one entry. The lock must be held."""
        for dye, change in changes.items():
            self._grams[dye] += change
        left = {dye: self._grams[dye] for dye in changes}
        entry = {"entry": len(self._entries) + 1, "changes": changes, "left": left}
        self._entries.append(entry)
        return entry

    def _shape(self, dye):
        return {"id": dye, "grams": self._grams[dye]}
