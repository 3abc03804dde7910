"""Days on which the stockroom works."""

from datetime import date, timedelta

HOLIDAYS = frozenset({(1, 1), (5, 1), (12, 25)})


def is_workday(day: date) -> bool:
    """Whether the stockroom is open on a day."""
    return day.weekday() < 5 and (day.month, day.day) not in HOLIDAYS


def next_workday(day: date) -> date:
    """The first day after `day` on which the stockroom is open."""
    following = day + timedelta(days=1)
    while not is_workday(following):
        following += timedelta(days=1)
    return following
