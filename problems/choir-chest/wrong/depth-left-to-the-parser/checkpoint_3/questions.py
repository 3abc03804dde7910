"""Questions about sheets: a parser that knows comparisons and nothing else."""
import operator
import re

from refusal import Refusal

MOST_CHARACTERS = 1000
MOST_OPEN = 20
TOKEN = re.compile(
    r' *(?:(?P<word>[a-z]+)(?![a-z0-9])|(?P<number>[0-9]{1,9})(?![a-z0-9])'
    r'|(?P<text>"(?:[^"\\]|\\["\\])*")|(?P<sign>!=|[=<>~()]))')
COMPARISONS = {"=": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt, "~": operator.contains}


def _folder(path, _text):
    return path.split("/")[0] if "/" in path else ""


# Field to its kind and its value.
FIELDS = {
    "path": ("text", lambda path, text: path),
    "folder": ("text", _folder),
    "text": ("text", lambda path, text: text),
    "size": ("number", lambda path, text: len(text)),
    "lines": ("number", lambda path, text: text.count("\n")),
}


def parse_question(question):
    """A function of path and text that answers the question."""
    if len(question) > MOST_CHARACTERS:
        raise Refusal("bad question")
    return _Parser(_tokens(question)).whole()


def _tokens(question):
    question = question.rstrip(" ")
    tokens = []
    position = 0
    while position < len(question):
        token = TOKEN.match(question, position)
        if not token:
            raise Refusal("bad question")
        tokens.append((token.lastgroup, token[token.lastgroup]))
        position = token.end()
    return tokens


class _Parser:
    """Recursive descent over tokens, each with its kind. A missing token has neither kind nor text."""

    def __init__(self, tokens):
        self._tokens = tokens[::-1]
        self._open = 0

    def whole(self):
        holds = self._any()
        if self._tokens:
            raise Refusal("bad question")
        return holds

    def _any(self):
        return self._joined("or", self._all, any)

    def _all(self):
        return self._joined("and", self._single, all)

    def _joined(self, word, part, join):
        parts = [part()]
        while self._took(("word", word)):
            parts.append(part())
        return lambda path, text: join(holds(path, text) for holds in parts)

    def _single(self):
        if self._took(("word", "not")):
            holds = self._nested(self._single)
            return lambda path, text: not holds(path, text)
        if self._took(("sign", "(")):
            holds = self._nested(self._any)
            if not self._took(("sign", ")")):
                raise Refusal("bad question")
            return holds
        return self._comparison()

    def _nested(self, part):
        self._open += 1
        if self._open > MOST_OPEN:
            raise Refusal("bad question")
        holds = part()
        self._open -= 1
        return holds

    def _comparison(self):
        (_, field), (_, sign), (kind, value) = self._next(), self._next(), self._next()
        if field not in FIELDS or sign not in COMPARISONS or kind != FIELDS[field][0]:
            raise Refusal("bad question")
        if sign == "~" and kind != "text":
            raise Refusal("bad question")
        value = int(value) if kind == "number" else re.sub(r"\\(.)", r"\1", value[1:-1], flags=re.DOTALL)
        compare, value_of = COMPARISONS[sign], FIELDS[field][1]
        return lambda path, text: compare(value_of(path, text), value)

    def _next(self):
        return self._tokens.pop() if self._tokens else (None, None)

    def _took(self, token):
        if self._tokens and self._tokens[-1] == token:
            self._tokens.pop()
            return True
        return False
