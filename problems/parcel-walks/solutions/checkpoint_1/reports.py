"""Reports on parcels, as lines of text."""

from collections import Counter, defaultdict

HEAVY_GRAMS = 5000
MOST_GRAMS = 20000
MOST_PARCELS = 40


def _with_id(parcels):
    return [parcel for parcel in parcels if parcel.id is not None]


def _by(parcels, key):
    groups = defaultdict(list)
    for parcel in parcels:
        groups[key(parcel)].append(parcel)
    return groups


def loads(parcels):
    rounds = _by(_with_id(parcels), lambda parcel: parcel.postman)
    return [_load(name, rounds[name]) for name in sorted(rounds)] or ["no parcels"]


def _load(name, parcels):
    carried = [parcel for parcel in parcels if parcel.is_on_the_way]
    grams = sum(parcel.grams for parcel in carried)
    heavy = sum(parcel.grams > HEAVY_GRAMS for parcel in carried)
    floors = sum(parcel.floor for parcel in carried)
    streets = len({parcel.street for parcel in carried})
    parts = [_count(len(carried), "parcel"), f"{grams} g"]
    parts += [f"{heavy} heavy"] if heavy else []
    parts += [f"{floors} floors"] if floors else []
    parts += [_count(streets, "street")] if streets else []
    is_overloaded = grams > MOST_GRAMS or len(carried) > MOST_PARCELS
    return f"{name}: {', '.join(parts)}" + (" OVERLOADED" if is_overloaded else "")


def _count(number, word):
    return f"{number} {word}" + ("" if number == 1 else "s")


def walk(parcels, name):
    mine = [parcel for parcel in _with_id(parcels) if parcel.postman == name and parcel.is_on_the_way]
    lines = []
    for street, stops in _by(sorted(mine, key=lambda parcel: parcel.step), lambda parcel: parcel.street).items():
        lines += [street + ":"] + [_stop(parcel) for parcel in stops]
    return lines or ["nothing for " + name]


def _stop(parcel):
    number = parcel.number or "no number"
    floor = f" floor {parcel.floor}" if parcel.floor else ""
    return f"  {number}{floor} {parcel.id}"


def doubles(parcels):
    known = _with_id(parcels)
    later = _by(known, lambda parcel: parcel.id)
    lines = []
    for parcel in known:
        same = later[parcel.id]
        same.remove(parcel)
        lines += [_double(parcel, other) for other in same]
    return lines or ["no doubles"]


def _double(first, second):
    if first.postman == second.postman:
        return f"{first.id} twice with {first.postman}"
    return f"{first.id} with {first.postman} and {second.postman}"


def states(parcels):
    counts = Counter("odd" if parcel.id is None else parcel.state for parcel in parcels)
    names = ["open", "delivered", "returned", "lost", "odd"]
    return [f"{name} {counts[name]}" for name in names if counts[name]] or ["empty"]
