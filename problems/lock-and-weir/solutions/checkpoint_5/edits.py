"""Changes to a simulation that has come to a halt."""

from errors import CanalError
from lines import number, required
from scenario import BOAT_OPTIONS, CLOSURE_OPTIONS, RESERVATION_OPTIONS, Reader, check_route

RANK_OPTIONS = {"value": required(number(0, 9))}
REFILL_OPTIONS = {"value": required(number(1, 999999))}


class Edits(Reader):
    def __init__(self, simulation):
        super().__init__(simulation.scenario)
        self.simulation = simulation

    def known_words(self):
        return {
            "boat": (BOAT_OPTIONS, self.read_boat),
            "closure": (CLOSURE_OPTIONS, self.read_closure),
            "reserve": (RESERVATION_OPTIONS, self.read_reservation),
            "open": ({}, self.read_opening),
            "cancel": ({}, self.read_cancellation),
            "rank": (RANK_OPTIONS, self.read_rank),
            "refill": (REFILL_OPTIONS, self.read_refill),
        }

    def read_boat(self, name, options):
        super().read_boat(name, options)
        boat = self.scenario.boats[name]
        if boat.departs <= self.simulation.now:
            raise CanalError("boat %s departs too early" % name)
        check_route(self.simulation.network, boat)
        self.simulation.add_boat(boat)

    def read_opening(self, section, options):
        self.check_section(section)
        self.scenario.closures.lift(section)

    def read_cancellation(self, name, options):
        self.check_boat(name)
        if self.simulation.voyages[name].departed is not None:
            raise CanalError("boat %s has departed" % name)
        del self.scenario.boats[name]
        self.simulation.remove_boat(name)
        for reservations in self.scenario.reservations.values():
            reservations[:] = [each for each in reservations if each.boat_name != name]

    def read_rank(self, name, options):
        self.check_boat(name)
        self.scenario.boats[name].rank = options["value"]

    def read_refill(self, name, options):
        if name not in self.scenario.reservoirs:
            raise CanalError("no reservoir '%s'" % name)
        self.simulation.stores[name].refresh(self.simulation.now)
        self.scenario.reservoirs[name].refill = options["value"]

    def finish(self):
        self.simulation.wake_all()
