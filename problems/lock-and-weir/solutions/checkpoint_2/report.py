"""The words of everything that is printed."""

import clock

SENTENCES = {
    "departs": "%s departs %s",
    "arrives": "%s arrives at %s",
    "passes": "%s passes %s",
    "reaches": "%s reaches %s",
    "leaves": "%s leaves %s",
    "up": "%s lifts %s",
    "down": "%s lowers %s",
    "turns": "%s turns to %s",
}


def log_lines(events):
    for event in events:
        sentence = SENTENCES[event.kind] % (event.subject, *event.details)
        yield "%s %s" % (clock.written(event.minute), sentence)


def summary_lines(simulation):
    for _, voyage in sorted(simulation.voyages.items()):
        yield boat_line(voyage)
    for chamber in simulation.chambers.values():
        yield lock_line(chamber)


def boat_line(voyage):
    return "boat %s: departed %s, arrived %s, travel %d, waited %d" % (
        voyage.boat.name,
        clock.written(voyage.departed),
        clock.written(voyage.arrived),
        voyage.arrived - voyage.departed,
        voyage.waited,
    )


def lock_line(chamber):
    line = "lock %s: lifted %d, lowered %d, busy %d, longest queue %d" % (
        chamber.lock.name,
        chamber.taken["up"],
        chamber.taken["down"],
        chamber.busy,
        chamber.longest_queue,
    )
    if chamber.lock.room is not None:
        line += ", passages %d" % chamber.passages
    if chamber.lock.turn > 0:
        line += ", turns %d" % chamber.turns
    return line
