"""The journal: one line for each command that could change the chest, without secrets."""
import os

JOURNALED = ("take", "drop", "lock", "unlock")
MOST_CHARACTERS = 80
FILE = "journal.json"


class Journal:
    def __init__(self, store):
        self._store = store

    def add(self, command, argument, line):
        lines = self._store.load(FILE, [])
        lines.append("{} {}: {}".format(command, _written(argument), line))
        self._store.write(FILE, lines)


def _written(argument):
    for name in ("CHEST_KEY", "CHEST_WORD"):
        secret = os.environ.get(name)
        if secret:
            argument = argument.replace(secret, "***")
    return "".join(map(_escaped, argument[:MOST_CHARACTERS]))


def _escaped(character):
    if " " <= character <= "~" and character != "\\":
        return character
    return "\\u{{{:x}}}".format(ord(character))
