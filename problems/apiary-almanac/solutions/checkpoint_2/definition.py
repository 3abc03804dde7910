"""Definitions of reports: what is shown, of which records, in which order."""
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Callable, Optional

from expressions import read_expression
from faults import Refused
from records import read_lines
from values import MOST_DECIMALS
from words import Words

NARROWEST, WIDEST = 3, 40
MOST_GROUPS = 3
STATISTICS = ("sum", "mean", "least", "most", "count")
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")


@dataclass
class Column:
    field: str
    title: Optional[str] = None
    width: Optional[int] = None
    side: Optional[str] = None
    decimals: Optional[int] = None
    unit: Optional[str] = None
    factor: Fraction = Fraction(1)
    instead: Optional[str] = None

    @property
    def heading(self):
        if self.title is not None:
            return self.title
        return "%s (%s)" % (self.field, self.unit) if self.unit else self.field


@dataclass
class Condition:
    left: Callable
    comparison: str
    right: Optional[Callable] = None


@dataclass
class Total:
    line: int
    field: str
    statistic: str


@dataclass
class Section:
    line: int = 0
    title: Optional[str] = None
    kind: Optional[str] = None
    computed: dict = field(default_factory=dict)
    columns: list = field(default_factory=list)
    conditions: list = field(default_factory=list)
    sorts: list = field(default_factory=list)
    groups: list = field(default_factory=list)
    totals: list = field(default_factory=list)

    def is_begun(self):
        return bool(self.kind or self.columns or self.conditions or self.sorts
                    or self.groups or self.totals)


@dataclass
class Report:
    title: Optional[str] = None
    units: dict = field(default_factory=dict)
    sections: list = field(default_factory=lambda: [Section()])

    def section(self):
        """The section to which the next line belongs."""
        return self.sections[-1]


def read_definition(path):
    report = Report()
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            read_line(report, number, Words(line))
        except Refused as fault:
            raise Refused("line %d: %s" % (number, fault)) from None
    shown_sections(report)
    return report


def shown_sections(report):
    """Without section lines all is one section; else what stands before them is none."""
    if len(report.sections) > 1:
        del report.sections[0]
    for section in report.sections:
        check_whole(section)


def read_line(report, number, words):
    word = words.take()
    if word in OF_REPORTS:
        OF_REPORTS[word](report, number, words)
    elif word in OF_SECTIONS:
        OF_SECTIONS[word](report.section(), number, words)
    elif word == "column":
        report.section().columns.append(read_column(report.units, words))
    else:
        raise Refused("unknown word %s" % word)
    words.end()


def read_title(report, _, words):
    if report.title is not None:
        raise Refused("title given twice")
    report.title = words.text()


def read_unit(report, _, words):
    name = words.field()
    if name in report.units:
        raise Refused("unit %s given twice" % name)
    factor = Fraction(1)
    if words.more():
        words.one_of("=")
        factor = words.number()
        if factor <= 0:
            raise words.wrong()
        factor *= known_unit(report.units, words)
    report.units[name] = factor


def known_unit(units, words):
    name = words.field()
    if name not in units:
        raise Refused("no unit %s" % name)
    return units[name]


def read_section(report, number, words):
    title = words.text()
    shared = report.sections[0]
    if shared.is_begun():
        raise Refused("section comes too late")
    report.sections.append(Section(number, title, computed=dict(shared.computed)))


def read_compute(section, _, words):
    name = words.field()
    if name in section.computed:
        raise Refused("%s is computed twice" % name)
    words.one_of("=")
    section.computed[name] = read_expression(words)


def read_from(section, _, words):
    if section.kind is not None:
        raise Refused("from given twice")
    section.kind = words.field()


def read_column(units, words):
    column = Column(words.field())
    while words.more():
        read_option(column, units, words)
    return column


def read_option(column, units, words):
    word = words.one_of(("as", "width", "left", "right", "decimals", "in", "or"))
    if word == "as":
        column.title = words.text()
    elif word == "width":
        column.width = words.whole("width", NARROWEST, WIDEST)
    elif word == "decimals":
        column.decimals = words.whole("decimals", 0, MOST_DECIMALS)
    elif word == "in":
        column.factor = known_unit(units, words)
        column.unit = words.words[words.at - 1]
    elif word == "or":
        column.instead = words.text()
    else:
        column.side = word


def read_where(section, _, words):
    left = read_expression(words)
    comparison = words.one_of(COMPARISONS + ("is",))
    if comparison == "is":
        condition = Condition(left, words.one_of(("missing", "known")))
    else:
        condition = Condition(left, comparison, read_expression(words))
    section.conditions.append(condition)


def read_sort(section, _, words):
    name = words.field()
    falling = words.more() and words.one_of(("down",)) == "down"
    section.sorts.append((name, falling))


def read_group(section, _, words):
    if len(section.groups) == MOST_GROUPS:
        raise Refused("more than %d groups" % MOST_GROUPS)
    section.groups.append(words.field())


def read_total(section, number, words):
    section.totals.append(Total(number, words.field(), words.one_of(STATISTICS)))


OF_REPORTS = {"title": read_title, "unit": read_unit, "section": read_section}
OF_SECTIONS = {"compute": read_compute, "from": read_from, "where": read_where,
               "sort": read_sort, "group": read_group, "total": read_total}


def check_whole(section):
    """Refuses what no single line is to blame for, and totals without a place."""
    place = "line %d: " % section.line if section.line else ""
    if section.kind is None:
        raise Refused(place + "no from line")
    if not section.columns:
        raise Refused(place + "no column line")
    for total in section.totals:
        check_total(section, total)


def check_total(section, total):
    if total.field == section.columns[0].field:
        raise Refused("line %d: no total in the first column" % total.line)
    if all(column.field != total.field for column in section.columns):
        raise Refused("line %d: no column %s" % (total.line, total.field))
