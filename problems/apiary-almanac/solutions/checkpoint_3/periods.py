"""Periods of time: days, weeks, months, seasons and years."""
import re
from datetime import date, timedelta

from values import Period, is_text

DATE = re.compile(r"[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}\Z")
SEASONS = ("winter", "spring", "summer", "autumn")
MONTHS_OF_SEASON = 3


def period_of(size, value):
    """The period in which a date lies; missing if the value is no date."""
    if not is_text(value) or not DATE.match(value):
        return None
    try:
        return SIZES[size](date(*map(int, value.split("-"))))
    except ValueError:
        return None


def day_of(day):
    return Period(day.isoformat(), day.toordinal())


def week_of(day):
    year, week, weekday = day.isocalendar()
    return Period("%04d-W%02d" % (year, week), day.toordinal() - weekday + 1)


def month_of(day):
    return Period("%04d-%02d" % (day.year, day.month), day.replace(day=1).toordinal())


def season_of(day):
    """December belongs to the winter of the next year."""
    year = day.year + day.month // 12
    season = day.month % 12 // MONTHS_OF_SEASON
    first = day.replace(day=1)
    for _ in range(day.month % MONTHS_OF_SEASON):
        first = (first - timedelta(days=1)).replace(day=1)
    return Period("%04d %s" % (year, SEASONS[season]), first.toordinal())


def year_of(day):
    return Period("%04d" % day.year, day.replace(month=1, day=1).toordinal())


SIZES = {"day": day_of, "week": week_of, "month": month_of, "season": season_of,
         "year": year_of}


def periods_between(size, first, last):
    """All periods of a size from one to another, both with them."""
    found = [first]
    day = first.first_day
    while found[-1] != last:
        day += 1
        period = SIZES[size](date.fromordinal(day))
        if period != found[-1]:
            found.append(period)
    return found
