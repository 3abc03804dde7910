"""Exact decimal arithmetic: a number is a whole count of units of 10**-PLACES."""

PLACES = 10
ONE = 10 ** PLACES
LIMIT = ONE * 10 ** 18
MAX_WHOLE_DIGITS = 18


def parse(text):
    """The number written as `text`, or None if it has too many digits."""
    whole, _, fraction = text.partition(".")
    if len(whole) > MAX_WHOLE_DIGITS or len(fraction) > PLACES:
        return None
    return int(whole + fraction.ljust(PLACES, "0"))


def render(number):
    text = fixed(number, PLACES)
    return text.rstrip("0").rstrip(".")


def fixed(number, places):
    """`number`, rounded half away from zero, with exactly `places` decimals."""
    units = round_away(number, places) // 10 ** (PLACES - places)
    digits = str(abs(units)).rjust(places + 1, "0")
    sign = "-" if units < 0 else ""
    whole, fraction = digits[: len(digits) - places], digits[len(digits) - places:]
    return sign + whole + ("." + fraction if places else "")


def multiply(left, right):
    return _divide_half_even(left * right, ONE)


def divide(left, right):
    return _divide_half_even(left * ONE, right)


def power(base, exponent):
    """`base` to the whole, not negative `exponent`; rounded once, at the end."""
    if exponent == 0:
        return ONE
    return _divide_half_even(base ** exponent, ONE ** (exponent - 1))


def round_away(number, places):
    step = 10 ** (PLACES - places)
    rounded = (abs(number) * 2 + step) // (2 * step) * step
    return -rounded if number < 0 else rounded


def floor(number):
    return number // ONE * ONE


def whole(number):
    """The Python integer that `number` is, or None."""
    return number // ONE if number % ONE == 0 else None


def fits(number):
    return abs(number) < LIMIT


def _divide_half_even(dividend, divisor):
    quotient, rest = divmod(dividend, divisor)
    double = abs(rest) * 2
    size = abs(divisor)
    if double > size or (double == size and quotient % 2):
        quotient += 1
    return quotient
