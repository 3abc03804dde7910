"""Rows of text files."""

from collections.abc import Iterator


def rows_of(text: str) -> Iterator[list[str]]:
    """The cells of each row. Blank rows and comments are left out."""
    for line in text.splitlines():
        content = line.partition("#")[0].strip()
        if content:
            yield [cell.strip() for cell in content.split(";")]
