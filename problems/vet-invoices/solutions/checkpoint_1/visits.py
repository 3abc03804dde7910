"""Visits, one JSON object in each line of a file."""

import json


class Visit:
    """A visit. Missing values are None."""

    def __init__(self, values):
        self.owner = values.get("owner")
        self.animal = values.get("animal")
        self.species = values.get("species")
        self.treatment = values.get("treatment")
        self.price = values.get("price")
        self.count = values.get("count")
        self.day = values.get("day")
        self.note = values.get("note")

    @property
    def is_billed(self):
        values = (self.owner, self.price, self.treatment)
        return any(value is not None for value in values)

    @property
    def owner_name(self):
        return "unknown" if self.owner is None else self.owner

    @property
    def treatment_name(self):
        return "treatment" if self.treatment is None else self.treatment

    @property
    def day_number(self):
        return self.day if type(self.day) is int else 0


def read(path):
    """The visits of a file. A line that is not an object is a visit without values."""
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    return [Visit(_values(line)) for line in lines if line]


def _values(line):
    try:
        values = json.loads(line)
    except ValueError:
        return {}
    if not isinstance(values, dict):
        return {}
    return {key: value for key, value in values.items() if value != ""}
