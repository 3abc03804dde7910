"""Cells that are set for the sake of a question, and what that changes."""

from evaluator import Evaluator
from lexer import LineError, tokenize
from parser import Parser
from sheets import Refused


def parse_sets(book, texts):
    """The expressions by key that `NAME=EXPRESSION` texts give."""
    found = {}
    for number, text in enumerate(texts, 1):
        name, expression = _parse_set(number, text)
        sheet, local = book.spot(name)
        key = book.key(sheet, local)
        if not sheet.cell(local):
            raise Refused("error: no cell '%s'" % name)
        if key in found:
            raise Refused("error: '%s' is set twice" % name)
        found[key] = expression
    return found


def _parse_set(number, text):
    try:
        parser = Parser(tokenize(text), "set ", number)
        name = parser.expect_kind("name").text
        parser.expect("=")
        expression = parser.expression()
        parser.expect_kind("end")
    except LineError as error:
        raise Refused("set %d:%d: %s" % (number, error.column, error.message)) from None
    return name, expression


def affected(graph, keys, changed):
    """Those of `keys` that are changed or use a changed one, directly or through others."""
    users = {}
    for key in keys:
        for used in graph.uses(key):
            users.setdefault(used, []).append(key)
    found = set(changed)
    waiting = list(changed)
    while waiting:
        for user in users.get(waiting.pop(), ()):
            if user not in found:
                found.add(user)
                waiting.append(user)
    return found


def reevaluated(evaluator, sets):
    """An evaluator of the book with `sets`, and the keys that it has to compute anew."""
    changed = Evaluator(evaluator.book.replaced(sets))
    keys = evaluator.book.all_keys()
    stale = affected(changed.graph, keys, sets)
    changed.outcomes = {key: evaluator.outcome(key) for key in keys if key not in stale}
    return changed, stale
