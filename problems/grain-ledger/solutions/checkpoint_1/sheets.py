"""Reads a sheet: a file of definitions."""

from collections import namedtuple

from lexer import LineError, tokenize
from parser import Parser

Cell = namedtuple("Cell", "name expression line")


class Refused(Exception):
    """What was asked cannot be done; holds the lines to tell."""

    def __init__(self, *lines):
        super().__init__(*lines)
        self.lines = lines


class Sheet:
    def __init__(self):
        self.cells = {}

    def define(self, line_number, line):
        tokens = tokenize(line)
        if len(tokens) == 1:
            return
        parser = Parser(tokens, line_number)
        name = parser.expect_kind("name")
        parser.expect("=")
        expression = parser.expression()
        parser.expect_kind("end")
        if name.text in self.cells:
            known = self.cells[name.text].line
            raise LineError("'%s' is already defined in line %d" % (name.text, known), name.column)
        self.cells[name.text] = Cell(name.text, expression, line_number)


def read_lines(path):
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8")
    except OSError:
        raise Refused("error: cannot read %s" % path) from None
    except UnicodeDecodeError:
        raise Refused("error: %s is not UTF-8" % path) from None
    return [line[:-1] if line.endswith("\r") else line for line in text.split("\n")]


def load(path):
    sheet = Sheet()
    faults = []
    for number, line in enumerate(read_lines(path), 1):
        try:
            sheet.define(number, line)
        except LineError as error:
            faults.append("%s:%d:%d: %s" % (path, number, error.column, error.message))
    if faults:
        raise Refused(*faults)
    return sheet
