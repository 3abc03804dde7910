"""Reads lines into a sheet, and notes all faults in them."""

import os

from lexer import LineError, tokenize
from library import BUILT_IN
from parser import Parser
from sheets import END, Cell, Function, Heading, Headings, Line, Row, Sheet, Table, Use


class Reader:
    def __init__(self, shown, path, is_main):
        self.shown = shown
        self.source = "" if is_main else shown + ":"
        self.sheet = Sheet(path)
        self.table = None
        self.faults = []

    def read(self, lines):
        for number, line in enumerate(lines, 1):
            try:
                self.line(number, line)
            except LineError as error:
                self.fault(number, error.column, error.message)
        if self.table:
            self.fault_at(self.table.place, "table '%s' is not closed" % self.table.name)

    def fault(self, line, column, message):
        self.faults.append((line, column, message))

    def fault_at(self, place, message):
        self.fault(place.line, place.column, message)

    def line(self, number, line):
        tokens = tokenize(line)
        inside = self.table is not None
        content = self.content(Parser(tokens, self.source, number)) if len(tokens) > 1 else None
        self.sheet.lines.append(Line(content, tokens[-1].value, inside and content is not END))

    def content(self, parser):
        first, second = parser.tokens[:2]
        if self.table:
            return self.table_line(parser)
        if first.text == "table" and second.text != "=":
            return self.open_table(parser)
        if first.text == "def" and second.text != "=":
            return self.function(parser)
        if first.text == "use" and second.text != "=":
            return self.use(parser)
        name = parser.plain_name()
        expression = self.right_side(parser)
        self.check_new(name)
        cell = Cell(name.text, expression, parser.line)
        self.sheet.add(cell)
        return cell

    def use(self, parser):
        parser.advance()
        text = parser.expect_kind("text")
        parser.expect_name("as")
        name = parser.plain_name()
        parser.expect_kind("end")
        self.check_new(name)
        path = os.path.normpath(os.path.join(os.path.dirname(self.sheet.path), text.value))
        use = Use(name.text, text.value, path, parser.place(text))
        self.sheet.uses[name.text] = use
        return use

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
        known = self.sheet.line_of(name.text)
        if known:
            raise LineError("'%s' is already defined in line %d" % (name.text, known), name.column)

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
            self.fault_at(table.place, "table '%s' has no columns" % table.name)
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
