from shop.errors import ShopError
from shop.ship.rate import Rate
from shop.ship.s3 import step_3


def step_2(fields: list[str], where: str) -> Rate:
    if not fields[0]:
        raise ShopError("a rate needs a zone", where)
    return step_3(fields, where)
