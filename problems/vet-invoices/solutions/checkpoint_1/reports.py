"""Reports on animals."""

DAYS_OF_VACCINATION = {"cat": 365, "dog": 365, "horse": 180}
OTHER_DAYS = 730


class Refused(Exception):
    """A report that cannot be made."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def due(visits, day):
    today = _day(day)
    last = {}
    for visit in visits:
        if visit.treatment == "vaccination" and visit.animal is not None:
            key = (visit.animal, visit.owner)
            if key not in last or visit.day_number >= last[key].day_number:
                last[key] = visit
    order = {id(visit): at for at, visit in enumerate(visits)}
    dates = [(_due_day(visit), str(visit.animal), order[id(visit)], visit) for visit in last.values()]
    late = sorted(date[:3] + (date[3].owner_name,) for date in dates if date[0] < today)
    return [f"{animal} of {owner}: due since day {date}" for date, animal, _, owner in late] or ["nothing is due"]


def _day(text):
    try:
        return int(text)
    except ValueError:
        raise Refused(2, "not a day: " + text) from None


def _due_day(visit):
    return visit.day_number + DAYS_OF_VACCINATION.get(visit.species, OTHER_DAYS)


def history(visits, animal):
    lines = [_entry(visit) for visit in visits if visit.animal == animal]
    if not lines:
        raise Refused(1, "no animal " + animal)
    return lines


def _entry(visit):
    day = "?" if visit.day is None else visit.day
    note = "" if visit.note is None else f" ({visit.note})"
    return f"day {day} {visit.treatment_name}{note}"


def species(visits):
    first = {}
    for visit in visits:
        if visit.animal is not None:
            first.setdefault((visit.animal, visit.owner), visit.species)
    names = list(first.values())
    lines = [_count(name, names.count(name)) for name in DAYS_OF_VACCINATION if name in names]
    others = sum(name not in DAYS_OF_VACCINATION for name in names)
    return lines + ([_count("other", others)] if others else []) or ["no animals"]


def _count(name, number):
    return f"{number} {name}" + ("" if number == 1 else "s")
