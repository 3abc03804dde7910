"""A report as Markdown."""
from outline import GroupHeading, Row

RULES = {"left": "---", "right": "---:"}


def markdown_lines(report, outlines):
    blocks = [["# " + escaped(report.title)]] if report.title is not None else []
    for outlined in outlines:
        blocks += section_blocks(outlined)
    return [line for block in blocks for line in block + [""]][:-1]


def section_blocks(outlined):
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
        table += item_lines(item)
    return blocks


def head_lines(outlined):
    headings = [escaped(column.heading) for column in outlined.section.columns]
    return [table_line(headings), table_line(RULES[side] for side in outlined.sides)]


def item_lines(item):
    if isinstance(item, Row):
        return [table_line(escaped(cell.text) for cell in item.cells)]
    return [totals_line([escaped(cell.text) for cell in cells]) for cells in item.rows]


def totals_line(texts):
    return table_line(["**%s**" % texts[0]] + texts[1:])


def table_line(texts):
    return "| %s |" % " | ".join(texts)


def escaped(text):
    return text.replace("|", "\\|")
