"""Computes the cells of a sheet."""

import library
import nodes
import operators
from library import FUNCTIONS, number
from values import Failure, Fault


class Evaluator:
    def __init__(self, sheet):
        self.sheet = sheet
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

    def cell(self, name):
        """The value or fault of the cell."""
        if name not in self.results:
            try:
                self.results[name] = self.value(self.sheet.cells[name].expression)
            except Failure as failure:
                self.results[name] = failure.fault
        return self.results[name]

    def value(self, node):
        return self.handlers[type(node)](node)

    def name(self, node):
        if node.name not in self.sheet.cells:
            raise Failure("unknown name '%s'" % node.name, node.place)
        result = self.cell(node.name)
        if isinstance(result, Fault):
            raise Failure(*result)
        return result

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
        return function.run([self.value(arg) for arg in node.args], node.place)

    def choose(self, node):
        condition, then, otherwise = node.args
        return self.value(then if number(self.value(condition), node.place) else otherwise)

    def rescue(self, node):
        try:
            return self.value(node.args[0])
        except Failure:
            return self.value(node.args[1])
