"""What a sheet is made of: cells, functions, and tables with given and computed columns."""

from collections import namedtuple

Function = namedtuple("Function", "name parameters body line")
# another sheet: its alias and its path
Use = namedtuple("Use", "name text path place")
Cell = namedtuple("Cell", "name expression line")
# expression is None where the rows give the values
Heading = namedtuple("Heading", "name expression")
# a line as it was read: what it holds (a Cell, a Function, a Use, a Table, Headings, a Row, END or None) and its comment
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
    """Cells and tables by name, in the order of the file, and functions by theirs."""

    def __init__(self, path):
        self.path = path
        self.uses = {}
        self.definitions = {}
        self.functions = {}
        self.lines = []

    def add(self, definition):
        self.definitions[definition.name] = definition

    def line_of(self, name):
        """The line that defines a cell, a table or an alias, or None."""
        if name in self.uses:
            return self.uses[name].place.line
        return self.definitions[name].line if name in self.definitions else None

    def replaced(self, cell):
        """This sheet with another cell in the place of the one of that name."""
        changed = Sheet(self.path)
        changed.uses, changed.functions, changed.lines = self.uses, self.functions, self.lines
        changed.definitions = {**self.definitions, cell.name: cell}
        return changed

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

    def has(self, name):
        return bool(name in self.definitions or self.column(name))

    def all_keys(self):
        keys = []
        for definition in self.definitions.values():
            keys.extend(definition.keys() if isinstance(definition, Table) else [definition.name])
        return keys
