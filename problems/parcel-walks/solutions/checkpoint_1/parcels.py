"""Parcels, one in each line of a file of tabs."""

STATES = {
    None: "open",
    "open": "open",
    "O": "open",
    "delivered": "delivered",
    "D": "delivered",
    "returned": "returned",
    "R": "returned",
    "lost": "lost",
    "L": "lost",
}


class Parcel:
    """A row. Its id is None if it has none."""

    def __init__(self, line):
        fields = [field.strip() for field in line.split("\t")]
        values = [None if field in ("", "none") else field for field in fields]
        values += [None] * (7 - len(values))
        self.id, street, number, floor, grams, postman, state = values[:7]
        self.street = street or "?"
        self.number = _number(number)
        self.floor = max(0, _number(floor))
        self.grams = max(0, _number(grams))
        self.postman = postman or "nobody"
        self.state = STATES.get(state, "odd")

    @property
    def is_on_the_way(self):
        return self.state not in ("delivered", "returned")

    @property
    def step(self):
        """Its place in a walk: odd numbers upwards, then even ones downwards."""
        is_even = self.number % 2 == 0
        return (self.street, is_even, -self.number if is_even else self.number)


def _number(text):
    try:
        return 0 if text is None else int(text)
    except ValueError:
        return 0


def read(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    inner = [line for line in lines if line.strip()]
    return [Parcel(line) for line in inner if not line.strip().startswith("#")]
