"""Cells that are set for the sake of a question, and what that changes."""

import report
from lexer import LineError, tokenize
from parser import Parser
from sheets import Refused
from values import show


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


def affected(evaluator, changed):
    """The keys that are changed or use a changed one, directly or through others."""
    users = {}
    for key in evaluator.book.all_keys():
        for used in evaluator.graph.uses(key):
            users.setdefault(used, []).append(key)
    found = set(changed)
    waiting = list(changed)
    while waiting:
        for user in users.get(waiting.pop(), ()):
            if user not in found:
                found.add(user)
                waiting.append(user)
    return found


def reevaluate(before, after, changed):
    """Gives `after` what it can take over from `before`; the lines that tell the differences."""
    stale = affected(before, changed) | affected(after, changed)
    keys = after.book.all_keys()
    after.outcomes = {key: before.outcome(key) for key in keys if key not in stale}
    old, new = shown_results(before), shown_results(after)
    lines = []
    for label in [*new, *(label for label in old if label not in new)]:
        if old.get(label) != new.get(label):
            lines.append("%s: %s -> %s" % (label, old.get(label, "none"), new.get(label, "none")))
    count = sum(key in stale for key in keys)
    return (lines or ["no changes"]) + ["recomputed: %d of %d" % (count, len(keys))]


def shown_results(evaluator):
    return {label: show(value) for label, value in report.everything(evaluator)}
