"""Values: how they are written and printed."""

import re
from typing import NamedTuple, Union

TEXT_LIMIT = 60
LIST_LIMIT = 12
NUMBER = re.compile(r"-?[0-9]{1,9}(?![^ \t,\]#])")
TRUTH = re.compile(r"(yes|no)(?![^ \t,\]#])")
BLANKS = re.compile(r"[ \t]*")


class Value(NamedTuple):
    kind: str
    content: Union[int, bool, str, tuple]


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
            return Value("text", self.characters())
        match = self.take(NUMBER)
        if match:
            return Value("number", int(match.group()))
        match = self.take(TRUTH)
        if match:
            return Value("truth", match.group() == "yes")
        raise BadValue()

    def characters(self):
        found = []
        while not self.accept('"'):
            found.append(self.character())
        if len(found) > TEXT_LIMIT:
            raise BadValue()
        return "".join(found)

    def character(self):
        escaped = self.accept("\\")
        char = self.text[self.at : self.at + 1]
        if not char or (escaped and char not in '"\\'):
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
        return Value("list", tuple(items))

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
        return '"%s"' % value.content.replace("\\", "\\\\").replace('"', '\\"')
    if value.kind == "truth":
        return "yes" if value.content else "no"
    return str(value.content)
