"""Saved states: the text of the scenario, and all that moves."""

import json

import files
import scenario
from errors import CanalError
from network import Step
from simulation import Simulation

FORMAT = "canal state 1"
VOYAGE_FIELDS = (
    "stop", "departed", "arrived", "joined", "waited", "held_since", "held", "due",
)
CHAMBER_FIELDS = (
    "level", "free_at", "taken", "passages", "turns", "busy", "longest_queue",
    "waits_for_water", "used",
)
STORE_FIELDS = ("level", "hour", "used")


def picked(thing, fields):
    return {field: getattr(thing, field) for field in fields}


def put(thing, fields, values):
    for field in fields:
        setattr(thing, field, values[field])


def save(path, text, simulation):
    state = {
        "format": FORMAT,
        "minute": simulation.now,
        "scenario": text,
        "voyages": {name: dump_voyage(each) for name, each in simulation.voyages.items()},
        "chambers": {name: dump_chamber(each) for name, each in simulation.chambers.items()},
        "stores": {
            name: picked(each, STORE_FIELDS) for name, each in simulation.stores.items()
        },
    }
    files.write(path, json.dumps(state))


def dump_voyage(voyage):
    plan = voyage.plan
    if plan is not None:
        plan = [[step.section.name, step.direction, step.stop] for step in plan]
    return dict(picked(voyage, VOYAGE_FIELDS), plan=plan)


def dump_chamber(chamber):
    return dict(
        picked(chamber, CHAMBER_FIELDS),
        queue=[voyage.boat.name for voyage in chamber.queue],
        carried=sorted(chamber.carried),
    )


def load(path):
    """The text of the scenario, and the simulation as it was saved."""
    text = files.read(path)
    try:
        state = json.loads(text)
        if state["format"] != FORMAT:
            raise ValueError
        return state["scenario"], restored(state)
    except (ValueError, KeyError, TypeError, AttributeError, CanalError):
        raise CanalError("%s is not a saved state" % path) from None


def restored(state):
    simulation = Simulation(scenario.parse(state["scenario"]))
    simulation.now = state["minute"]
    sections = {section.name: section for section in simulation.scenario.sections()}
    for name, values in state["voyages"].items():
        restore_voyage(simulation.voyages[name], values, sections)
    for name, values in state["chambers"].items():
        restore_chamber(simulation.chambers[name], values, simulation.voyages)
    for name, values in state["stores"].items():
        put(simulation.stores[name], STORE_FIELDS, values)
    simulation.rebuild_agenda()
    return simulation


def restore_voyage(voyage, values, sections):
    put(voyage, VOYAGE_FIELDS, values)
    if values["plan"] is not None:
        voyage.plan = [
            Step(sections[name], direction, stop) for name, direction, stop in values["plan"]
        ]


def restore_chamber(chamber, values, voyages):
    put(chamber, CHAMBER_FIELDS, values)
    chamber.queue = [voyages[name] for name in values["queue"]]
    chamber.carried = set(values["carried"])
