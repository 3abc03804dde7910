"""What a sheet is made of: cells, and tables with given and computed columns."""

from collections import namedtuple

Cell = namedtuple("Cell", "name expression line")
# expression is None where the rows give the values
Heading = namedtuple("Heading", "name expression")
# a line as it was read: what it holds (a Cell, a Table, Headings, a Row, END or None) and its comment
Line = namedtuple("Line", "content comment in_table")
Headings = namedtuple("Headings", "all")
Row = namedtuple("Row", "entries")
END = "end"


class Refused(Exception):
    """What was asked cannot be done; holds the lines to tell."""

    def __init__(self, *lines):
        super().__init__(*lines)
        self.lines = lines


class Table:
    def __init__(self, name, place):
        self.name = name
        self.place = place
        self.headings = None
        self.rows = []

    @property
    def line(self):
        return self.place.line

    def names(self):
        return [heading.name for heading in self.headings]

    def given(self):
        return [heading.name for heading in self.headings if heading.expression is None]

    def heading(self, name):
        return next((heading for heading in self.headings or () if heading.name == name), None)

    def key(self, column):
        return "%s.%s" % (self.name, column)

    def keys(self):
        return [self.key(name) for name in self.names()]

    def given_entries(self, column):
        """The expressions that the rows hold for a given column."""
        index = self.given().index(column)
        return [row[index] for row in self.rows]


class Sheet:
    """Cells and tables by name, in the order of the file. A key names a cell or a `table.column`."""

    def __init__(self):
        self.definitions = {}
        self.lines = []

    def add(self, definition):
        self.definitions[definition.name] = definition

    def table(self, name):
        found = self.definitions.get(name)
        return found if isinstance(found, Table) else None

    def cell(self, name):
        found = self.definitions.get(name)
        return found if isinstance(found, Cell) else None

    def column(self, key):
        """The table and the heading that the key names, or None."""
        name, _, column = key.rpartition(".")
        table = self.table(name)
        heading = table.heading(column) if table else None
        return (table, heading) if heading else None

    def keys_of(self, name):
        """The keys of a cell, a table or a column, or None if there is none of that name."""
        table = self.table(name)
        if table:
            return table.keys()
        return [name] if self.cell(name) or self.column(name) else None

    def all_keys(self):
        return [key for name in self.definitions for key in self.keys_of(name)]
