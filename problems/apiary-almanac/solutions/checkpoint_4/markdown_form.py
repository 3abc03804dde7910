"""A report as Markdown."""
from notes import marked_cells, note_lines, numbers_of
from outline import GroupHeading, Row

RULES = {"left": "---", "right": "---:"}


def markdown_lines(report, outlines):
    blocks = [["# " + escaped(report.title)]] if report.title is not None else []
    numbers = numbers_of([item for outlined in outlines for item in outlined.items])
    for outlined in outlines:
        blocks += section_blocks(outlined, numbers)
    blocks += [[escaped(line)] for line in note_lines(numbers)]
    return [line for block in blocks for line in block + [""]][:-1]


def section_blocks(outlined, numbers):
    title = outlined.section.title
    blocks = [["## " + escaped(title)]] if title is not None else []
    if not outlined.items:
        return blocks + [["no records"]]
    table = None
    for item in outlined.items:
        if isinstance(item, GroupHeading):
            blocks.append(["#" * (item.level + 3) + " " + escaped(item.text)])
            table = None
            continue
        if table is None:
            table = head_lines(outlined)
            blocks.append(table)
        table += item_lines(item, numbers)
    return blocks


def head_lines(outlined):
    headings = [escaped(column.heading) for column in outlined.section.columns]
    return [table_line(headings), table_line(RULES[side] for side in outlined.sides)]


def item_lines(item, numbers):
    if isinstance(item, Row):
        return [table_line(escaped(cell.whole()) for cell in marked_cells(item, numbers))]
    return [totals_line([escaped(cell.text) for cell in cells]) for cells in item.rows]


def totals_line(texts):
    return table_line(["**%s**" % texts[0]] + texts[1:])


def table_line(texts):
    return "| %s |" % " | ".join(texts)


def escaped(text):
    return text.replace("|", "\\|")
