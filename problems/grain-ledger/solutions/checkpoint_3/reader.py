"""Reads a file into a sheet, and tells all faults in it."""

from lexer import LineError, tokenize
from library import BUILT_IN
from parser import Parser
from sheets import END, Cell, Function, Heading, Headings, Line, Refused, Row, Sheet, Table


class Reader:
    def __init__(self):
        self.sheet = Sheet()
        self.table = None
        self.faults = []

    def read(self, lines):
        for number, line in enumerate(lines, 1):
            try:
                self.line(number, line)
            except LineError as error:
                self.fault(number, error.column, error.message)
        if self.table:
            self.fault(*self.table.place, "table '%s' is not closed" % self.table.name)

    def fault(self, line, column, message):
        self.faults.append((line, column, message))

    def line(self, number, line):
        tokens = tokenize(line)
        inside = self.table is not None
        content = self.content(Parser(tokens, number)) if len(tokens) > 1 else None
        self.sheet.lines.append(Line(content, tokens[-1].value, inside and content is not END))

    def content(self, parser):
        first, second = parser.tokens[:2]
        if self.table:
            return self.table_line(parser)
        if first.text == "table" and second.text != "=":
            return self.open_table(parser)
        if first.text == "def" and second.text != "=":
            return self.function(parser)
        name = parser.plain_name()
        expression = self.right_side(parser)
        self.check_new(name)
        cell = Cell(name.text, expression, parser.line)
        self.sheet.add(cell)
        return cell

    def function(self, parser):
        parser.advance()
        name = parser.plain_name()
        parser.expect("(")
        parameters = () if parser.accept(")") else self.parameters(parser)
        body = self.right_side(parser)
        if name.text in BUILT_IN:
            raise LineError("'%s' is a built-in function" % name.text, name.column)
        known = self.sheet.functions.get(name.text)
        if known:
            raise LineError("function '%s' is already defined in line %d" % (name.text, known.line), name.column)
        function = Function(name.text, parameters, body, parser.line)
        self.sheet.functions[name.text] = function
        return function

    @staticmethod
    def right_side(parser):
        parser.expect("=")
        expression = parser.expression()
        parser.expect_kind("end")
        return expression

    @staticmethod
    def parameters(parser):
        names = parser.separated(parser.plain_name, ",")
        parser.expect(")")
        for index, name in enumerate(names):
            if name.text in [other.text for other in names[:index]]:
                raise LineError("parameter '%s' is there twice" % name.text, name.column)
        return tuple(name.text for name in names)

    def check_new(self, name):
        known = self.sheet.definitions.get(name.text)
        if known:
            raise LineError("'%s' is already defined in line %d" % (name.text, known.line), name.column)

    def open_table(self, parser):
        parser.advance()
        name = parser.plain_name()
        parser.expect_kind("end")
        self.table = Table(name.text, parser.place(name))
        self.check_new(name)
        self.sheet.add(self.table)
        return self.table

    def table_line(self, parser):
        if [token.text for token in parser.tokens] == ["end", ""]:
            return self.close_table()
        if self.table.headings is None:
            return self.headings(parser)
        column = parser.current.column
        entries = parser.separated(parser.expression, "|")
        parser.expect_kind("end")
        wanted = len(self.table.given())
        if self.table.headings and len(entries) != wanted:
            raise LineError("expected %d entries, got %d" % (wanted, len(entries)), column)
        self.table.rows.append(entries)
        return Row(entries)

    def close_table(self):
        table, self.table = self.table, None
        if table.headings is None:
            self.fault(*table.place, "table '%s' has no columns" % table.name)
        return END

    def headings(self, parser):
        self.table.headings = ()
        names = set()

        def heading():
            name = parser.plain_name()
            if name.text in names:
                raise LineError("column '%s' is there twice" % name.text, name.column)
            names.add(name.text)
            return Heading(name.text, parser.expression() if parser.accept("=") else None)

        found = parser.separated(heading, "|")
        parser.expect_kind("end")
        self.table.headings = found
        return Headings(found)


def read_lines(path):
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8")
    except OSError:
        raise Refused("error: cannot read %s" % path) from None
    except UnicodeDecodeError:
        raise Refused("error: %s is not UTF-8" % path) from None
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [line[:-1] if line.endswith("\r") else line for line in lines]


def load(path):
    reader = Reader()
    reader.read(read_lines(path))
    if reader.faults:
        raise Refused(*("%s:%d:%d: %s" % (path, *fault) for fault in sorted(reader.faults)))
    return reader.sheet
