"""What users write on the command line and in files: names, quantities, dates, places."""

import re
from datetime import date

UNITS = {"g": ("g", 1), "kg": ("g", 1000), "ml": ("ml", 1), "l": ("ml", 1000), "pc": ("pc", 1)}


class PantryError(Exception):
    """A request that is refused; the message is for the user."""


def parse_word(text, kind):
    """A name or a place, in the form in which it is compared."""
    word = text.strip().lower()
    if not word:
        raise PantryError(f"empty {kind}")
    return word


def parse_quantity(text):
    """The amount in the base unit, and the base unit."""
    match = re.fullmatch("([0-9]+)([a-z]+)", text)
    unit, factor = UNITS.get(match.group(2), (None, 0)) if match else (None, 0)
    amount = int(match.group(1)) * factor if unit else 0
    if amount == 0:
        raise PantryError(f"bad quantity '{text}'")
    return amount, unit


def parse_date(text):
    """The date as text; such texts sort as dates do."""
    try:
        if not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
            raise ValueError(text)
        date.fromisoformat(text)
    except ValueError:
        raise PantryError(f"bad date '{text}'") from None
    return text
