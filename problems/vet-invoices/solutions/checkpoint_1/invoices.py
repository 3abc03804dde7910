"""Invoices of all owners. Amounts are in cents."""

from collections import defaultdict


class Tariff:
    """Prices of a species."""

    def __init__(self, price, surgery, vaccination=None, checkups=None):
        self.price = price
        self.surgery = surgery
        #: A vaccination is cheaper by this part of its price.
        self.vaccination = vaccination
        #: More than two checkups are cheaper by this part.
        self.checkups = checkups

    def amount(self, visit, count):
        price = visit.price if type(visit.price) is int else self.price
        return (price + self._change(visit.treatment, price, count)) * count

    def _change(self, treatment, price, count):
        if treatment == "surgery":
            return self.surgery
        if treatment == "vaccination" and self.vaccination:
            return -(price // self.vaccination)
        if treatment == "checkup" and self.checkups and count > 2:
            return -(price // self.checkups)
        return 0


TARIFFS = {
    "cat": Tariff(3000, surgery=1500, vaccination=10, checkups=5),
    "dog": Tariff(3500, surgery=2500, vaccination=10, checkups=5),
    "horse": Tariff(9000, surgery=20000, vaccination=20),
}
OTHER = Tariff(2000, surgery=1000)


def report(visits):
    owners = defaultdict(list)
    for visit in visits:
        if visit.is_billed:
            owners[visit.owner_name].append(visit)
    lines = []
    total = 0
    for owner in sorted(owners):
        amount, of_owner = _invoice(owner, owners[owner])
        lines += of_owner
        total += amount
    lines.append("all: " + _money(total))
    unusable = sum(not visit.is_billed for visit in visits)
    return lines + ([f"unusable: {unusable}"] if unusable else [])


def _invoice(owner, visits):
    total = 0
    lines = []
    animals = sorted({_animal(visit) for visit in visits})
    for visit in visits:
        count = _count(visit.count)
        amount = _tariff(visit.species).amount(visit, count)
        total += amount
        lines.append(f"  {_animal(visit)}: {count} x {visit.treatment_name} {_money(amount)}")
    if len(animals) > 2:
        total -= total // 20
    return total, [f"{owner} ({', '.join(animals)}): {_money(total)}"] + lines


def _tariff(species):
    return TARIFFS.get(species, OTHER) if isinstance(species, str) else OTHER


def _animal(visit):
    return "-" if visit.animal is None else visit.animal


def _count(value):
    return max(0, value) if type(value) is int else 1


def _money(cents):
    return f"{cents // 100}.{cents % 100:02}"
