"""Computes the keys of a sheet, and notes what each has used."""

from collections import namedtuple

import library
import nodes
import operators
from graph import Graph
from library import FUNCTIONS, LAZY
from operators import number
from values import Column, Failure, Fault

DEEPEST_CALL = 100

# What came of a key or a call, and what it used: keys and Calls, by label, in the order of first use.
Outcome = namedtuple("Outcome", "result used")
# A call of a function of the sheet
Call = namedtuple("Call", "function args outcome")


class Frame(namedtuple("Frame", "scope used depth")):
    """Where an expression is computed: its local names, what it has used, and the depth of calls."""

    def bind(self, name, value):
        return self._replace(scope={**self.scope, name: value})


def checked(result):
    if isinstance(result, Fault):
        raise Failure(*result)
    return result


class Evaluator:
    def __init__(self, sheet):
        self.sheet = sheet
        self.graph = Graph(sheet)
        self.outcomes = {}
        self.handlers = {
            nodes.Number: self.literal,
            nodes.Text: self.literal,
            nodes.Name: self.name,
            nodes.Unary: self.unary,
            nodes.Binary: self.binary,
            nodes.Let: self.let,
            nodes.Call: self.call,
        }
        self.lazy = {"if": self.choose, "iferror": self.rescue}

    def outcome(self, key):
        """What came of a cell or a column: a value, a Column, or a Fault."""
        if key not in self.outcomes:
            for members in self.graph.components(key, self.outcomes):
                self.compute(members)
        return self.outcomes[key]

    def result(self, key):
        return self.outcome(key).result

    def compute(self, members):
        """Fills in the outcomes of keys that are all on cycles through each other, or of a single one."""
        together = set(members)
        for key in members:
            cycle = self.graph.cycle(key, together)
            if cycle:
                fault = Fault("cycle " + " -> ".join(cycle), self.graph.uses(key)[cycle[1]])
                self.outcomes[key] = Outcome(fault, {})
        for key in members:
            if key not in self.outcomes:
                self.outcomes[key] = self.cell(key) if self.sheet.cell(key) else self.column(key)

    def cell(self, key):
        frame = Frame({}, {}, 0)
        return Outcome(self.attempt(self.sheet.cell(key).expression, frame), frame.used)

    def column(self, key):
        table, heading = self.sheet.column(key)
        frame = Frame({}, {}, 0)
        if heading.expression is None:
            entries = [self.attempt(entry, frame) for entry in table.given_entries(heading.name)]
        else:
            visible = [name for name in table.names() if table.key(name) in self.graph.uses(key)]
            rows = [{name: (table.key(name), index) for name in visible} for index in range(len(table.rows))]
            entries = [self.attempt(heading.expression, frame._replace(scope=row)) for row in rows]
        return Outcome(Column(entries), frame.used)

    def attempt(self, node, frame):
        """The value of an expression, or the fault that stops it."""
        try:
            return self.value(node, frame)
        except Failure as failure:
            return failure.fault

    def value(self, node, frame):
        return self.handlers[type(node)](node, frame)

    def literal(self, node, frame):
        return node.value

    def name(self, node, frame):
        result = self.found(node, frame)
        if isinstance(result, Column):
            raise Failure("expected a single value, got a column", node.place)
        return result

    def found(self, node, frame):
        """What the name stands for; a column without a fault in it stays whole."""
        if node.name in frame.scope:
            return self.local(frame.scope[node.name], frame)
        if self.sheet.keys_of(node.name) is None:
            raise Failure("unknown name '%s'" % node.name, node.place)
        if self.sheet.table(node.name):
            raise Failure("expected a single value, got a table", node.place)
        result = self.used(node.name, frame)
        if isinstance(result, Column):
            for entry in result.entries:
                checked(entry)
        return result

    def local(self, local, frame):
        """The value of a parameter or a `let`, or the entry of a column in this row."""
        if not isinstance(local, tuple):
            return local
        key, index = local
        return checked(self.used(key, frame).entries[index])

    def used(self, key, frame):
        frame.used[key] = key
        return checked(self.outcomes[key].result)

    def argument(self, node, frame):
        return self.found(node, frame) if isinstance(node, nodes.Name) else self.value(node, frame)

    def unary(self, node, frame):
        operand = number(self.value(node.operand, frame), node.place)
        return operators.truth(operand == 0) if node.op == "not" else -operand

    def binary(self, node, frame):
        left = self.value(node.left, frame)
        if node.op in ("and", "or"):
            return self.logic(node, left, frame)
        return operators.apply(node.op, left, self.value(node.right, frame), node.place)

    def logic(self, node, left, frame):
        decided = node.op == "or"
        if (number(left, node.place) != 0) == decided:
            return operators.truth(decided)
        return operators.truth(number(self.value(node.right, frame), node.place) != 0)

    def let(self, node, frame):
        return self.value(node.body, frame.bind(node.name, self.value(node.value, frame)))

    def call(self, node, frame):
        if node.name in LAZY:
            library.check_count(node.name, LAZY[node.name], LAZY[node.name], len(node.args), node.place)
            return self.lazy[node.name](node, frame)
        if node.name in self.sheet.functions:
            return self.call_own(self.sheet.functions[node.name], node, frame)
        function = FUNCTIONS.get(node.name)
        if function is None:
            raise Failure("unknown function '%s'" % node.name, node.place)
        library.check_count(node.name, function.least, function.most, len(node.args), node.place)
        read = self.argument if function.whole_columns else self.value
        return function.run([read(arg, frame) for arg in node.args], node.place)

    def call_own(self, function, node, frame):
        count = len(function.parameters)
        library.check_count(node.name, count, count, len(node.args), node.place)
        args = tuple(self.value(arg, frame) for arg in node.args)
        if frame.depth == DEEPEST_CALL:
            raise Failure("calls nested too deeply", node.place)
        inner = Frame(dict(zip(function.parameters, args)), {}, frame.depth + 1)
        outcome = Outcome(self.attempt(function.body, inner), inner.used)
        frame.used[function.name, args] = Call(function, args, outcome)
        return checked(outcome.result)

    def choose(self, node, frame):
        condition, then, otherwise = node.args
        decided = number(self.value(condition, frame), node.place)
        return self.value(then if decided else otherwise, frame)

    def rescue(self, node, frame):
        try:
            return self.value(node.args[0], frame)
        except Failure:
            return self.value(node.args[1], frame)
