"""A report as text."""
from cells import Cell
from outline import GroupHeading, Row

WIDEST_BY_ITSELF = 30
CUT = "~"
GAP = "  "


class Table:
    """The columns of a table, with widths and sides."""

    def __init__(self, outlined):
        columns = outlined.section.columns
        self.headings = [Cell(column.heading) for column in columns]
        self.sides = outlined.sides
        rows = [self.headings] + [cells for item in outlined.items for cells in rows_of(item)]
        self.widths = [column.width or widest(rows, index)
                       for index, column in enumerate(columns)]

    def line(self, cells):
        parts = [placed(fitted(cell, width), side, width)
                 for cell, side, width in zip(cells, self.sides, self.widths)]
        return GAP.join(parts).rstrip()

    def rule(self):
        return GAP.join("-" * width for width in self.widths)


def rows_of(item):
    if isinstance(item, GroupHeading):
        return []
    return [item.cells] if isinstance(item, Row) else item.rows


def widest(rows, index):
    return min(WIDEST_BY_ITSELF, max(len(cells[index].text) for cells in rows))


def fitted(cell, width):
    if len(cell.text) <= width:
        return cell.text
    return "#" * width if cell.is_number else cell.text[:width - 1] + CUT


def placed(text, side, width):
    return text.rjust(width) if side == "right" else text.ljust(width)


def text_lines(report, outlines):
    """The lines of the whole report."""
    lines = [report.title, ""] if report.title is not None else []
    for number, outlined in enumerate(outlines):
        lines += [""] if number else []
        lines += section_lines(outlined)
    return lines


def section_lines(outlined):
    table = Table(outlined)
    title = outlined.section.title
    lines = ["== %s ==" % title, ""] if title is not None else []
    lines += [table.line(table.headings), table.rule()]
    if not outlined.items:
        return lines + ["no records"]
    before = None
    for item in outlined.items:
        lines += item_lines(table, item, before)
        before = item
    return lines


def item_lines(table, item, before):
    if isinstance(item, GroupHeading):
        gap = [""] if before and not isinstance(before, GroupHeading) else []
        return gap + ["  " * item.level + item.text]
    if isinstance(item, Row):
        return [table.line(item.cells)]
    return [table.rule()] + [table.line(cells) for cells in item.rows]
