"""Pages: which items of a section stand together, and what stands around them."""
from dataclasses import dataclass, field

from cells import Cell
from notes import marked_cells, note_lines, numbers_of
from outline import GroupHeading, Row, total_cells
from table import RULE

BOTTOM = 2


@dataclass
class Page:
    """Items of a section, and the records of its pages before."""

    outlined: object
    items: list = field(default_factory=list)
    is_first: bool = True
    is_last: bool = True
    before: list = field(default_factory=list)

    def records(self):
        """All records of the section up to the end of this page."""
        return self.before + [record for item in self.items if isinstance(item, Row)
                              for record in item.entry.records]

    def next(self):
        return Page(self.outlined, is_first=False, before=self.records())


def one_page(outlined):
    return [Page(outlined, outlined.items)]


def pages_of(report, outlined):
    """The pages of a section, each filled with as many chunks as it takes."""
    pages = [Page(outlined)]
    chunks = list(chunks_of(outlined.items))
    for number, chunk in enumerate(chunks, 1):
        page = pages[-1]
        page.items += chunk
        page.is_last = number == len(chunks)
        if len(page.items) > len(chunk) and is_too_long(report, page):
            del page.items[-len(chunk):]
            page.is_last = False
            pages.append(page.next())
            pages[-1].items += chunk
            pages[-1].is_last = number == len(chunks)
    return pages


def is_too_long(report, page):
    return len(page_lines(report, page)) > report.page - BOTTOM


def chunks_of(items):
    """Items that are never parted: a row with the group headings before it, or totals."""
    chunk = []
    for item in items:
        chunk.append(item)
        if not isinstance(item, GroupHeading):
            yield chunk
            chunk = []


def page_lines(report, page):
    """The lines of a page above its bottom: texts, cells, and rules."""
    section = page.outlined.section
    numbers = numbers_of(page.items)
    lines = [report.title, ""] if report.title is not None else []
    lines += section_head(section, page)
    lines += [[Cell(column.heading) for column in section.columns], RULE]
    if not page.is_first:
        lines += carried(section, page.before, "brought forward")
    lines += body_lines(page.items, numbers)
    if not page.is_last:
        lines += carried(section, page.records(), "carried forward")
    return lines + ([""] + note_lines(numbers) if numbers else [])


def section_head(section, page):
    if section.title is None:
        return []
    return ["== %s%s ==" % (section.title, "" if page.is_first else " (continued)"), ""]


def carried(section, records, label):
    """The sums of all rows so far, if the section has sums."""
    cells = total_cells(section, records, label, "sum")
    return [cells] if any(total.statistic == "sum" for total in section.totals) else []


def body_lines(items, numbers):
    lines = []
    for before, item in zip([None] + items, items):
        lines += item_lines(item, before, numbers)
    return lines or ["no records"]


def item_lines(item, before, numbers):
    if isinstance(item, GroupHeading):
        gap = [""] if before and not isinstance(before, GroupHeading) else []
        return gap + ["  " * item.level + item.text]
    if isinstance(item, Row):
        return [marked_cells(item, numbers)]
    return [RULE] + item.rows
