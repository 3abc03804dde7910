"""What there is in the studio, and how things are found and shown."""
from errors import missing


DEFAULT_RANK = 5


def shown(thing):
    """A thing as it is answered: keys without a value are left out."""
    return {key: value for key, value in thing.items()
            if value is not None and (key, value) != ("rank", DEFAULT_RANK)}


class Studio:
    def __init__(self):
        self.now = 0
        self.kilns = {}
        self.pieces = {}
        self.firings = {}

    def kiln(self, kiln_id):
        return _find(self.kilns, kiln_id, "kiln")

    def piece(self, piece_id):
        return _find(self.pieces, piece_id, "piece")

    def firing(self, firing_id):
        return _find(self.firings, firing_id, "firing")

    def pieces_of(self, firing):
        return [self.pieces[piece_id] for piece_id in firing["pieces"]]

    def firings_of(self, kiln, states):
        return [firing for firing in self.firings.values()
                if firing["kiln"] == kiln["id"] and firing["state"] in states]

    def show_kiln(self, kiln):
        running = self.firings_of(kiln, ["firing"])
        if not running:
            return shown({**kiln, "state": "idle"})
        return shown({**kiln, "state": "firing", "firing": running[0]["id"]})


def _find(things, thing_id, kind):
    if thing_id not in things:
        raise missing(kind)
    return things[thing_id]
