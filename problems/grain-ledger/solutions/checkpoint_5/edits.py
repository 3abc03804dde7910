"""The edits of a file: kept beside it, with those that were taken back."""

import json
from collections import namedtuple

import formatter
from lexer import LineError, tokenize
from parser import Parser
from sheets import Cell, Refused

# as it is kept: the definition as it was given, or None where the cell was removed
Edit = namedtuple("Edit", "name text")


def path_of(path):
    return path + ".edits"


class Log:
    """Edits in effect, the oldest first, and undone ones, the next to redo last."""

    def __init__(self, path, done=(), undone=()):
        self.path = path
        self.done = list(done)
        self.undone = list(undone)

    @classmethod
    def load(cls, path):
        try:
            with open(path_of(path), encoding="utf-8") as file:
                kept = json.load(file)
            return cls(path, *([Edit(*edit) for edit in kept[part]] for part in ("done", "undone")))
        except FileNotFoundError:
            return cls(path)
        except (OSError, ValueError, TypeError, KeyError):
            raise Refused("error: %s is damaged" % path_of(path)) from None

    def save(self):
        with open(path_of(self.path), "w", encoding="utf-8", newline="\n") as file:
            json.dump({"done": self.done, "undone": self.undone}, file)

    def extended(self, edit):
        return Log(self.path, self.done + [edit])

    def undo(self, count):
        """The last `count` edits in effect, the last one first, now taken back."""
        return self._move("undo", self.done, self.undone, count)

    def redo(self, count):
        return self._move("redo", self.undone, self.done, count)

    @staticmethod
    def _move(word, source, target, count):
        if not source:
            raise Refused("error: nothing to %s" % word)
        if len(source) < count:
            raise Refused("error: only %d edits to %s" % (len(source), word))
        moved = [source.pop() for _ in range(count)]
        target.extend(moved)
        return moved


def parse_definition(text, source, number):
    """The cell that `NAME=EXPRESSION` defines."""
    parser = Parser(tokenize(text), source, number)
    name = parser.plain_name()
    parser.expect("=")
    expression = parser.expression()
    parser.expect_kind("end")
    return Cell(name.text, expression, number)


def describe(edit):
    if edit.text is None:
        return "remove %s" % edit.name
    return formatter.definition(edit.name, parse_definition(edit.text, "", 1).expression)


def apply_edits(sheet, log, source):
    """Changes a sheet that was just read as its log says."""
    for number, edit in enumerate(log.done, 1):
        if edit.text is None:
            sheet.remove(edit.name)
        else:
            sheet.put(parse_definition(edit.text, source + "edit ", number))


def cell_edit(sheet, text, number):
    """The edit that `NAME=EXPRESSION` asks for."""
    try:
        name = parse_definition(text, "", number).name
    except LineError as error:
        raise Refused("edit %d:%d: %s" % (number, error.column, error.message)) from None
    if sheet.line_of(name) is not None and not sheet.cell(name):
        raise Refused("error: '%s' is not a cell" % name)
    return Edit(name, text)
