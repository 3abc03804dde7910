from shop.errors import ShopError
from shop.ship.rate import Rate
from shop.ship.s7 import step_7


def step_6(fields: list[str], whole: str, cents: str, where: str) -> Rate:
    if not whole.isdigit() or (cents and not (cents.isdigit() and len(cents) == 2)):
        raise ShopError(f"{fields[2]!r} is not an amount", where)
    return step_7(fields, whole, cents)
