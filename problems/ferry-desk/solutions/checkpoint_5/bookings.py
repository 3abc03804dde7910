"""What a booking is by itself: its states, its legs, its price."""
TAKES_PLACES = ("booked", "held")
OPEN = ("booked", "held", "waiting")
STATES = ("booked", "held", "waiting", "cancelled", "lapsed", "missed", "withdrawn")
FULL_REFUND_MINUTES = 1440


def number_of(booking):
    return int(booking["id"][1:])


def legs_of(booking):
    """The ids of the sailings of a booking, or of what is ordered."""
    return booking.get("legs") or [booking["sailing"]]


def has(booking, wanted):
    """Whether a booking has the sailing and the state that are wanted."""
    return ("state" not in wanted or booking["state"] == wanted["state"]) and (
        "sailing" not in wanted or wanted["sailing"] in legs_of(booking))


def priced(booking, sailings):
    """The booking at the present fares of its sailings."""
    parts = [booking["persons"] * sailing["person_fare"] + booking["metres"] * sailing["metre_fare"]
             for sailing in sailings]
    if "legs" not in booking:
        return {**booking, "price": parts[0]}
    parts = [part - part // 10 for part in parts]
    return {**booking, "leg_prices": parts, "price": sum(parts)}


def price_parts(booking):
    """The price by sailing."""
    return dict(zip(legs_of(booking), booking.get("leg_prices", [booking["price"]])))


def refund(booking, departure, now):
    """What is paid back if the booking is cancelled now."""
    if booking["state"] != "booked":
        return 0
    if departure - now >= FULL_REFUND_MINUTES:
        return booking["price"]
    return sum(part // 2 for part in price_parts(booking).values())


def fits(booking, free):
    return booking["persons"] <= free["persons"] and booking["metres"] <= free["metres"]


def with_places(booking, departure, now):
    """The booking as it is when it gets its places now."""
    if "hold" not in booking:
        return {**booking, "state": "booked"}
    return {**booking, "state": "held", "held_until": min(now + booking["hold"], departure)}


def moved(booking, state, **more):
    """The booking in another state; its hold, if it had one, is over."""
    result = {**booking, "state": state, **more}
    result.pop("held_until", None)
    return result
