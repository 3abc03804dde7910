"""The lots in the pantry and what may be done with them."""

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


class Stock:
    """All lots, in the order in which they were added."""

    def __init__(self, lots=()):
        self.lots = list(lots)

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

    def unit_of(self, name):
        return next((lot.unit for lot in self.lots if lot.name == name), None)

    def require_unit(self, name, unit):
        kept_in = self.unit_of(name)
        if kept_in not in (None, unit):
            raise PantryError(f"{name} is kept in {kept_in}")

    def add(self, lot):
        self.require_unit(lot.name, lot.unit)
        self.lots.append(lot)

    def take(self, name, amount, unit):
        lots = self.lots_of(name)
        self.require_unit(name, unit)
        available = sum(lot.amount for lot in lots)
        if available < amount:
            raise PantryError(f"only {available} {unit} of {name} left")
        for lot in lots:
            used = min(amount, lot.amount)
            self._shrink(lot, used)
            amount -= used

    def _shrink(self, lot, used):
        position = self.lots.index(lot)
        rest = [lot._replace(amount=lot.amount - used)] if used < lot.amount else []
        self.lots[position:position + 1] = rest
