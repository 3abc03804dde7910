"""The command line."""

from typing import NamedTuple

import keys
from sections import Performance


class Misunderstood(Exception):
    pass


class Command(NamedTuple):
    name: str
    arguments: list
    performance: Performance


def read(words, commands):
    """COMMANDS has for each name a function and how many arguments it takes at least and at most."""
    if not words or words[0] not in commands:
        raise Misunderstood()
    arguments, given = split(words[1:])
    _, least, most = commands[words[0]]
    if not least <= len(arguments) <= most:
        raise Misunderstood()
    return Command(words[0], arguments, read_performance(given))


def split(words):
    """The arguments, and the values of each option."""
    arguments = []
    given = {"--venue": [], "--profile": []}
    rest = iter(words)
    for word in rest:
        if not word.startswith("--"):
            arguments.append(word)
        elif word in given:
            given[word].append(next(rest, ""))
        else:
            raise Misunderstood()
    return arguments, given


def read_performance(given):
    venues, profiles = given["--venue"], given["--profile"]
    if not all(keys.PART.match(name) for name in venues + profiles):
        raise Misunderstood()
    if len(venues) > 1 or len(set(profiles)) < len(profiles):
        raise Misunderstood()
    return Performance(venues[0] if venues else None, tuple(profiles))
