from shop.errors import ShopError
from shop.ship.rate import Rate
from shop.ship.s5 import step_5


def step_4(fields: list[str], where: str) -> Rate:
    if int(fields[1]) == 0:
        raise ShopError(f"{fields[1]!r} is not a count", where)
    return step_5(fields, where)
