"""A batch: what was ordered, and how far it is."""
SETTLED = {"done", "failed", "cancelled", "expired"}


class Batch:
    def __init__(self, number, fields):
        self.id = "B{}".format(number)
        self.customer = fields["customer"]
        self.vats = fields["vats"]
        self.dye = fields["dye"]
        self.grams = fields["grams"]
        self.state = "waiting"
        self._ms = fields["ms"]
        self.patience = fields["patience"]
        self.timer = None

    @property
    def seconds(self):
        return self._ms / 1000

    def stop_timer(self):
        if self.timer is not None:
            self.timer.cancel()

    def shape(self):
        shape = {"id": self.id, "customer": self.customer, "vats": self.vats, "dye": self.dye,
                 "grams": self.grams, "ms": self._ms, "state": self.state}
        if self.patience is not None:
            shape["patience"] = self.patience
        return shape
