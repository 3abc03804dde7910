"""The store as a log of changes."""
from compaction import kept
from catalog import Catalog
from errors import Refused
from index import Index
from logformat import Change, Note
from versions import Versions


class LogStore:
    def __init__(self, log, reading):
        self._log = log
        self.last = reading.last
        self._base = reading.base
        self._versions = Versions(reading.changes)
        self.catalog = Catalog(reading.notes)
        self._indexes = {}
        self._pinned = []

    def get(self, key):
        return self._newest().get(key)

    def put(self, key, value):
        self.write([(key, value)])

    def delete(self, key):
        self.write([(key, None)])

    def write(self, changes):
        """Makes the changes, in key order, one new version."""
        new = [Change(self.last + 1, key, value) for key, value in changes]
        self._log.append(new)
        for change in new:
            self._versions.add(change)
            for index in self._indexes.values():
                index.add(change)
        self.last += 1

    def note(self, word, name):
        """Sets or undoes a mark or an index; the new version."""
        self.catalog.check(word, name)
        note = Note(self.last + 1, word, name)
        self._log.append([note])
        self.catalog.apply(note)
        self._indexes.pop(name, None)
        self.last += 1
        return self.last

    def select(self, selection):
        return self._newest().select(selection)

    def candidates(self, path, wanted):
        """The keys that ever had a term, by an index that must be there."""
        self.catalog.require("index", path)
        if path not in self._indexes:
            self._indexes[path] = Index(path, self._versions.all_changes())
        return self._indexes[path].candidates(wanted)

    def as_of(self, sequence):
        """The store as it was at a version."""
        if sequence > self.last:
            raise Refused(f"version {sequence} is in the future")
        if sequence < self._base and sequence not in self._needed():
            raise Refused(f"version {sequence} is compacted")
        return self._versions.at(sequence)

    def history(self, key):
        return self._versions.line(key).changes

    def changed_since(self, key, sequence):
        changes = self.history(key)
        return bool(changes) and changes[-1].sequence > sequence

    def pin(self, sequence):
        self._pinned.append(sequence)

    def unpin(self, sequence):
        self._pinned.remove(sequence)

    def compact(self):
        """Drops what no needed version shows; how many changes stay and go."""
        versions = self._needed() | {self.last}
        lines = self._versions.lines()
        changes = [
            change
            for line in lines
            for change in kept(line.changes, versions, bool(self._pinned))
        ]
        dropped = sum(len(line.changes) for line in lines) - len(changes)
        changes.sort(key=lambda change: (change.sequence, change.key))
        self._base = self.last
        self._log.create(changes, self.catalog.notes(), self._base)
        self._versions = Versions(changes)
        self._indexes.clear()
        return len(changes), dropped

    def _needed(self):
        marks = self.catalog.of_kind("mark")
        return {note.sequence for note in marks}.union(self._pinned)

    def _newest(self):
        return self._versions.at(self.last)
