"""Results with what they are called, as `eval` and `whatif` print them."""

from values import Fault


def labelled(evaluator, name):
    """The values behind a name of the main sheet, each with what it is called; those of a table row by row."""
    sheet, local = evaluator.book.spot(name)
    prefix = evaluator.book.prefixes[sheet.path]
    if sheet.cell(local):
        return [(prefix + local, evaluator.result(prefix + local))]
    table, headings = _table_part(sheet, local)
    columns = [(heading.name, evaluator.result(prefix + table.key(heading.name))) for heading in headings]
    return [
        ("%s%s[%d].%s" % (prefix, table.name, index + 1, column), _entry(result, index))
        for index in range(len(table.rows))
        for column, result in columns
    ]


def _table_part(sheet, name):
    table = sheet.table(name)
    if table:
        return table, table.headings
    table, heading = sheet.column(name)
    return table, [heading]


def _entry(result, index):
    return result if isinstance(result, Fault) else result.entries[index]


def everything(evaluator):
    """All values of all sheets, the main one first."""
    book = evaluator.book
    for path, prefix in book.prefixes.items():
        for name in book.sheets[path].definitions:
            yield from labelled(evaluator, prefix + name)
