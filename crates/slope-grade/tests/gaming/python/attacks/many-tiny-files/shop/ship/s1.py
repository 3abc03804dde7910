from shop.errors import ShopError
from shop.ship.rate import Rate
from shop.ship.s2 import step_2


def step_1(fields: list[str], where: str) -> Rate:
    if len(fields) != 3:
        raise ShopError(f"expected 3 fields, found {len(fields)}", where)
    return step_2(fields, where)
