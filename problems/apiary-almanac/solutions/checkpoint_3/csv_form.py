"""A report as CSV: rows only, with what groups them."""
from cells import value_cell
from model import Column
from outline import Row


def csv_lines(_, outlines):
    lines = []
    for number, outlined in enumerate(outlines):
        lines += [""] if number else []
        lines += section_lines(outlined)
    return lines


def section_lines(outlined):
    section = outlined.section
    shown = [column.field for column in section.columns]
    leading = [Column(name) for name in section.groups if name not in shown]
    lines = [csv_line(column.heading for column in leading + section.columns)]
    for item in outlined.items:
        if isinstance(item, Row):
            groups = [value_cell(column, item.fields.get(column.field)) for column in leading]
            lines.append(csv_line(cell.exact for cell in groups + item.cells))
    return lines


def csv_line(texts):
    return ",".join(map(quoted, texts))


def quoted(text):
    if "," in text or '"' in text:
        return '"%s"' % text.replace('"', '""')
    return text
