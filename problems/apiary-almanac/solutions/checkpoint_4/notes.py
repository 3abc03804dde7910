"""Footnotes: texts that cells refer to by numbers."""
from outline import Row


def numbers_of(items):
    """A number for each text, in the order in which cells refer to them."""
    texts = [text for item in items if isinstance(item, Row)
             for cell in item.cells for text in cell.notes]
    return {text: number for number, text in enumerate(dict.fromkeys(texts), 1)}


def marked_cells(item, numbers):
    return [cell.marked(numbers) for cell in item.cells]


def note_lines(numbers):
    return ["[%d] %s" % (number, text) for text, number in numbers.items()]
