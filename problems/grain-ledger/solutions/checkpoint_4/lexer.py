"""Splits one line into tokens."""

import re
from collections import namedtuple

import decimals

# kind: number, text, name, word (a reserved one), op, end
Token = namedtuple("Token", "kind text value column")

RESERVED = {"and", "or", "not", "let", "in"}

TOKEN = re.compile(
    r"""(?P<space>[ \t]+)
      | (?P<number>[0-9]+(?:\.[0-9]+)?)
      | (?P<name>[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*)
      | (?P<text>"(?:[^"]|"")*"(?!"))
      | (?P<op><>|<=|>=|[-+*/^&=<>(),|])""",
    re.VERBOSE,
)


class LineError(Exception):
    """A line that cannot be read: why, and the column."""

    def __init__(self, message, column):
        super().__init__(message)
        self.message = message
        self.column = column


def tokenize(line):
    """The tokens of `line`, closed by one of kind `end` that holds the comment."""
    tokens = []
    position = end = 0
    while position < len(line) and line[position] != "#":
        match = TOKEN.match(line, position)
        if match is None:
            fault = "text is not closed" if line[position] == '"' else "unexpected character '%s'" % line[position]
            raise LineError(fault, position + 1)
        if match.lastgroup != "space":
            tokens.append(_token(match.lastgroup, match.group(), position + 1))
            end = match.end()
        position = match.end()
    tokens.append(Token("end", "", line[position:].rstrip(), end + 1))
    return tokens


def _token(kind, text, column):
    if kind == "number":
        value = decimals.parse(text)
        if value is None:
            raise LineError("number too long", column)
        return Token(kind, text, value, column)
    if kind == "text":
        return Token(kind, text, text[1:-1].replace('""', '"'), column)
    if text in RESERVED:
        return Token("word", text, None, column)
    return Token(kind, text, None, column)
