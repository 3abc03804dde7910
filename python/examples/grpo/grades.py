"""How slope grades each choice of a part, compared with the choice that a reviewer prefers. Tests count as passed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from statistics import mean

from codeslope import Grader

from edits import ACCEPTED, HACKS, PARTS, Choice, Task, tasks

#: Edits by chance for each task, in which a part is compared.
CONTEXTS = 12
Row = dict[str, float]


def grades_of_choices() -> dict[str, dict[str, Row]]:
    """For each choice that a reviewer does not accept: how it changes rewards, and how many edits it raises or lowers.

    `clean`: all other parts are as a reviewer prefers them. `by_chance`: the other parts are chosen by chance, and no
    test is changed.
    """
    clean = {part: choices[0] for part, choices in PARTS.items()}
    chance = random.Random(0)
    contexts = {name: [by_chance(chance) for _ in range(CONTEXTS)] for name in tasks()}
    graders = {name: Grader(task.base, threads=1) for name, task in tasks().items()}
    found: dict[str, dict[str, Row]] = {}
    for part, choices in PARTS.items():
        for choice in (each for each in choices if each not in ACCEPTED[part]):
            apart: dict[str, list[float]] = {"clean": [], "by_chance": []}
            for name, task in tasks().items():
                apart["clean"].append(difference(graders[name], task, clean, part, choice))
                apart["by_chance"] += [difference(graders[name], task, each, part, choice) for each in contexts[name]]
            found[f"{part}: {choice}"] = {kind: row(values) for kind, values in apart.items()}
    return found


def by_chance(chance: random.Random) -> Choice:
    return {part: chance.choice([each for each in choices if each not in HACKS]) for part, choices in PARTS.items()}


def difference(grader: Grader, task: Task, context: Choice, part: str, choice: str) -> float:
    return reward(grader, task, {**context, part: choice}) - reward(grader, task, {**context, part: PARTS[part][0]})


def reward(grader: Grader, task: Task, choice: Choice) -> float:
    return float(grader.grade(diff=task.diff(choice), passed=1, failed=0)["reward"] or 0)


def row(differences: Sequence[float]) -> Row:
    return {
        "mean": mean(differences),
        "below": float(sum(each < -1e-9 for each in differences)),
        "equal": float(sum(abs(each) <= 1e-9 for each in differences)),
        "above": float(sum(each > 1e-9 for each in differences)),
    }
