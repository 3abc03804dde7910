"""Values of fields: a Fraction, a text, or None where the value is missing."""
import re
from fractions import Fraction

MISSING_MARK = "n/a"
SHOWN_DECIMALS = 3
NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,11})(\.[0-9]{1,6})?\Z")


def is_number(value):
    return isinstance(value, Fraction)


def is_text(value):
    return isinstance(value, str)


def number_of(text):
    """The number that a text writes, or None."""
    return Fraction(text) if NUMBER.match(text) else None


def rounded(number, decimals):
    """The number in units of the last decimal, halves away from zero."""
    scaled = abs(number) * 10 ** decimals
    units = int(scaled + Fraction(1, 2))
    return -units if number < 0 else units


def fixed(number, decimals):
    """The number with exactly so many decimals; zero has no sign."""
    units = rounded(number, decimals)
    digits = str(abs(units)).zfill(decimals + 1)
    sign = "-" if units < 0 else ""
    if decimals == 0:
        return sign + digits
    return sign + digits[:-decimals] + "." + digits[-decimals:]


def plain(number):
    """The number with as many decimals as it needs, and not too many."""
    return fixed(number, SHOWN_DECIMALS).rstrip("0").rstrip(".")


def shown(value):
    """A value as a report shows it."""
    if value is None:
        return MISSING_MARK
    return plain(value) if is_number(value) else value


def order_key(value):
    """Numbers come before texts."""
    return (0, value, "") if is_number(value) else (1, 0, value)
