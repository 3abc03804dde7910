"""What a booking is by itself: its states, its places, its price."""
TAKES_PLACES = ("booked", "held")
OPEN = ("booked", "held", "waiting")
STATES = ("booked", "held", "waiting", "cancelled", "lapsed", "missed")
FULL_REFUND_MINUTES = 1440


def number_of(booking):
    return int(booking["id"][1:])


def price(booking, sailing):
    return (booking["persons"] * sailing["person_fare"]
            + booking["metres"] * sailing["metre_fare"])


def refund(booking, sailing, now):
    """What is paid back if the booking is cancelled now."""
    if booking["state"] != "booked":
        return 0
    if sailing["departs"] - now >= FULL_REFUND_MINUTES:
        return booking["price"]
    return booking["price"] // 2


def fits(booking, free):
    return booking["persons"] <= free["persons"] and booking["metres"] <= free["metres"]


def with_places(booking, sailing, now):
    """The booking as it is when it gets its places now."""
    if "hold" not in booking:
        return {**booking, "state": "booked"}
    until = min(now + booking["hold"], sailing["departs"])
    return {**booking, "state": "held", "held_until": until}


def moved(booking, state, **more):
    """The booking in another state; its hold, if it had one, is over."""
    result = {**booking, "state": state, **more}
    result.pop("held_until", None)
    return result


def due_minute(booking, sailing):
    """When the booking lapses or is missed, or None if neither can happen."""
    return sailing["departs"] if booking["state"] == "waiting" else booking.get("held_until")
