"""Loads a file and all that it uses, and tells all faults in them."""

import os

from book import Book
from reader import Reader
from sheets import Refused


class Unreadable(Exception):
    pass


def read_lines(path):
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8")
    except OSError:
        raise Unreadable("cannot read %s" % path) from None
    except UnicodeDecodeError:
        raise Unreadable("%s is not UTF-8" % path) from None
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [line[:-1] if line.endswith("\r") else line for line in lines]


class Loader:
    def __init__(self):
        self.readers = {}

    def load(self, shown, path, lines, way):
        """Reads a sheet and those that it uses; `way` holds the paths that led here."""
        reader = self.readers[path] = Reader(shown, path, is_main=not way)
        reader.read(lines)
        for use in reader.sheet.uses.values():
            if use.path in way or use.path == path:
                loop = (way + [path])[(way + [path]).index(use.path):] + [use.path]
                reader.fault(use.place.line, use.place.column, "loop " + " -> ".join(loop))
            elif use.path not in self.readers:
                self.load_used(reader, use, way + [path])

    def load_used(self, reader, use, way):
        try:
            lines = read_lines(use.path)
        except Unreadable as error:
            reader.fault(use.place.line, use.place.column, str(error))
            return
        self.load(use.path, use.path, lines, way)


def load(path):
    loader = Loader()
    try:
        lines = read_lines(path)
    except Unreadable as error:
        raise Refused("error: %s" % error) from None
    main = os.path.normpath(path)
    loader.load(path, main, lines, [])
    told = [
        "%s:%d:%d: %s" % (reader.shown, *fault) for reader in loader.readers.values() for fault in sorted(reader.faults)
    ]
    if told:
        raise Refused(*told)
    return Book(loader.readers[main].sheet, {path: reader.sheet for path, reader in loader.readers.items()})
