"""What a section has to have as a whole."""
from faults import Refused


def check_section(section):
    place = section.place + ": " if section.place else ""
    if section.kind is None:
        raise Refused(place + "no from line")
    if not section.columns:
        raise Refused(place + "no column line")
    for check, things in ((check_row, section.rows), (check_column, section.columns),
                          (check_sort, section.sorts), (check_total, section.totals),
                          (check_note, section.notes)):
        for thing in things:
            check(section, thing)


def refused(thing, message):
    return Refused("%s: %s" % (thing.place, message))


def check_row(section, row):
    if not row.filled:
        return
    if row is not section.rows[-1]:
        raise refused(row, "only the last row can be filled")
    if row.field not in section.periods:
        raise refused(row, "%s is no period" % row.field)


def check_column(section, column):
    if column.statistic and not section.rows:
        raise refused(column, "no row line")
    if section.rows and not column.statistic and column.field not in section.key_fields():
        raise refused(column, "%s needs a statistic" % column.field)


def check_sort(section, sort):
    if section.rows:
        raise refused(sort, "no sort with row lines")


def check_total(section, total):
    if total.field == section.columns[0].field:
        raise refused(total, "no total in the first column")
    if not any(holds_total(column, total) for column in section.columns):
        statistic = " " + total.statistic if section.rows else ""
        raise refused(total, "no column %s%s" % (total.field, statistic))


def check_note(section, note):
    if all(column.field != note.field for column in section.columns):
        raise refused(note, "no column %s" % note.field)


def holds_total(column, total):
    """Whether a total stands below a column."""
    return (column.field == total.field and column.course is None
            and column.statistic in (None, total.statistic))
