"""Customers: whose turn it is, how much they may have dyed at once, and what they hear of it."""


class Customer:
    def __init__(self):
        self.most = None
        self.dyeing = 0
        self.keys = {}
        self.events = []
        self._turn = -1

    def next_turn(self, turn_of_house):
        self._turn = max(turn_of_house, self._turn + 1)
        return self._turn

    def is_busy(self):
        return self.most is not None and self.dyeing >= self.most

    def report(self, batch, state):
        self.events.append({"event": len(self.events) + 1, "batch": batch.id, "state": state})


class Customers:
    def __init__(self):
        self.turn = 0
        self._all = {}

    def get(self, customer_id):
        return self._all.setdefault(customer_id, Customer())

    def begins(self, batch):
        self.turn = max(self.turn, batch.place[0])
        self.get(batch.customer).dyeing += 1
