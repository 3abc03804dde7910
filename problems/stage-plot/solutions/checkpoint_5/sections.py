"""Sections of a file, and to what a performance they apply."""

import re
from typing import NamedTuple, Optional

import keys

PATTERN = re.compile(r"[a-z*][a-z0-9*-]{0,15}\Z")
COMMENT = re.compile(r"[ \t]*(#.*)?\Z")


class Section(NamedTuple):
    """``number`` counts the sections of a file; ``word`` is None if the header is faulty."""

    number: int
    word: Optional[str]
    names: tuple

    @property
    def header(self):
        return "[%s] " % " ".join((self.word,) + self.names) if self.names else ""


class Performance(NamedTuple):
    """Where and how we play."""

    venue: Optional[str] = None
    profiles: tuple = ()

    def over(self, weaker):
        """This, and what WEAKER says where this says nothing."""
        return Performance(self.venue or weaker.venue, self.profiles or weaker.profiles)

    def applies(self, section):
        if section.word == "venue":
            return self.venue is not None and any(match(name, self.venue) for name in section.names)
        if section.word == "profile":
            return section.names[0] in self.profiles
        return section.word == "always"

    def rank(self, section):
        """How strong the section is within its file; those that do not apply have a rank, too."""
        if section.word == "profile":
            name = section.names[0]
            return 2, self.profiles.index(name) if name in self.profiles else -1
        return int(section.word == "venue"), 0


def match(pattern, name):
    return re.match(pattern.replace("*", ".*") + r"\Z", name) is not None


def read_header(number, line):
    inside, bracket, behind = line[1:].partition("]")
    word, *names = inside.replace("\t", " ").strip(" ").split(" ")
    names = tuple(name for name in names if name)
    if bracket and COMMENT.match(behind) and is_header(word, names):
        return Section(number, word, names)
    return Section(number, None, ())


def is_header(word, names):
    if word == "venue":
        return len(names) > 0 and all(PATTERN.match(name) for name in names)
    if word == "profile":
        return len(names) == 1 and keys.PART.match(names[0]) is not None
    return word == "always" and not names
