"""Tables of text: columns with widths and sides."""
WIDEST_BY_ITSELF = 30
CUT = "~"
GAP = "  "
RULE = object()


class Table:
    """Writes lines, each of which is a text, cells, or the rule."""

    def __init__(self, columns, sides, lines):
        self.sides = sides
        rows = [line for line in lines if isinstance(line, list)]
        self.widths = [column.width or widest(rows, index)
                       for index, column in enumerate(columns)]

    def written(self, line):
        if isinstance(line, str):
            return line
        if line is RULE:
            return GAP.join("-" * width for width in self.widths)
        parts = [placed(fitted(cell, width), side, width)
                 for cell, side, width in zip(line, self.sides, self.widths)]
        return GAP.join(parts).rstrip()


def widest(rows, index):
    return min(WIDEST_BY_ITSELF, max(len(cells[index].whole()) for cells in rows))


def fitted(cell, width):
    """What a cell shows in a width: of a mark as much as can be, then of the value."""
    room = max(0, width - len(cell.mark))
    return (fitted_value(cell, room) + cell.mark)[:width]


def fitted_value(cell, room):
    if len(cell.text) <= room:
        return cell.text
    return ("#" * room if cell.is_number else cell.text[:room - 1] + CUT) if room else ""


def placed(text, side, width):
    return text.rjust(width) if side == "right" else text.ljust(width)
