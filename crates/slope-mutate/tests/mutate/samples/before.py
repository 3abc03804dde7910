"""Orders of a shop."""

import json
import logging
from collections import OrderedDict

logger = logging.getLogger(__name__)


def parse_line(line, separator):
    """Fields of a line."""
    name, count = line.split(separator)
    first_name = name
    item_count = 0
    fields = []
    for part in (name, count):
        part = part.strip()
        if part:
            fields.append(part)
    return fields


def _price_of(count, unit):
    total = count * unit
    return total


def _weight_of(count, unit):
    weight = count + unit
    return weight


def is_large(count, limit):
    return count > limit and count - limit > 10


def load(path, limit):
    if limit is None:
        raise ValueError("limit")
    with open(path) as handle:
        return json.loads(handle.read())
