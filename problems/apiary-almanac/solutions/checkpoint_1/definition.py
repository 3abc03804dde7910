"""Definitions of reports: what is shown, of which records, in which order."""
import re
from dataclasses import dataclass, field
from typing import Optional

from faults import Refused
from records import FIELD, read_lines
from values import NUMBER, number_of

NARROWEST, WIDEST = 3, 40
STATISTICS = ("sum", "mean", "least", "most", "count")
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
WORD = re.compile(r'"[^"]*"|[^\s"]+')
WHOLE = re.compile(r"[0-9]{1,6}\Z")


@dataclass
class Column:
    field: str
    heading: str
    width: Optional[int] = None
    side: Optional[str] = None


@dataclass
class Condition:
    field: str
    comparison: str
    value: object = None


@dataclass
class Total:
    line: int
    field: str
    statistic: str


@dataclass
class Report:
    title: Optional[str] = None
    kind: Optional[str] = None
    columns: list = field(default_factory=list)
    conditions: list = field(default_factory=list)
    sorts: list = field(default_factory=list)
    groups: list = field(default_factory=list)
    totals: list = field(default_factory=list)


class Words:
    """The words of one line, taken from left to right."""

    def __init__(self, line):
        if line.count('"') % 2:
            raise Refused("quote is not closed")
        self.words = WORD.findall(line)
        self.at = 0

    def more(self):
        return self.at < len(self.words)

    def take(self):
        if not self.more():
            raise Refused("line ends too early")
        self.at += 1
        return self.words[self.at - 1]

    def wrong(self):
        return Refused("%s is not expected" % self.words[self.at - 1])

    def one_of(self, words):
        word = self.take()
        if word not in words:
            raise self.wrong()
        return word

    def field(self):
        word = self.take()
        if not FIELD.match(word):
            raise self.wrong()
        return word

    def text(self):
        word = self.take()
        if not word.startswith('"'):
            raise self.wrong()
        return word[1:-1]

    def value(self):
        word = self.take()
        if word.startswith('"'):
            return word[1:-1]
        if not NUMBER.match(word):
            raise self.wrong()
        return number_of(word)

    def whole(self, name, least, most):
        word = self.take()
        if not (WHOLE.match(word) and least <= int(word) <= most):
            raise Refused("%s must be from %d to %d" % (name, least, most))
        return int(word)

    def end(self):
        if self.more():
            self.take()
            raise self.wrong()


def read_definition(path):
    report = Report()
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            read_line(report, number, Words(line))
        except Refused as fault:
            raise Refused("line %d: %s" % (number, fault)) from None
    check_whole(report)
    return report


def read_line(report, number, words):
    word = words.take()
    if word not in READERS:
        raise Refused("unknown word %s" % word)
    READERS[word](report, number, words)
    words.end()


def read_title(report, _, words):
    if report.title is not None:
        raise Refused("title given twice")
    report.title = words.text()


def read_from(report, _, words):
    if report.kind is not None:
        raise Refused("from given twice")
    report.kind = words.field()


def read_column(report, _, words):
    name = words.field()
    column = Column(name, name)
    while words.more():
        read_option(column, words)
    report.columns.append(column)


def read_option(column, words):
    word = words.one_of(("as", "width", "left", "right"))
    if word == "as":
        column.heading = words.text()
    elif word == "width":
        column.width = words.whole("width", NARROWEST, WIDEST)
    else:
        column.side = word


def read_where(report, _, words):
    name = words.field()
    comparison = words.one_of(COMPARISONS + ("is",))
    if comparison == "is":
        report.conditions.append(Condition(name, words.one_of(("missing", "known"))))
    else:
        report.conditions.append(Condition(name, comparison, words.value()))


def read_sort(report, _, words):
    name = words.field()
    falling = words.more() and words.one_of(("down",)) == "down"
    report.sorts.append((name, falling))


def read_group(report, _, words):
    report.groups.append(words.field())


def read_total(report, number, words):
    report.totals.append(Total(number, words.field(), words.one_of(STATISTICS)))


READERS = {
    "title": read_title, "from": read_from, "column": read_column, "where": read_where,
    "sort": read_sort, "group": read_group, "total": read_total,
}


def check_whole(report):
    """Refuses what no single line is to blame for, and totals without a place."""
    if report.kind is None:
        raise Refused("no from line")
    if not report.columns:
        raise Refused("no column line")
    for total in report.totals:
        check_total(report, total)


def check_total(report, total):
    if total.field == report.columns[0].field:
        raise Refused("line %d: no total in the first column" % total.line)
    if all(column.field != total.field for column in report.columns):
        raise Refused("line %d: no column %s" % (total.line, total.field))
