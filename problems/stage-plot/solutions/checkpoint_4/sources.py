"""The files of a folder: its layers, and what they include."""

import posixpath

from faults import Fault, Place, fail
from reader import Reader, includes_of, performance_of
from sections import Performance

LAYERS = ("house.cue", "tour.cue", "piece.cue", "night.cue")


def night_file(night):
    return "nights/%s.cue" % night


def included_path(name, path):
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


class Sources:
    """Reads all files, the weakest first."""

    def __init__(self, folder, night=None):
        self.folder = folder
        self.night = night_file(night) if night else LAYERS[-1]
        if night and not folder.exists(self.night):
            fail("no night " + night)
        layers = LAYERS[:-1] + (self.night,)
        self.present = [name for name in layers if folder.exists(name)]
        if not self.present:
            fail("no layers in " + folder.path)
        self.files = []
        self.settings = []
        self.faults = []
        self.performance = Performance()

    def read(self):
        texts = {name: self.folder.require(name) for name in self.present}
        self.performance = performance_of(texts.get(self.night, ""))
        for name, text in texts.items():
            self.read_file(name, text, [name])

    def read_file(self, name, text, chain):
        problems = [
            (include.number, self.include(name, include, chain)) for include in includes_of(text)
        ]
        reader = Reader(len(self.files), name, is_night=chain == [self.night])
        self.files.append(name)
        reader.read(text)
        self.settings += reader.settings
        self.faults += reader.faults
        for number, message in problems:
            if message:
                self.faults.append(Fault(Place(reader.order, name, number), (), message))

    def include(self, name, include, chain):
        """Reads an included file; returns what is wrong with that, or None."""
        if not include.is_path:
            return "bad include"
        if include.is_late:
            return "include must come first"
        path = included_path(name, include.path)
        if path in chain:
            return "include goes round: " + " -> ".join(chain[chain.index(path) :] + [path])
        text = self.folder.read(path)
        if text is None:
            return "cannot read " + path
        self.read_file(path, text, chain + [path])
        return None
