"""Points of time: minutes since the start of day 0, written 3d07:45."""

import re

MINUTES_PER_HOUR = 60
MINUTES_PER_DAY = 24 * MINUTES_PER_HOUR

PATTERN = re.compile(r"(?:([0-9]{1,4})d)?([01][0-9]|2[0-3]):([0-5][0-9])")


def parse(text):
    """Return the minute that the text tells, or None."""
    match = PATTERN.fullmatch(text)
    if match is None:
        return None
    day, hour, minute = (int(part or 0) for part in match.groups())
    return day * MINUTES_PER_DAY + hour * MINUTES_PER_HOUR + minute


def written(minute):
    day, rest = divmod(minute, MINUTES_PER_DAY)
    return "%dd%02d:%02d" % (day, rest // MINUTES_PER_HOUR, rest % MINUTES_PER_HOUR)
