"""The lines of a definition, with those of its parts in place of their uses."""
import os
import re
from dataclasses import dataclass, field

from faults import Refused
from records import read_lines
from words import Words

HOLE = re.compile(r"\{([a-z][a-z0-9_]*)\}")


@dataclass
class Line:
    """A line and where it stands."""

    place: str
    text: str

    def first_word(self):
        return (self.text.replace('"', ' "').split() or [""])[0]

    def is_skipped(self):
        return self.first_word() == "" or self.first_word().startswith("#")

    def words(self):
        with located(self.place):
            return Words(self.text)


@dataclass
class Part:
    line: Line
    parameters: list
    lines: list = field(default_factory=list)


class located:
    """Tells where a fault is, for all that is refused within."""

    def __init__(self, place):
        self.place = place

    def __enter__(self):
        return self

    def __exit__(self, kind, fault, _):
        if kind is Refused and not isinstance(fault, Located):
            raise Located("%s: %s" % (self.place, fault)) from None


class Located(Refused):
    """A fault that says where it is."""


class Source:
    """A definition that is read line by line."""

    def __init__(self, path):
        self.folder = os.path.dirname(path)
        self.lines = lines_of(read_lines(path), "line")
        self.parts = {}
        self.using = []

    def __iter__(self):
        return self.expanded(self.lines)

    def expanded(self, lines):
        """Every line that is not about parts, in the order in which they count."""
        lines = iter(lines)
        for line in lines:
            if line.first_word() == "parts":
                self.read_parts(line)
            elif line.first_word() == "use":
                yield from self.used(line)
            elif line.first_word() in OF_PARTS:
                self.take_part(line, lines)
            else:
                yield line

    def read_parts(self, line):
        words = line.words()
        with located(line.place):
            words.take()
            name = words.text()
            words.end()
            lines = lines_of(read_named(name, os.path.join(self.folder, name)), name + " line")
        lines = iter(lines)
        for inner in lines:
            with located(inner.place):
                if inner.first_word() not in OF_PARTS:
                    raise Refused("unknown word %s" % inner.words().take())
            self.take_part(inner, lines)

    def take_part(self, line, rest):
        """A part from its first line, and of the rest all lines to its end."""
        words = line.words()
        with located(line.place):
            if words.take() == "end":
                raise Refused("end without part")
            name, parameters = part_head(words)
            if name in self.parts:
                raise Refused("part %s given twice" % name)
        part = Part(line, parameters)
        part.lines = list(body(part, rest))
        self.parts[name] = part

    def used(self, line):
        words = line.words()
        with located(line.place):
            words.take()
            name = words.name()
            arguments = [bare(words.take()) for _ in iter(words.more, False)]
            part = self.part_named(name, arguments)
        self.using.append(name)
        values = dict(zip(part.parameters, arguments))
        lines = [replaced(inner, values, line.place) for inner in part.lines]
        yield from self.expanded(with_words(lines))
        self.using.pop()

    def part_named(self, name, arguments):
        if name not in self.parts:
            raise Refused("no part %s" % name)
        if name in self.using:
            raise Refused("part %s uses itself" % name)
        part = self.parts[name]
        if len(arguments) != len(part.parameters):
            raise Refused("part %s needs %d words" % (name, len(part.parameters)))
        return part


OF_PARTS = ("part", "end")


def lines_of(texts, prefix):
    lines = [Line("%s %d" % (prefix, number), text) for number, text in enumerate(texts, 1)]
    return with_words(lines)


def with_words(lines):
    return [line for line in lines if not line.is_skipped()]


def read_named(name, path):
    try:
        return read_lines(path)
    except Refused:
        raise Refused("cannot read " + name) from None


def part_head(words):
    name = words.name()
    parameters = []
    while words.more():
        parameter = words.name()
        if parameter in parameters:
            raise words.wrong()
        parameters.append(parameter)
    return name, parameters


def body(part, rest):
    for line in rest:
        if line.first_word() == "end":
            return end(line)
        if line.first_word() in ("part", "parts"):
            raise Located("%s: part within a part" % line.place)
        yield line
    raise Located("%s: part without end" % part.line.place)


def end(line):
    words = line.words()
    with located(line.place):
        words.take()
        words.end()


def bare(word):
    return word.strip('"')


def replaced(line, values, place):
    """A line of a part with the words of its use in the holes."""
    text = HOLE.sub(lambda hole: values.get(hole.group(1), hole.group(0)), line.text)
    return Line("%s (used in %s)" % (line.place, place), text)
