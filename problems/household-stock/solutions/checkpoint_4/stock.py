"""The lots in the pantry, the rules for them, and what may be done with both."""

from typing import NamedTuple, Optional

from values import PantryError, parse_date, parse_quantity, parse_word

DEFAULT_PLACE = "shelf"


class Lot(NamedTuple):
    name: str
    amount: int
    unit: str
    best_before: Optional[str]
    place: str

    def describe(self):
        dated = f", best before {self.best_before}" if self.best_before else ""
        return f"{self.name}: {self.amount} {self.unit}{dated}, {self.place}"

    def fields(self):
        """The lot as a file holds it, in the order of its fields; an absent date is left out."""
        dated = {"best_before": self.best_before} if self.best_before else {}
        return {"name": self.name, "quantity": f"{self.amount}{self.unit}", **dated, "place": self.place}


def parse_lot(name, quantity, best_before=None, place=DEFAULT_PLACE):
    """A lot from the texts of a user; the order of the checks is part of the contract."""
    name = parse_word(name, "name")
    amount, unit = parse_quantity(quantity)
    if best_before is not None:
        parse_date(best_before)
    return Lot(name, amount, unit, best_before, parse_word(place, "place"))


def listing_order(lot):
    """By name, then in taking order; sorting is stable, so equals stay as they were added."""
    return (lot.name, lot.best_before is None, lot.best_before or "")


def require_unit(name, kept_in, unit):
    if kept_in is not None and unit is not None and kept_in != unit:
        raise PantryError(f"{name} is kept in {kept_in}")


class Stock:
    """All lots in the order in which they were added, aliases, and minimums as (amount, unit)."""

    def __init__(self, lots=(), aliases=(), minimums=()):
        self.lots = list(lots)
        self.aliases = dict(aliases)
        self.minimums = dict(minimums)

    @classmethod
    def from_state(cls, state):
        lots = [Lot(*fields) for fields in state.get("lots", ())]
        return cls(lots, state.get("aliases", ()), state.get("minimums", ()))

    def state(self):
        """A copy that later changes do not reach."""
        return {
            "lots": list(self.lots),
            "aliases": dict(self.aliases),
            "minimums": dict(self.minimums),
        }

    def resolve(self, name):
        return self.aliases.get(name, name)

    def ordered(self):
        return sorted(self.lots, key=listing_order)

    def lots_of(self, name):
        """The lots of a name in taking order; at least one."""
        lots = [lot for lot in self.ordered() if lot.name == name]
        if not lots:
            raise PantryError(f"no {name} in stock")
        return lots

    def totals(self):
        """For each name in order: the name, the sum of its lots, its unit."""
        sums = {}
        for lot in self.ordered():
            amount, _ = sums.get(lot.name, (0, lot.unit))
            sums[lot.name] = (amount + lot.amount, lot.unit)
        return [(name, amount, unit) for name, (amount, unit) in sums.items()]

    def unit_in_stock(self, name):
        return next((lot.unit for lot in self.lots if lot.name == name), None)

    def unit_of(self, name):
        """The unit of a name's lots, else of its minimum, else None."""
        _, unit = self.minimums.get(name, (0, None))
        return self.unit_in_stock(name) or unit

    def add(self, lot):
        """Adds a lot under the name that its own stands for; gives the lot as it was added."""
        lot = lot._replace(name=self.resolve(lot.name))
        require_unit(lot.name, self.unit_of(lot.name), lot.unit)
        self.lots.append(lot)
        return lot

    def take(self, name, amount, unit):
        lots = self.lots_of(name)
        require_unit(name, lots[0].unit, unit)
        available = sum(lot.amount for lot in lots)
        if available < amount:
            raise PantryError(f"only {available} {unit} of {name} left")
        for lot in lots:
            used = min(amount, lot.amount)
            self._shrink(lot, used)
            amount -= used

    def move(self, name, place, origin=None):
        """Moves the lots of a name, of one place or of all; gives how many."""
        chosen = [lot for lot in self.lots_of(name) if origin in (None, lot.place)]
        if not chosen:
            raise PantryError(f"no {name} in {origin}")
        self.lots = [lot._replace(place=place) if lot in chosen else lot for lot in self.lots]
        return len(chosen)

    def expire(self, date):
        """Removes the lots that are best before an earlier date; gives them in listing order."""
        old = [lot for lot in self.ordered() if lot.best_before and lot.best_before < date]
        self.lots = [lot for lot in self.lots if lot not in old]
        return old

    def alias(self, other, name):
        if other == name:
            raise PantryError(f"cannot alias {name} to itself")
        require_unit(name, self.unit_of(name), self.unit_of(other))
        self.lots = [lot._replace(name=name) if lot.name == other else lot for lot in self.lots]
        if other in self.minimums:
            self.minimums.setdefault(name, self.minimums.pop(other))
        for key, target in self.aliases.items():
            self.aliases[key] = name if target == other else target
        self.aliases[other] = name

    def set_minimum(self, name, amount, unit):
        require_unit(name, self.unit_in_stock(name), unit)
        self.minimums[name] = (amount, unit)

    def drop_minimum(self, name):
        if name not in self.minimums:
            raise PantryError(f"no minimum for {name}")
        del self.minimums[name]

    def _shrink(self, lot, used):
        position = self.lots.index(lot)
        rest = [lot._replace(amount=lot.amount - used)] if used < lot.amount else []
        self.lots[position:position + 1] = rest
