"""Files that lots are read from and written to: one reader and one writer for each format."""

import csv
import io
import json
from typing import Callable, NamedTuple

from stock import parse_lot
from values import PantryError

REQUIRED = ("name", "quantity")
FIELDS = REQUIRED + ("best_before", "place")


def check_keys(keys, word):
    """Refuses unknown fields, then missing ones; `word` is what the format calls a field."""
    for key in keys:
        if key not in FIELDS:
            raise PantryError(f"unknown {word} '{key}'")
    missing = [key for key in REQUIRED if key not in keys]
    if missing:
        raise PantryError(f"missing {word} '{missing[0]}'")


class CsvReader:
    """The first line that it is given names the columns."""

    def __init__(self):
        self.columns = None

    def fields(self, line):
        cells = next(csv.reader([line]), [])
        if self.columns is None:
            check_keys(cells, "column")
            self.columns = cells
            return None
        return self._row(cells) if line.strip() else None

    def _row(self, cells):
        if len(cells) != len(self.columns):
            raise PantryError(f"expected {len(self.columns)} cells, got {len(cells)}")
        row = zip(self.columns, cells)
        return {key: cell for key, cell in row if cell or key in REQUIRED}


class JsonlReader:
    def fields(self, line):
        if not line.strip():
            return None
        entry = parse_object(line)
        check_keys(entry, "key")
        not_text = [key for key, value in entry.items() if not isinstance(value, str)]
        if not_text:
            raise PantryError(f"'{not_text[0]}' is not a text")
        return entry


def parse_object(line):
    try:
        entry = json.loads(line)
    except ValueError:
        entry = None
    if not isinstance(entry, dict):
        raise PantryError("not a JSON object")
    return entry


class TxtReader:
    MARKS = {"@": "place", "!": "best_before"}

    def fields(self, line):
        if not line.strip() or line.startswith("#"):
            return None
        quantity, *words = line.split()
        marked = {self.MARKS[word[0]]: word[1:] for word in words if word[0] in self.MARKS}
        name = " ".join(word for word in words if word[0] not in self.MARKS)
        if not name:
            raise PantryError("missing name")
        return {"name": name, "quantity": quantity, **marked}


def table(rows):
    """Rows of cells as comma-separated text."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def write_csv(lots, path):
    return table([FIELDS] + [[lot.fields().get(key, "") for key in FIELDS] for lot in lots])


def write_jsonl(lots, path):
    return "".join(json.dumps(lot.fields()) + "\n" for lot in lots)


def write_txt(lots, path):
    lines = []
    for lot in lots:
        if len(lot.place.split()) > 1:
            raise PantryError(f"cannot write place '{lot.place}' to {path}")
        date = f" !{lot.best_before}" if lot.best_before else ""
        lines.append(f"{lot.amount}{lot.unit} {lot.name} @{lot.place}{date}\n")
    return "".join(lines)


class Format(NamedTuple):
    reader: Callable
    write: Callable


FORMATS = {
    ".csv": Format(CsvReader, write_csv),
    ".jsonl": Format(JsonlReader, write_jsonl),
    ".txt": Format(TxtReader, write_txt),
}


def format_of(path):
    for ending, known in FORMATS.items():
        if path.endswith(ending):
            return known
    raise PantryError(f"unknown format of {path}")


def read_text(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError):
        raise PantryError(f"cannot read {path}") from None


def read_lots(path, accept):
    """Hands each lot of a file to `accept`; what goes wrong with one is told with its line."""
    reader = format_of(path).reader()
    for number, line in enumerate(read_text(path).split("\n"), 1):
        try:
            fields = reader.fields(line)
            if fields is not None:
                accept(parse_lot(**fields))
        except PantryError as error:
            raise PantryError(f"{path}:{number}: {error}") from None


def write_lots(lots, path):
    text = format_of(path).write(lots, path)
    try:
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError:
        raise PantryError(f"cannot write {path}") from None
