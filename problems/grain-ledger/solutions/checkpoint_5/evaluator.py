"""Computes the keys of a book, and notes what each has used."""

from collections import namedtuple

import library
import nodes
import operators
from graph import Graph
from library import FUNCTIONS, LAZY
from operators import number
from values import Column, Failure, Fault, OutOfSteps

DEEPEST_CALL = 100
DEFAULT_LIMIT = 100000

# What came of a key or a call, what it used (keys and Calls, by label, in the order of first use),
# and the steps of a key
Outcome = namedtuple("Outcome", "result used steps", defaults=(0,))
# A call of a function of a sheet, with the name by which the main sheet knows it
Call = namedtuple("Call", "name function args outcome")


class Meter:
    """Counts the steps of one key, and keeps what its calls gave."""

    def __init__(self, limit):
        self.limit = limit
        self.steps = 0
        self.calls = {}

    def step(self, place):
        if self.steps == self.limit:
            raise OutOfSteps("more than %d steps" % self.limit, place)
        self.steps += 1


class Frame(namedtuple("Frame", "sheet scope used depth meter")):
    """Where an expression is computed: in which sheet, its local names, what it has used, the depth of calls, and its meter."""

    def bind(self, name, value):
        return self._replace(scope={**self.scope, name: value})


def checked(result):
    if isinstance(result, Fault):
        raise Failure(*result)
    return result


class Evaluator:
    def __init__(self, book, limit=DEFAULT_LIMIT):
        self.limit = limit
        self.book = book
        self.graph = Graph(book)
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
                self.outcomes[key] = self.computed(key)

    def computed(self, key):
        sheet, name = self.book.spot(key)
        frame = Frame(sheet, {}, {}, 0, Meter(self.limit))
        cell = sheet.cell(name)
        result = self.attempt(cell.expression, frame) if cell else self.column(name, frame)
        return Outcome(result, frame.used, frame.meter.steps)

    def column(self, name, frame):
        table, heading = frame.sheet.column(name)
        if heading.expression is None:
            entries = [self.attempt(entry, frame) for entry in table.given_entries(heading.name)]
        else:
            keys = {other: self.book.key(frame.sheet, table.key(other)) for other in table.names()}
            rows = [{other: (key, index) for other, key in keys.items()} for index in range(len(table.rows))]
            entries = [self.attempt(heading.expression, frame._replace(scope=row)) for row in rows]
        return Column(entries)

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
        sheet, name = self.book.spot(node.name, frame.sheet)
        if not sheet.has(name):
            raise Failure("unknown name '%s'" % node.name, node.place)
        if sheet.table(name):
            raise Failure("expected a single value, got a table", node.place)
        result = self.used(self.book.key(sheet, name), frame)
        if isinstance(result, Column):
            checked(result.fault)
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
        frame.meter.step(node.place)
        operand = number(self.value(node.operand, frame), node.place)
        return operators.truth(operand == 0) if node.op == "not" else -operand

    def binary(self, node, frame):
        frame.meter.step(node.place)
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
        frame.meter.step(node.place)
        return self.value(node.body, frame.bind(node.name, self.value(node.value, frame)))

    def call(self, node, frame):
        frame.meter.step(node.place)
        if node.name in LAZY:
            library.check_count(node.name, LAZY[node.name], LAZY[node.name], len(node.args), node.place)
            return self.lazy[node.name](node, frame)
        sheet, name = self.book.spot(node.name, frame.sheet)
        if name in sheet.functions:
            return self.call_own(sheet, sheet.functions[name], node, frame)
        function = FUNCTIONS.get(node.name)
        if function is None:
            raise Failure("unknown function '%s'" % node.name, node.place)
        library.check_count(node.name, function.least, function.most, len(node.args), node.place)
        read = self.argument if function.whole_columns else self.value
        return function.run([read(arg, frame) for arg in node.args], node.place)

    def call_own(self, sheet, function, node, frame):
        count = len(function.parameters)
        library.check_count(node.name, count, count, len(node.args), node.place)
        args = tuple(self.value(arg, frame) for arg in node.args)
        label = self.book.key(sheet, function.name), args
        if label not in frame.meter.calls:
            if frame.depth == DEEPEST_CALL:
                raise Failure("calls nested too deeply", node.place)
            frame.meter.calls[label] = Call(label[0], function, args, self.run(sheet, function, args, frame))
        frame.used[label] = frame.meter.calls[label]
        return checked(frame.used[label].outcome.result)

    def run(self, sheet, function, args, frame):
        """What comes of the body of a function."""
        inner = Frame(sheet, dict(zip(function.parameters, args)), {}, frame.depth + 1, frame.meter)
        try:
            result = self.value(function.body, inner)
        except OutOfSteps:
            raise
        except Failure as failure:
            result = failure.fault
        return Outcome(result, inner.used)

    def choose(self, node, frame):
        condition, then, otherwise = node.args
        decided = number(self.value(condition, frame), node.place)
        return self.value(then if decided else otherwise, frame)

    def rescue(self, node, frame):
        try:
            return self.value(node.args[0], frame)
        except OutOfSteps:
            raise
        except Failure:
            return self.value(node.args[1], frame)
