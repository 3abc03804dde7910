from shop.ship.rate import Rate
from shop.ship.s1 import step_1


def step_0(line: str, where: str) -> Rate:
    fields = [field.strip() for field in line.split(";")]
    return step_1(fields, where)
