"""The words of everything that is printed."""

import clock
from network import way_minutes

SENTENCES = {
    "departs": "%s departs %s",
    "arrives": "%s arrives at %s",
    "passes": "%s passes %s",
    "reaches": "%s reaches %s",
    "leaves": "%s leaves %s",
    "up": "%s lifts %s",
    "down": "%s lowers %s",
    "turns": "%s turns to %s",
    "dry": "%s waits for water",
    "held": "%s is held %s %s",
    "goes on": "%s goes on",
    "reroutes": "%s reroutes by %s",
}


def log_lines(events):
    for event in events:
        sentence = SENTENCES[event.kind] % (event.subject, *event.details)
        yield "%s %s" % (clock.written(event.minute), sentence)


def difference_lines(before, after):
    """What only one of two logs has, in the order of time, the first log's lines first."""
    before = list(zip(before, log_lines(before)))
    after = list(zip(after, log_lines(after)))
    common = {line for _, line in before} & {line for _, line in after}
    marked = [(event.minute, "- " + line) for event, line in before if line not in common]
    marked += [(event.minute, "+ " + line) for event, line in after if line not in common]
    marked.sort(key=lambda pair: pair[0])
    return [line for _, line in marked] or ["no difference"]


def summary_lines(simulation):
    for _, voyage in sorted(simulation.voyages.items()):
        yield boat_line(voyage, simulation.now)
    for chamber in simulation.chambers.values():
        yield lock_line(chamber, simulation.now)
    for store in simulation.stores.values():
        store.refresh(simulation.now)
        yield store_line(store)

def route_lines(scenario, network):
    for _, boat in sorted(scenario.boats.items()):
        steps = network.route(boat, boat.start, frozenset())
        names = ", ".join(step.section.name for step in steps)
        yield "boat %s: %d minutes by %s" % (boat.name, way_minutes(steps, boat), names)


def boat_line(voyage, minute):
    line = "boat %s: " % voyage.boat.name
    if voyage.departed is None:
        return line + "not departed"
    line += "departed %s, %s, waited %d" % (
        clock.written(voyage.departed),
        progress(voyage),
        voyage.waited_until(minute),
    )
    held = voyage.held_until(minute)
    if held > 0:
        line += ", held %d" % held
    return line


def progress(voyage):
    if voyage.arrived is None:
        return "under way"
    travel = voyage.arrived - voyage.departed
    return "arrived %s, travel %d" % (clock.written(voyage.arrived), travel)


def lock_line(chamber, minute):
    line = "lock %s: lifted %d, lowered %d, busy %d, longest queue %d" % (
        chamber.lock.name,
        chamber.taken["up"],
        chamber.taken["down"],
        chamber.busy_until(minute),
        chamber.longest_queue,
    )
    if chamber.lock.room is not None:
        line += ", passages %d" % chamber.passages
    if chamber.lock.turn > 0:
        line += ", turns %d" % chamber.turns
    if chamber.lock.water > 0:
        line += ", water %d" % chamber.used
    return line


def store_line(store):
    return "reservoir %s: level %d, used %d" % (store.reservoir.name, store.level, store.used)
