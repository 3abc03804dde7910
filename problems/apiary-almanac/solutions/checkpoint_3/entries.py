"""The rows of a section: one for each record, or one for several records together."""
from dataclasses import dataclass, field
from itertools import groupby

from courses import follow_courses
from periods import periods_between
from statistics_of import statistic


@dataclass
class Entry:
    """A row: the fields that it has, the records behind it, and a value for each column."""

    fields: dict
    records: list
    values: list = field(default_factory=list)


def entries_of(section, records):
    """The rows of the sorted records of a section."""
    if section.rows:
        entries = summary_entries(section, records)
    else:
        entries = [Entry(record, [record]) for record in records]
    for entry in entries:
        entry.values = [column_value(column, entry) for column in section.columns]
    follow_courses(section, entries)
    return entries


def column_value(column, entry):
    if column.statistic is None:
        return entry.fields.get(column.field)
    return statistic(column.statistic, [record.get(column.field) for record in entry.records])


def summary_entries(section, records):
    names = section.key_fields()
    entries = [Entry(dict(zip(names, values)), list(members))
               for values, members in groupby(records, key=values_of(names))]
    return filled(section, entries) if section.rows[-1].filled else entries


def values_of(names):
    return lambda fields: tuple(fields.get(name) for name in names)


def filled(section, entries):
    """The rows with one for each period, from the first to the last of the section."""
    *others, name = section.key_fields()
    size = section.periods[name]
    found = {entry.fields[name] for entry in entries} - {None}
    if not found:
        return entries
    periods = periods_between(size, min(found, key=first_day), max(found, key=first_day))
    result = []
    for values, members in groupby(entries, key=lambda entry: values_of(others)(entry.fields)):
        result += filled_run(dict(zip(others, values)), name, list(members), periods)
    return result


def filled_run(fields, name, entries, periods):
    by_period = {entry.fields[name]: entry for entry in entries}
    undated = [by_period[None]] if None in by_period else []
    return [by_period.get(period) or Entry(dict(fields, **{name: period}), [])
            for period in periods] + undated


def first_day(period):
    return period.first_day
