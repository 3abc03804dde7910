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
        self.programmes = {}
        self.pieces = {}
        self.firings = {}
        self.leases = {}
        self.broken = set()
        self.history = []

    def note(self, what, thing, **more):
        """Adds to the history what has just happened to a thing."""
        entry = {"seq": len(self.history) + 1, "at": self.now, "what": what, "id": thing["id"]}
        self.history.append({**entry, **more})

    def kiln(self, kiln_id):
        return _find(self.kilns, kiln_id, "kiln")

    def piece(self, piece_id):
        return _find(self.pieces, piece_id, "piece")

    def firing(self, firing_id):
        return _find(self.firings, firing_id, "firing")

    def programme(self, programme_id):
        return _find(self.programmes, programme_id, "programme")

    def lease(self, lease_id):
        return _find(self.leases, lease_id, "lease")

    def pieces_of(self, firing):
        return [self.pieces[piece_id] for piece_id in firing["pieces"]]

    def firings_of(self, kiln):
        return [firing for firing in self.firings.values() if firing["kiln"] == kiln["id"]]


def _find(things, thing_id, kind):
    if thing_id not in things:
        raise missing(kind)
    return things[thing_id]
