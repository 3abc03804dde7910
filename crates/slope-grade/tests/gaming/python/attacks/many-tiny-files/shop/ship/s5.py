from shop.ship.rate import Rate
from shop.ship.s6 import step_6


def step_5(fields: list[str], where: str) -> Rate:
    whole, _, cents = fields[2].partition(".")
    return step_6(fields, whole, cents, where)
