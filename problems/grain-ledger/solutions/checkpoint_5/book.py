"""All sheets that belong together: the main one and those that are used, directly or not.

A key names a cell or a column of any of them, as the main sheet would: `prices.sales.qty`.
"""

from collections import deque

from sheets import Cell


class Book:
    def __init__(self, main, sheets):
        self.main = main
        self.sheets = sheets
        self.prefixes = self.shortest_prefixes()

    def shortest_prefixes(self):
        """How the main sheet gets at each one: through the fewest aliases, the first in the file among equals."""
        prefixes = {self.main.path: ""}
        queue = deque([self.main])
        while queue:
            sheet = queue.popleft()
            for use in sheet.uses.values():
                if use.path not in prefixes:
                    prefixes[use.path] = "%s%s." % (prefixes[sheet.path], use.name)
                    queue.append(self.sheets[use.path])
        return prefixes

    def spot(self, name, sheet=None):
        """The sheet in which a name of `sheet` (or of the main one) ends, and its name there."""
        sheet = sheet or self.main
        while True:
            alias, dot, rest = name.partition(".")
            if not dot or alias not in sheet.uses:
                return sheet, name
            sheet, name = self.sheets[sheet.uses[alias].path], rest

    def key(self, sheet, name):
        return self.prefixes[sheet.path] + name

    def find(self, name, sheet=None):
        """The key of the cell or column that a name means, or None."""
        sheet, name = self.spot(name, sheet)
        return self.key(sheet, name) if sheet.cell(name) or sheet.column(name) else None

    def keys_of(self, name):
        """The keys of a cell, a column or a whole table."""
        sheet, name = self.spot(name)
        table = sheet.table(name)
        return [self.key(sheet, part) for part in (table.keys() if table else [name])]

    def all_keys(self):
        """Keys of all sheets: the main one first, then the others as their keys are found."""
        return [self.key(self.sheets[path], name) for path in self.prefixes for name in self.sheets[path].all_keys()]

    def replaced(self, cells):
        """A book in which the cells with these keys have other expressions."""
        sheets = dict(self.sheets)
        for key, expression in cells.items():
            sheet, name = self.spot(key)
            cell = Cell(name, expression, sheet.cell(name).line)
            sheets[sheet.path] = sheets[sheet.path].replaced(cell)
        return Book(sheets[self.main.path], sheets)
