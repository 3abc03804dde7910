"""Reads definitions of reports."""
from fractions import Fraction

from checks import check_section
from expressions import read_expression
from faults import Refused
from model import (COURSES, STATISTICS, Column, Condition, Join, Note, Report, RowField, Sort,
                   Total)
from parts import Source, located
from periods import SIZES, period_of
from values import MOST_DECIMALS

NARROWEST, WIDEST = 3, 40
MOST_GROUPS = 3
MOST_ROWS = 3
SHORTEST_PAGE, LONGEST_PAGE = 12, 200
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")


def read_definition(path):
    report = Report()
    for line in Source(path):
        words = line.words()
        with located(line.place):
            read_line(report, line.place, words)
    if len(report.sections) > 1:
        del report.sections[0]
    for section in report.sections:
        check_section(section)
    return report


def read_line(report, place, words):
    word = words.take()
    if word in OF_REPORTS:
        OF_REPORTS[word](report, place, words)
    elif word in OF_SECTIONS:
        OF_SECTIONS[word](report.section(), place, words)
    else:
        raise Refused("unknown word %s" % word)
    words.end()


def read_title(report, _, words):
    if report.title is not None:
        raise Refused("title given twice")
    report.title = words.text()


def read_page(report, _, words):
    if report.page is not None:
        raise Refused("page given twice")
    report.page = words.whole("page", SHORTEST_PAGE, LONGEST_PAGE)


def read_unit(report, _, words):
    name = words.name()
    if name in report.units:
        raise Refused("unit %s given twice" % name)
    factor = Fraction(1)
    if words.more():
        words.one_of("=")
        factor = words.number()
        if factor <= 0:
            raise words.wrong()
        factor *= known_unit(report.units, words)[1]
    report.units[name] = factor


def known_unit(units, words):
    name = words.name()
    if name not in units:
        raise Refused("no unit %s" % name)
    return name, units[name]


def read_section(report, place, words):
    title = words.text()
    shared = report.sections[0]
    if shared.is_begun():
        raise Refused("section comes too late")
    report.sections.append(shared.begin(place, title))


def read_from(section, _, words):
    if section.kind is not None:
        raise Refused("from given twice")
    section.kind = words.name()


def read_join(section, place, words):
    kind = words.name()
    name = kind
    if words.one_of(("as", "by")) == "as":
        name = words.name()
        words.one_of(("by",))
    if any(join.name == name for join in section.joins):
        raise Refused("join %s given twice" % name)
    theirs = words.name()
    words.one_of("=")
    section.joins.append(Join(place, name, kind, theirs, words.field()))


def computed_name(section, words):
    name = words.name()
    if name in section.computed:
        raise Refused("%s is computed twice" % name)
    words.one_of("=")
    return name


def read_compute(section, _, words):
    name = computed_name(section, words)
    section.computed[name] = read_expression(words)


def read_period(section, _, words):
    name = computed_name(section, words)
    size = words.one_of(tuple(SIZES))
    words.one_of(("of",))
    field = words.field()
    section.computed[name] = lambda record: period_of(size, record.get(field))
    section.periods[name] = size


def read_column(report, place, words):
    column = Column(words.field(), place)
    while words.more():
        read_option(column, report.units, words)
    report.section().columns.append(column)


def read_option(column, units, words):
    word = words.take()
    if word in STATISTICS:
        column.statistic = word
    elif word in COURSES:
        column.course = word
    elif word in ("left", "right"):
        column.side = word
    elif word in OPTIONS:
        OPTIONS[word](column, units, words)
    else:
        raise words.wrong()


def read_as(column, _, words):
    column.title = words.text()


def read_width(column, _, words):
    column.width = words.whole("width", NARROWEST, WIDEST)


def read_decimals(column, _, words):
    column.decimals = words.whole("decimals", 0, MOST_DECIMALS)


def read_in(column, units, words):
    column.unit, column.factor = known_unit(units, words)


def read_or(column, _, words):
    column.instead = words.text()


OPTIONS = {"as": read_as, "width": read_width, "decimals": read_decimals, "in": read_in,
           "or": read_or}


def read_where(section, _, words):
    section.conditions.append(read_condition(words))


def read_note(section, place, words):
    name, text = words.field(), words.text()
    words.one_of(("when",))
    section.notes.append(Note(place, name, text, read_condition(words)))


def read_condition(words):
    left = read_expression(words)
    comparison = words.one_of(COMPARISONS + ("is",))
    if comparison == "is":
        return Condition(left, words.one_of(("missing", "known")))
    return Condition(left, comparison, read_expression(words))


def read_sort(section, place, words):
    name = words.field()
    falling = words.more() and words.one_of(("down",)) == "down"
    section.sorts.append(Sort(place, name, falling))


def read_group(section, _, words):
    if len(section.groups) == MOST_GROUPS:
        raise Refused("more than %d groups" % MOST_GROUPS)
    section.groups.append(words.field())


def read_row(section, place, words):
    if len(section.rows) == MOST_ROWS:
        raise Refused("more than %d rows" % MOST_ROWS)
    name = words.field()
    filled = words.more() and words.one_of(("filled",)) == "filled"
    section.rows.append(RowField(place, name, filled))


def read_total(section, place, words):
    section.totals.append(Total(place, words.field(), words.one_of(STATISTICS)))


OF_REPORTS = {"title": read_title, "unit": read_unit, "section": read_section,
              "column": read_column, "page": read_page}
OF_SECTIONS = {"from": read_from, "join": read_join, "compute": read_compute,
               "period": read_period, "where": read_where, "sort": read_sort,
               "group": read_group, "row": read_row, "total": read_total, "note": read_note}
