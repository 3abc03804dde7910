"""Which records a section shows, with what it joins and computes, and in which order."""
import operator

from joins import Joiner
from values import is_number, is_text, number_of, order_key

COMPARE = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
           "=": operator.eq, "!=": operator.ne}


def in_units(units, record):
    """The record with its quantities as numbers."""
    return {name: quantity(units, value) for name, value in record.items()}


def quantity(units, value):
    if not is_text(value):
        return value
    written, _, unit = value.partition(" ")
    number = number_of(written)
    return value if number is None or unit not in units else number * units[unit]


def chosen(section, records):
    """The records of the section, sorted."""
    joiner = Joiner(section.joins, records)
    kept = [computed(section, joiner.joined(record))
            for record in records if record["kind"] == section.kind]
    kept = [record for record in kept if is_wanted(section, record)]
    for name, falling in reversed(all_sorts(section)):
        kept = sorted_by(kept, name, falling)
    return kept


def computed(section, record):
    """Adds the computed fields to a record; each sees those before it."""
    for name, expression in section.computed.items():
        record[name] = expression(record)
    return record


def all_sorts(section):
    fixed = [(name, False) for name in section.key_fields()]
    return fixed + [(sort.field, sort.falling) for sort in section.sorts]


def is_wanted(section, record):
    return all(holds(condition, record) for condition in section.conditions)


def holds(condition, record):
    left = condition.left(record)
    if condition.right is None:
        return (left is None) == (condition.comparison == "missing")
    right = condition.right(record)
    if left is None or right is None:
        return False
    if is_number(left) != is_number(right):
        return condition.comparison == "!="
    return COMPARE[condition.comparison](left, right)


def sorted_by(records, name, falling):
    """Sorted by one field, stable; records without a value come last."""
    known = [record for record in records if record.get(name) is not None]
    missing = [record for record in records if record.get(name) is None]
    known.sort(key=lambda record: order_key(record[name]), reverse=falling)
    return known + missing
