"""Writes trees and sheets back as text."""

import decimals
import nodes
from sheets import END, Cell, Headings, Row
from values import quote


def expression(node, lowest=nodes.OR):
    """The text of `node`, in parentheses if it binds less tightly than `lowest`."""
    level, text = _written(node)
    return "(%s)" % text if level < lowest else text


def _written(node):
    if isinstance(node, nodes.Binary):
        return _binary(node)
    if isinstance(node, nodes.Unary):
        level = nodes.UNARY[node.op]
        gap = " " if node.op == "not" else ""
        return level, node.op + gap + expression(node.operand, level)
    if isinstance(node, nodes.Number):
        return nodes.ATOM, decimals.render(node.value)
    if isinstance(node, nodes.Text):
        return nodes.ATOM, quote(node.value)
    if isinstance(node, nodes.Name):
        return nodes.ATOM, node.name
    return nodes.ATOM, "%s(%s)" % (node.name, ", ".join(map(expression, node.args)))


def _binary(node):
    level = nodes.BINARY[node.op]
    left, right = level, level + 1
    if level == nodes.COMPARE:
        left = right
    elif level == nodes.POWER:
        left, right = right, nodes.NEGATE
    return level, "%s %s %s" % (expression(node.left, left), node.op, expression(node.right, right))


def definition(name, node):
    return name if node is None else "%s = %s" % (name, expression(node))


def line(entry):
    content = _content(entry.content)
    parts = [part for part in (content, entry.comment) if part]
    return ("  " if entry.in_table and parts else "") + "  ".join(parts)


def _content(content):
    if content is None or content is END:
        return content
    if isinstance(content, Cell):
        return definition(content.name, content.expression)
    if isinstance(content, Headings):
        return " | ".join(definition(*heading) for heading in content.all)
    if isinstance(content, Row):
        return " | ".join(map(expression, content.entries))
    return "table %s" % content.name
