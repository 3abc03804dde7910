"""Statistics of values, in which missing values have no part."""
from fractions import Fraction

from values import is_number


def statistic(name, values):
    """The statistic, or None where there is nothing to take it of."""
    if name == "count":
        return Fraction(sum(1 for value in values if value is not None))
    numbers = [value for value in values if is_number(value)]
    return OF_NUMBERS[name](numbers) if numbers else None


def mean(numbers):
    return sum(numbers) / len(numbers)


OF_NUMBERS = {"sum": sum, "mean": mean, "least": min, "most": max}
