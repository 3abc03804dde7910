from shop.ship.rate import Rate


def step_7(fields: list[str], whole: str, cents: str) -> Rate:
    price = int(whole) * 100 + int(cents or "0")
    return Rate(" ".join(fields[0].split()).lower(), int(fields[1]), price)
