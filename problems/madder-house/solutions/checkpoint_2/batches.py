"""A batch: what was ordered, and how far it is."""
SETTLED = {"done", "failed"}


class Batch:
    def __init__(self, number, fields):
        self.id = "B{}".format(number)
        self.customer = fields["customer"]
        self.vats = fields["vats"]
        self.dye = fields["dye"]
        self.grams = fields["grams"]
        self.state = "waiting"
        self._ms = fields["ms"]

    @property
    def seconds(self):
        return self._ms / 1000

    def shape(self):
        return {"id": self.id, "customer": self.customer, "vats": self.vats, "dye": self.dye,
                "grams": self.grams, "ms": self._ms, "state": self.state}
