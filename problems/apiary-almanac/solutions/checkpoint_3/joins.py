"""Joins: fields of other records, found by a value that both have."""
from faults import Refused
from values import shown


class Joiner:
    """Finds the records that belong to a record."""

    def __init__(self, joins, records):
        self.joins = joins
        self.found = [by_value(join, records) for join in joins]

    def joined(self, record):
        """The record with the fields of those that belong to it, under NAME.FIELD."""
        result = dict(record)
        for join, found in zip(self.joins, self.found):
            other = the_one(join, found.get(result.get(join.ours), []))
            result.update(("%s.%s" % (join.name, name), other[name]) for name in other)
        return result


def by_value(join, records):
    found = {}
    for record in records:
        value = record.get(join.theirs)
        if record["kind"] == join.kind and value is not None:
            found.setdefault(value, []).append(record)
    return found


def the_one(join, records):
    if len(records) > 1:
        value = shown(records[0][join.theirs])
        raise Refused("line %d: several records of %s with %s %s"
                      % (join.line, join.kind, join.theirs, value))
    return records[0] if records else {}
