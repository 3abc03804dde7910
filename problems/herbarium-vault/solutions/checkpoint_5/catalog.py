"""What is marked and indexed, as the log's notes tell it."""
from errors import Refused


class Catalog:
    """For each kind the names that are set, and the note that set each."""

    UNDO = {"unmark": "mark", "unindex": "index"}

    def __init__(self, notes=()):
        self._notes = {"mark": {}, "index": {}}
        for note in notes:
            self.apply(note)

    def apply(self, note):
        if note.word in self.UNDO:
            self._notes[self.UNDO[note.word]].pop(note.name, None)
        else:
            self._notes[note.word][note.name] = note

    def check(self, word, name):
        """Refuses to set what is set, and to undo what is not."""
        kind = self.UNDO.get(word)
        if kind is None and name in self._notes[word]:
            raise Refused(f"already {word}ed")
        if kind is not None:
            self.require(kind, name)

    def require(self, kind, name):
        if name not in self._notes[kind]:
            raise Refused(f"no {kind} {name}")

    def of_kind(self, kind):
        """The notes of a kind, by name."""
        return [note for _, note in sorted(self._notes[kind].items())]

    def notes(self):
        return self.of_kind("mark") + self.of_kind("index")
