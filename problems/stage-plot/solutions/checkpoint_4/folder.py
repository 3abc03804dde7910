"""The files of a folder, with changes that are not written yet."""

import os

from faults import fail


class Folder:
    def __init__(self, path):
        self.path = path
        self.changes = {}

    def place(self, name):
        return os.path.join(self.path, name)

    def exists(self, name):
        return os.path.exists(self.place(name))

    def read(self, name):
        """The text of a file, or None if it cannot be read."""
        if name in self.changes:
            return self.changes[name]
        try:
            with open(self.place(name), encoding="utf-8", newline="") as file:
                return file.read()
        except (OSError, UnicodeDecodeError, ValueError):
            return None

    def require(self, name):
        text = self.read(name)
        if text is None:
            fail("cannot read " + name)
        return text

    def nights(self):
        """The names of the files of all nights."""
        try:
            names = os.listdir(self.place("nights"))
        except OSError:
            return []
        return sorted("nights/" + name for name in names if name.endswith(".cue"))

    def write(self):
        for name, text in self.changes.items():
            try:
                with open(self.place(name), "w", encoding="utf-8", newline="") as file:
                    file.write(text)
            except OSError:
                fail("cannot write " + name)
