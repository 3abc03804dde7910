"""Which records a report shows, and in which order."""
import operator

from values import is_number, order_key

COMPARE = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
           "=": operator.eq, "!=": operator.ne}


def chosen(report, records):
    """The records of the report, sorted."""
    kept = [record for record in records if is_wanted(report, record)]
    for name, falling in reversed(all_sorts(report)):
        kept = sorted_by(kept, name, falling)
    return kept


def all_sorts(report):
    return [(name, False) for name in report.groups] + report.sorts


def is_wanted(report, record):
    return record["kind"] == report.kind and all(
        holds(condition, record.get(condition.field)) for condition in report.conditions)


def holds(condition, value):
    if condition.comparison in ("missing", "known"):
        return (value is None) == (condition.comparison == "missing")
    if value is None:
        return False
    if is_number(value) != is_number(condition.value):
        return condition.comparison == "!="
    return COMPARE[condition.comparison](value, condition.value)


def sorted_by(records, name, falling):
    """Sorted by one field, stable; records without a value come last."""
    known = [record for record in records if record.get(name) is not None]
    missing = [record for record in records if record.get(name) is None]
    known.sort(key=lambda record: order_key(record[name]), reverse=falling)
    return known + missing
