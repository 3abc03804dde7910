"""Tells which lines had a say in a value."""

import keys
import values
from faults import fail


def explain(book, name):
    key = tuple(name.split("."))
    about = [setting for setting in book.layers.all if keys.matches(setting.key, key)]
    if not about or keys.STAR in key:
        fail("no key " + name)
    lines = [book.equation(key)]
    for setting in about:
        lines += explain_line(book, key, setting)
    return lines


def explain_line(book, key, setting):
    state = state_of(book, key, setting)
    words = (
        setting.place,
        setting.section.header,
        keys.show(setting.key),
        setting.sign,
        setting.text,
        state,
    )
    lines = ["  %s %s%s %s %s (%s)" % words]
    if state == "used":
        lines += ["    " + book.equation(target) for target in targets(setting)]
    return lines


def state_of(book, key, setting):
    if not book.layers.performance.applies(setting.section):
        return "does not apply"
    if setting not in book.layers.stacks.get(key, ()):
        return "no group"
    return "used" if setting in book.says[key] else "overruled"


def targets(setting):
    return list(dict.fromkeys(values.references(setting.value)))
