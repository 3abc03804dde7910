from shop.errors import ShopError
from shop.ship.rate import Rate
from shop.ship.s4 import step_4


def step_3(fields: list[str], where: str) -> Rate:
    if not fields[1].isdigit():
        raise ShopError(f"{fields[1]!r} is not a count", where)
    return step_4(fields, where)
