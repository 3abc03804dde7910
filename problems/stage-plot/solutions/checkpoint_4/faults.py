"""What is told when something is wrong, and where it stands."""

from typing import NamedTuple


class Place(NamedTuple):
    """A line of a file; ``order`` is the rank of the file, the weakest first."""

    order: int
    file: str
    number: int

    def __str__(self):
        return "%s:%d" % (self.file, self.number)


class Fault(NamedTuple):
    place: Place
    key: tuple
    message: str


class Failure(Exception):
    """Ends a command; ``lines`` is what is told."""

    def __init__(self, lines):
        super().__init__("\n".join(lines))
        self.lines = lines


def fail(message):
    raise Failure(["error: " + message])


def raise_if_any(faults):
    """Tells all faults in their order, the same only once."""
    told = ["%s: %s" % (fault.place, fault.message) for fault in sorted(faults)]
    if told:
        raise Failure(list(dict.fromkeys(told)))
