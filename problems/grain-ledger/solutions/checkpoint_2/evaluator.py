"""Computes the cells of a sheet."""

import library
import nodes
import operators
from graph import Graph
from library import FUNCTIONS
from operators import number
from values import Column, Failure, Fault


def checked(result):
    if isinstance(result, Fault):
        raise Failure(*result)
    return result


class Evaluator:
    def __init__(self, sheet):
        self.sheet = sheet
        self.graph = Graph(sheet)
        self.results = {}
        self.handlers = {
            nodes.Number: lambda node: node.value,
            nodes.Text: lambda node: node.value,
            nodes.Name: self.name,
            nodes.Unary: self.unary,
            nodes.Binary: self.binary,
            nodes.Call: self.call,
        }
        self.lazy = {"if": (3, self.choose), "iferror": (2, self.rescue)}

    def result(self, key):
        """The value of a cell, the Column of a column, or a Fault."""
        if key not in self.results:
            for members in self.graph.components(key, self.results):
                self.compute(members)
        return self.results[key]

    def compute(self, members):
        """Fills in the results of keys that are all on cycles through each other, or of a single one."""
        together = set(members)
        for key in members:
            cycle = self.graph.cycle(key, together)
            if cycle:
                self.results[key] = Fault("cycle " + " -> ".join(cycle), self.graph.uses(key)[cycle[1]])
        for key in members:
            if key not in self.results:
                self.results[key] = self.cell(key) if self.sheet.cell(key) else self.column(key)

    def cell(self, key):
        return self.attempt(self.sheet.cell(key).expression, {})

    def column(self, key):
        table, heading = self.sheet.column(key)
        if heading.expression is None:
            return Column([self.attempt(entry, {}) for entry in table.given_entries(heading.name)])
        used = set(self.graph.uses(key))
        seen = {name: self.results[table.key(name)] for name in table.names() if table.key(name) in used}
        return Column([self.attempt(heading.expression, self.row(seen, index)) for index in range(len(table.rows))])

    @staticmethod
    def row(columns, index):
        return {name: column if isinstance(column, Fault) else column.entries[index] for name, column in columns.items()}

    def attempt(self, node, scope):
        """The value of an expression, or the fault that stops it."""
        self.scope = scope
        try:
            return self.value(node)
        except Failure as failure:
            return failure.fault

    def value(self, node):
        return self.handlers[type(node)](node)

    def name(self, node):
        result = self.found(node)
        if isinstance(result, Column):
            raise Failure("expected a single value, got a column", node.place)
        return result

    def found(self, node):
        """What the name stands for; a column without a fault in it stays whole."""
        if node.name in self.scope:
            return checked(self.scope[node.name])
        if self.sheet.keys_of(node.name) is None:
            raise Failure("unknown name '%s'" % node.name, node.place)
        if self.sheet.table(node.name):
            raise Failure("expected a single value, got a table", node.place)
        result = checked(self.results[node.name])
        if isinstance(result, Column):
            for entry in result.entries:
                checked(entry)
        return result

    def argument(self, node):
        return self.found(node) if isinstance(node, nodes.Name) else self.value(node)

    def unary(self, node):
        operand = number(self.value(node.operand), node.place)
        return operators.truth(operand == 0) if node.op == "not" else -operand

    def binary(self, node):
        left = self.value(node.left)
        if node.op in ("and", "or"):
            return self.logic(node, left)
        return operators.apply(node.op, left, self.value(node.right), node.place)

    def logic(self, node, left):
        decided = node.op == "or"
        if (number(left, node.place) != 0) == decided:
            return operators.truth(decided)
        return operators.truth(number(self.value(node.right), node.place) != 0)

    def call(self, node):
        if node.name in self.lazy:
            count, run = self.lazy[node.name]
            library.check_count(node.name, count, count, len(node.args), node.place)
            return run(node)
        function = FUNCTIONS.get(node.name)
        if function is None:
            raise Failure("unknown function '%s'" % node.name, node.place)
        library.check_count(node.name, function.least, function.most, len(node.args), node.place)
        read = self.argument if function.whole_columns else self.value
        return function.run([read(arg) for arg in node.args], node.place)

    def choose(self, node):
        condition, then, otherwise = node.args
        return self.value(then if number(self.value(condition), node.place) else otherwise)

    def rescue(self, node):
        try:
            return self.value(node.args[0])
        except Failure:
            return self.value(node.args[1])
