"""The files of a folder: its layers, and what they include."""

import os
import posixpath

from faults import Fault, Place, fail
from reader import Reader, includes_of

LAYERS = ("house.cue", "tour.cue", "piece.cue", "night.cue")


def read_text(folder, name):
    """The text of a file, or None if it cannot be read."""
    try:
        with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
            return file.read()
    except (OSError, UnicodeDecodeError, ValueError):
        return None


def exists(folder, name):
    return os.path.exists(os.path.join(folder, name))


def require_text(folder, name):
    text = read_text(folder, name)
    if text is None:
        fail("cannot read " + name)
    return text


class Sources:
    """Reads all files, the weakest first."""

    def __init__(self, folder):
        self.folder = folder
        self.present = [name for name in LAYERS if exists(folder, name)]
        if not self.present:
            fail("no layers in " + folder)
        self.count = 0
        self.settings = []
        self.faults = []

    def read(self):
        texts = [require_text(self.folder, name) for name in self.present]
        for name, text in zip(self.present, texts):
            self.read_file(name, text, [name])

    def read_file(self, name, text, chain):
        problems = [
            (include.number, self.include(name, include, chain)) for include in includes_of(text)
        ]
        reader = Reader(self.count, name)
        self.count += 1
        reader.read(text)
        self.settings += reader.settings
        self.faults += reader.faults
        for number, message in problems:
            if message:
                self.faults.append(Fault(Place(reader.order, name, number), (), message))

    def include(self, name, include, chain):
        """Reads an included file; returns what is wrong with that, or None."""
        if not include.path or include.path.startswith("/"):
            return "bad include"
        if include.is_late:
            return "include must come first"
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), include.path))
        if path in chain:
            return "include goes round: " + " -> ".join(chain[chain.index(path) :] + [path])
        text = read_text(self.folder, path)
        if text is None:
            return "cannot read " + path
        self.read_file(path, text, chain + [path])
        return None
