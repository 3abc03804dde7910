"""Values: how they are written and printed."""

import re
from typing import NamedTuple, Union

import keys

TEXT_LIMIT = 60
LIST_LIMIT = 12
NUMBER = re.compile(r"-?[0-9]{1,9}(?![^ \t,\]#])")
TRUTH = re.compile(r"(yes|no)(?![^ \t,\]#])")
UP_TO_BRACE = re.compile(r"[^}]*")
BELOW = ("^",)
SPECIAL = re.compile(r'["\\]|\$(?={)')
BLANKS = re.compile(r"[ \t]*")


class Value(NamedTuple):
    """What a key has in the end; the items of a list are values."""

    kind: str
    content: Union[int, bool, str, tuple]


class Written(NamedTuple):
    """What a line says: the content of a text is a tuple of strings and references, that of a list
    a tuple of written items, that of a reference a key."""

    kind: str
    content: Union[int, bool, tuple]


class BadValue(Exception):
    pass


class Scanner:
    """Reads a value from a text, from left to right."""

    def __init__(self, text):
        self.text = text
        self.at = 0

    def take(self, pattern):
        match = pattern.match(self.text, self.at)
        if match:
            self.at = match.end()
        return match

    def accept(self, sign):
        found = self.text.startswith(sign, self.at)
        if found:
            self.at += len(sign)
        return found

    def expect(self, sign):
        if not self.accept(sign):
            raise BadValue()

    def skip_blanks(self):
        self.take(BLANKS)

    def value(self):
        return self.list() if self.accept("[") else self.plain()

    def plain(self):
        if self.accept('"'):
            return Written("text", self.pieces())
        if self.accept("${"):
            return self.reference()
        match = self.take(NUMBER)
        if match:
            return Written("number", int(match.group()))
        match = self.take(TRUTH)
        if match:
            return Written("truth", match.group() == "yes")
        raise BadValue()

    def reference(self):
        if self.accept("^}"):
            return Written("reference", BELOW)
        key = keys.parse(self.take(UP_TO_BRACE).group())
        if key is None:
            raise BadValue()
        self.expect("}")
        return Written("reference", key)

    def pieces(self):
        found = []
        while not self.accept('"'):
            found.append(self.reference() if self.accept("${") else self.character())
        if sum(isinstance(piece, str) for piece in found) > TEXT_LIMIT:
            raise BadValue()
        return tuple(found)

    def character(self):
        escaped = self.accept("\\")
        char = self.text[self.at : self.at + 1]
        if not char or (escaped and char not in '"\\$'):
            raise BadValue()
        self.at += 1
        return char

    def list(self):
        items = []
        self.skip_blanks()
        while not (not items and self.accept("]")):
            self.skip_blanks()
            items.append(self.plain())
            self.skip_blanks()
            if self.accept("]"):
                break
            self.expect(",")
        if len(items) > LIST_LIMIT:
            raise BadValue()
        return Written("list", tuple(items))

    def end(self):
        self.skip_blanks()
        if self.at < len(self.text) and not self.accept("#"):
            raise BadValue()


def parse(text):
    """The value that TEXT begins with; only a comment may follow it."""
    scanner = Scanner(text)
    value = scanner.value()
    scanner.end()
    return value


def show(value):
    if value.kind == "list":
        return "[%s]" % ", ".join(show(item) for item in value.content)
    if value.kind == "text":
        return '"%s"' % SPECIAL.sub(r"\\\g<0>", value.content)
    if value.kind == "truth":
        return "yes" if value.content else "no"
    return str(value.content)


def characters(value):
    """What stands for VALUE inside a text."""
    if value.kind == "text":
        return value.content
    if value.kind == "list":
        return ", ".join(characters(item) for item in value.content)
    return show(value)


def is_too_long(value):
    limits = {"text": TEXT_LIMIT, "list": LIST_LIMIT}
    return value.kind in limits and len(value.content) > limits[value.kind]
