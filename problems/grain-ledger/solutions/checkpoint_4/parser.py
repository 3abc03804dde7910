"""Reads the tokens of one line into a tree."""

import nodes
from lexer import LineError
from values import Place


class Parser:
    def __init__(self, tokens, source, line):
        self.tokens = tokens
        self.source = source
        self.line = line
        self.position = 0

    @property
    def current(self):
        return self.tokens[self.position]

    def advance(self):
        token = self.current
        self.position += 1
        return token

    def at(self, *texts):
        return self.current.kind in ("op", "word") and self.current.text in texts

    def accept(self, text):
        found = self.at(text)
        if found:
            self.advance()
        return found

    def expect(self, text):
        if not self.accept(text):
            self.refuse()

    def expect_kind(self, kind):
        if self.current.kind != kind:
            self.refuse()
        return self.advance()

    def expect_name(self, text):
        if self.current.kind != "name" or self.current.text != text:
            self.refuse()
        self.advance()

    def plain_name(self):
        if "." in self.current.text:
            self.refuse()
        return self.expect_kind("name")

    def refuse(self):
        token = self.current
        if token.kind == "end":
            raise LineError("unexpected end of line", token.column)
        raise LineError("unexpected '%s'" % token.text, token.column)

    def place(self, token):
        return Place(self.source, self.line, token.column)

    def separated(self, read, separator):
        """What `read` gives, once or more, with `separator` between."""
        found = [read()]
        while self.accept(separator):
            found.append(read())
        return tuple(found)

    def expression(self, lowest=nodes.LET):
        """An expression whose operators bind at least as tightly as `lowest`."""
        if lowest == nodes.LET and self.accept("let"):
            return self.let()
        left = self.prefix(lowest)
        while True:
            level = self.operator_level()
            if level is None or level < lowest:
                return left
            token = self.advance()
            right = self.expression(nodes.NEGATE if level == nodes.POWER else level + 1)
            left = nodes.Binary(token.text, left, right, self.place(token))
            if level == nodes.COMPARE == self.operator_level():
                self.refuse()

    def let(self):
        name = self.plain_name()
        self.expect("=")
        value = self.expression()
        self.expect("in")
        return nodes.Let(name.text, value, self.expression())

    def operator_level(self):
        return nodes.BINARY[self.current.text] if self.at(*nodes.BINARY) else None

    def prefix(self, lowest):
        if not self.at(*nodes.UNARY):
            return self.atom()
        level = nodes.UNARY[self.current.text]
        if level < lowest:
            self.refuse()
        token = self.advance()
        return nodes.Unary(token.text, self.expression(level), self.place(token))

    def atom(self):
        if self.accept("("):
            inner = self.expression()
            self.expect(")")
            return inner
        token = self.current
        if token.kind == "number":
            return nodes.Number(self.advance().value)
        if token.kind == "text":
            return nodes.Text(self.advance().value)
        if token.kind != "name":
            self.refuse()
        self.advance()
        if self.accept("("):
            return nodes.Call(token.text, self.arguments(), self.place(token))
        return nodes.Name(token.text, self.place(token))

    def arguments(self):
        if self.accept(")"):
            return ()
        arguments = self.separated(self.expression, ",")
        self.expect(")")
        return arguments
