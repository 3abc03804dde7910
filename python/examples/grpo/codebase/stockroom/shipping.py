"""When orders leave and arrive."""

from datetime import date

from stockroom.dates import is_workday, next_workday
from stockroom.errors import require


def leaving_day(ordered: date, hour: int) -> date:
    """The day on which an order leaves: the same day until noon."""
    require(0 <= hour < 24, f"not an hour: {hour}")
    if hour < 12 and is_workday(ordered):
        return ordered
    return next_workday(ordered)
