"""The command line."""

from typing import Callable, NamedTuple, Optional

import keys
from sections import Performance


class Misunderstood(Exception):
    pass


class Command(NamedTuple):
    name: str
    arguments: list
    performance: Performance
    night: Optional[str]
    file: Optional[str]


class Rule(NamedTuple):
    """How a command is called: the function, the least and the most arguments, its options."""

    function: Callable
    least: int
    most: int
    options: tuple = ("--venue", "--profile", "--night")


def read(words, rules):
    if not words or words[0] not in rules:
        raise Misunderstood()
    rule = rules[words[0]]
    arguments, given = split(words[1:], rule.options)
    if not rule.least <= len(arguments) <= rule.most:
        raise Misunderstood()
    names = given["--venue"] + given["--profile"] + given["--night"]
    profiles = tuple(given["--profile"])
    if not all(keys.PART.match(name) for name in names) or len(set(profiles)) < len(profiles):
        raise Misunderstood()
    performance = Performance(single(given["--venue"]), profiles)
    return Command(
        words[0], arguments, performance, single(given["--night"]), single(given["--in"])
    )


def split(words, options):
    """The arguments, and the values of each option."""
    arguments = []
    given = {"--venue": [], "--profile": [], "--night": [], "--in": []}
    rest = iter(words)
    for word in rest:
        if not word.startswith("--"):
            arguments.append(word)
        elif word in options:
            given[word].append(value_of(rest))
        else:
            raise Misunderstood()
    return arguments, given


def value_of(rest):
    value = next(rest, None)
    if value is None:
        raise Misunderstood()
    return value


def single(found):
    if len(found) > 1:
        raise Misunderstood()
    return found[0] if found else None
