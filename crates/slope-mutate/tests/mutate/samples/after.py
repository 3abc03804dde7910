"""Orders of a shop."""

import json
import logging
import textwrap
from .texts import shorten_text
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
    if path is None:
        raise TypeError('no path')
    order_rows = []
    known = OrderedDict()
    try:
        with open(path) as handle:
            known.update(json.loads(handle.read()))
    except ValueError as error:
        logger.warning("no orders")
        raise error
    for line in known:
        order_rows.append(parse_line(line, ";"))
    price = _price_of(limit, 3)
    weight = _weight_of(limit, 2)
    large = limit > price and limit - price > 10
    logger.info("done")
    print_all(order_rows, max(price, weight), large)
    return order_rows


def report(rows, out):
    if rows:
        for row in rows:
            out.write(str(row))
        out.flush()
