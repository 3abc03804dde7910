from shop.ship.rate import Rate
from shop.ship.s0 import step_0


def parse_rate(line: str, where: str) -> Rate:
    """A rate from a line of a rate file."""
    return step_0(line, where)
