"""The tree of an expression."""

from collections import namedtuple

Number = namedtuple("Number", "value")
Text = namedtuple("Text", "value")
Name = namedtuple("Name", "name place")
Unary = namedtuple("Unary", "op operand place")
Binary = namedtuple("Binary", "op left right place")
Call = namedtuple("Call", "name args place")

OR, AND, NOT, COMPARE, JOIN, ADD, MULTIPLY, NEGATE, POWER, ATOM = range(1, 11)

BINARY = {"or": OR, "and": AND, "&": JOIN, "+": ADD, "-": ADD, "*": MULTIPLY, "/": MULTIPLY, "^": POWER}
BINARY.update(dict.fromkeys(["=", "<>", "<", "<=", ">", ">="], COMPARE))
UNARY = {"not": NOT, "-": NEGATE}
