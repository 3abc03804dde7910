"""What a definition says."""
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Callable, Optional

STATISTICS = ("sum", "mean", "least", "most", "count")
COURSES = ("running", "change")


@dataclass
class Column:
    field: str
    place: str = ""
    title: Optional[str] = None
    width: Optional[int] = None
    side: Optional[str] = None
    decimals: Optional[int] = None
    unit: Optional[str] = None
    factor: Fraction = Fraction(1)
    instead: Optional[str] = None
    statistic: Optional[str] = None
    course: Optional[str] = None

    @property
    def heading(self):
        if self.title is not None:
            return self.title
        unit = "(%s)" % self.unit if self.unit and not self.is_count else None
        words = [self.field, self.statistic, self.course, unit]
        return " ".join(word for word in words if word)

    @property
    def is_count(self):
        return self.statistic == "count"


@dataclass
class Condition:
    left: Callable
    comparison: str
    right: Optional[Callable] = None


@dataclass
class Join:
    place: str
    name: str
    kind: str
    theirs: str
    ours: str


@dataclass
class Sort:
    place: str
    field: str
    falling: bool


@dataclass
class RowField:
    place: str
    field: str
    filled: bool


@dataclass
class Total:
    place: str
    field: str
    statistic: str


@dataclass
class Note:
    place: str
    field: str
    text: str
    condition: Condition


@dataclass
class Section:
    place: str = ""
    title: Optional[str] = None
    kind: Optional[str] = None
    joins: list = field(default_factory=list)
    computed: dict = field(default_factory=dict)
    periods: dict = field(default_factory=dict)
    columns: list = field(default_factory=list)
    conditions: list = field(default_factory=list)
    sorts: list = field(default_factory=list)
    groups: list = field(default_factory=list)
    rows: list = field(default_factory=list)
    totals: list = field(default_factory=list)
    notes: list = field(default_factory=list)

    def is_begun(self):
        return bool(self.kind or self.joins or self.columns or self.conditions or self.sorts
                    or self.groups or self.rows or self.totals or self.notes)

    def begin(self, place, title):
        """A new section that shares what this one computes."""
        return Section(place, title, computed=dict(self.computed), periods=dict(self.periods))

    def key_fields(self):
        """The fields by which rows are told apart, where several records make a row."""
        return self.groups + [row.field for row in self.rows]


@dataclass
class Report:
    title: Optional[str] = None
    page: Optional[int] = None
    units: dict = field(default_factory=dict)
    sections: list = field(default_factory=lambda: [Section()])

    def section(self):
        """The section to which the next line belongs."""
        return self.sections[-1]
