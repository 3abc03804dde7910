"""The house: vats, and the batches that are dyed in them.

Everything here happens under the lock of the store room, so a batch takes its vats and its dye in
one step. Timers call back and take the lock like any request.
"""
import threading

from batches import SETTLED, Batch
from faults import Refusal


class Vat:
    def __init__(self, vat_id):
        self.id = vat_id
        self.batch = None
        self.log = []

    def shape(self):
        if self.batch is None:
            return {"id": self.id, "state": "free"}
        return {"id": self.id, "state": "busy", "batch": self.batch.id}


class House:
    def __init__(self, room):
        self.room = room
        self._changed = room.changed
        self._vats = {}
        self._batches = {}

    def add_vat(self, vat_id):
        with self._changed:
            if vat_id in self._vats:
                raise Refusal(409, "vat-exists")
            self._vats[vat_id] = Vat(vat_id)
            return self._vats[vat_id].shape()

    def vat(self, vat_id):
        with self._changed:
            return self._known_vat(vat_id).shape()

    def vats(self):
        with self._changed:
            return [self._vats[vat_id].shape() for vat_id in sorted(self._vats)]

    def log(self, vat_id):
        with self._changed:
            return list(self._known_vat(vat_id).log)

    def order(self, fields):
        with self._changed:
            for vat_id in fields["vats"]:
                self._known_vat(vat_id)
            self.room.check_known([fields["dye"]])
            batch = Batch(len(self._batches) + 1, fields)
            self._batches[batch.id] = batch
            self._begin_waiting()
            self._watch_patience(batch)
            return batch.shape()

    def batch(self, batch_id, seconds):
        """The batch, once it is settled or the time is over."""
        with self._changed:
            batch = self._known_batch(batch_id)
            self._changed.wait_for(lambda: batch.state in SETTLED, seconds)
            return batch.shape()

    def batches(self):
        with self._changed:
            return [batch.shape() for batch in self._batches.values()]

    def cancel(self, batch_id):
        with self._changed:
            batch = self._known_batch(batch_id)
            if batch.state in SETTLED:
                raise Refusal(409, "settled", state=batch.state)
            self._cancel(batch)
            self._begin_waiting()
            return batch.shape()

    def _known_vat(self, vat_id):
        if vat_id not in self._vats:
            raise Refusal(404, "no-vat", vat=vat_id)
        return self._vats[vat_id]

    def _known_batch(self, batch_id):
        if batch_id not in self._batches:
            raise Refusal(404, "no-batch", batch=batch_id)
        return self._batches[batch_id]

    def _enter(self, batch, state):
        """Puts a batch into a state, and wakes those who wait for it."""
        batch.state = state
        self._changed.notify_all()

    def _begin_waiting(self):
        """Begins all batches that can, in their order. A batch that cannot keeps its vats from later ones."""
        wanted = set()
        for batch in self._batches.values():
            if batch.state != "waiting":
                continue
            if wanted.isdisjoint(batch.vats) and all(self._vats[vat].batch is None for vat in batch.vats):
                self._begin(batch)
            else:
                wanted.update(batch.vats)

    def _begin(self, batch):
        batch.stop_timer()
        if self.room.available(batch.dye) < batch.grams:
            self._enter(batch, "failed")
            return
        self.room.record({batch.dye: -batch.grams})
        self._enter(batch, "dyeing")
        for vat_id in batch.vats:
            self._vats[vat_id].batch = batch
            self._vats[vat_id].log.append({"batch": batch.id, "event": "begins"})
        self._start_timer(batch, batch.seconds, self._finish)

    def _finish(self, batch):
        with self._changed:
            self._leave_vats(batch, "ends")
            self._enter(batch, "done")
            self._begin_waiting()

    def _leave_vats(self, batch, event):
        for vat_id in batch.vats:
            self._vats[vat_id].batch = None
            self._vats[vat_id].log.append({"batch": batch.id, "event": event})

    def _cancel(self, batch):
        batch.stop_timer()
        if batch.state == "dyeing":
            self._leave_vats(batch, "stops")
            self.room.record({batch.dye: batch.grams})
        self._enter(batch, "cancelled")

    def _watch_patience(self, batch):
        if batch.state != "waiting" or batch.patience is None:
            return
        if batch.patience == 0:
            self._enter(batch, "expired")
            return
        self._start_timer(batch, batch.patience / 1000, self._expire)

    def _expire(self, batch):
        with self._changed:
            if batch.state == "waiting":
                self._enter(batch, "expired")
                self._begin_waiting()

    @staticmethod
    def _start_timer(batch, seconds, call):
        batch.timer = threading.Timer(seconds, call, [batch])
        batch.timer.daemon = True
        batch.timer.start()
