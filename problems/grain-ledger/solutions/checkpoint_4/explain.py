"""Tells how a value came to be: what it was computed from, down to the given values."""

import formatter
from evaluator import Call
from values import show, show_result


def explain(evaluator, key):
    """The lines that explain `key`; what was told once is not told again."""
    lines = []
    told = set()
    waiting = [(0, key, key)]
    while waiting:
        depth, label, used = waiting.pop()
        head, outcome, source = _told_of(evaluator, used)
        again = label in told
        told.add(label)
        lines.append("%s%s = %s %s" % ("  " * depth, head, show_result(outcome.result), "(above)" if again else source))
        if not again:
            waiting.extend((depth + 1, *item) for item in reversed(list(outcome.used.items())))
    return lines


def _told_of(evaluator, used):
    """What a key or a call is called, what came of it, and from what."""
    if isinstance(used, Call):
        name = "%s(%s)" % (used.name, ", ".join(map(show, used.args)))
        return name, used.outcome, _source(used.function.body)
    sheet, name = evaluator.book.spot(used)
    node = (sheet.cell(name) or sheet.column(name)[1]).expression
    return used, evaluator.outcome(used), _source(node)


def _source(node):
    return "given" if node is None else "from " + formatter.expression(node)
