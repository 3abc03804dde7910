"""Reading and writing of the shop's text files."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from shop.errors import ShopError
from shop.log import logger

Record = TypeVar("Record")


def normalise_name(text: str) -> str:
    """Lower case, with single spaces."""
    return " ".join(text.split()).lower()


def split_fields(line: str, count: int, where: str) -> list[str]:
    """The fields of a line that must have `count` of them."""
    fields = [field.strip() for field in line.split(";")]
    if len(fields) != count:
        raise ShopError(f"expected {count} fields, found {len(fields)}", where)
    return fields


def parse_amount(text: str, where: str) -> int:
    """An amount of money such as `12.50`, in cents."""
    whole, _, cents = text.strip().partition(".")
    if not whole.isdigit() or (cents and not (cents.isdigit() and len(cents) == 2)):
        raise ShopError(f"{text!r} is not an amount", where)
    return int(whole) * 100 + int(cents or "0")


def parse_count(text: str, where: str) -> int:
    """A number of pieces, at least one."""
    if not text.isdigit() or int(text) == 0:
        raise ShopError(f"{text!r} is not a count", where)
    return int(text)


def format_amount(cents: int) -> str:
    """The inverse of `parse_amount`."""
    return f"{cents // 100}.{cents % 100:02}"


def load_records(path: Path, parse: Callable[[str, str], Record]) -> list[Record]:
    """All records of a file. Blank lines and comments are left out."""
    records = []
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        records.append(parse(line, f"{path.name}:{number}"))
    logger.info("read %d records from %s", len(records), path.name)
    return records
