"""Sets and unsets keys in the files where they belong."""

from typing import NamedTuple

import keys
import values
from book import Book
from document import Document
from faults import fail
from reader import HEAD, head_of, strength
from sections import Section
from values import BadValue


class Spot(NamedTuple):
    """A section of a file, and the lines there that write a key out."""

    file: str
    section: Section
    lines: list


def require_key(name):
    key = keys.parse(name)
    if key is None:
        fail("bad key '%s'" % name)
    return key


def set_value(command, folder):
    _, name, value = command.arguments
    book = Book(folder, command.performance, command.night)
    key, text = require_key(name), require_value(name, value)
    spot = find_spot(book, key, command.file)
    document = Document(folder.require(spot.file))
    if spot.lines:
        number = spot.lines[0].place.number
        document.replace(spot.lines[0], text)
        document.take_out({line.place.number for line in spot.lines[1:]})
    else:
        number = 1 + line_before(folder.require(spot.file), key)
        document.insert(number - 1, "%s = %s" % (name, text))
    changed = finish(command, folder, {spot.file: document.text()})
    return ["%s:%d %s = %s" % (spot.file, number, name, text), changed.equation(key)]


def require_value(name, text):
    text = text.strip(" \t")
    try:
        _, own = values.parse(text)
    except BadValue:
        own = None
    if own != text or "\n" in text:
        fail("bad value for " + name)
    return text


def unset(command, folder):
    name = command.arguments[1]
    book = Book(folder, command.performance, command.night)
    key = require_key(name)
    spot = find_spot(book, key, command.file)
    if not spot.lines:
        where = "not set in " + command.file if command.file else "set nowhere"
        fail("%s is %s" % (name, where))
    document = Document(folder.require(spot.file))
    numbers = [line.place.number for line in spot.lines]
    document.take_out(numbers)
    changed = finish(command, folder, {spot.file: document.text()})
    told = ["%s:%d taken out" % (spot.file, number) for number in numbers]
    return told + [changed.equation(key)]


def find_spot(book, key, file):
    layers = book.layers
    if file is not None and file not in layers.files:
        fail(file + " is not in use")
    lines = deciding_lines(book, key, file)
    if not lines:
        return Spot(file or layers.present[-1], HEAD, [])
    strongest = max(lines, key=strength(layers.performance))
    return spot_of(layers, strongest)


def deciding_lines(book, key, file):
    """The lines of KEY by which a spot may be chosen: those that have a say, or those of FILE."""
    lines = [line for line in book.layers.settings if line.key == key]
    if file is None:
        return [line for line in lines if line in book.says[key]]
    return [line for line in lines if line.place.file == file]


def spot_of(layers, strongest):
    """The spot in which a line stands."""
    beside = [
        line
        for line in layers.settings
        if (line.place.order, line.key) == (strongest.place.order, strongest.key)
        and line.section == strongest.section
    ]
    return Spot(strongest.place.file, strongest.section, beside)


def line_before(text, key):
    """The number of the line behind which a new one for KEY belongs, or 0."""
    best, number = 0, 0
    for line in head_of(text):
        common = keys.common_parts(line.key, key) if line.key else 0
        if common >= best:
            best, number = common, line.number
    return number


def finish(command, folder, changes):
    """Looks at everything as it will be, and writes it."""
    folder.changes = changes
    book = Book(folder, command.performance, command.night)
    folder.write()
    return book
