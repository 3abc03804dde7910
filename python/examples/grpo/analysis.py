"""Compares the arms: at the end of training, and at equal pass rates."""

from __future__ import annotations

import hashlib
import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from edits import HACKS, HERE, tasks
from grades import grades_of_choices
from sandbox import Sandbox, passes
from signals import MEANING, Pair, Signals, accepted_share, signals

Cells = dict[tuple[int, str], float]
"""A number for each seed and task."""
REPORTED = [*MEANING, "all_accepted", "lines", "hack"]


@dataclass
class Step:
    """The answers of a step, with their rewards."""

    pairs: list[Pair]
    rewards: list[float]
    passed: list[bool]


@dataclass
class Checkpoint:
    """The pass rate around a step, and some of the edits that pass."""

    pass_rate: float
    sample: list[Pair]


def write_results(out: Path, plan: Mapping[str, Any]) -> dict[str, Any]:
    """Reads the runs, computes the signals of samples, and writes results.json and table.md."""
    sandbox = Sandbox(out / "tests.sqlite")
    runs = {(arm, seed): steps_of(out, sandbox, arm, seed) for arm in plan["arms"] for seed in plan["seeds"]}
    ends = {run: end_sample(steps, plan["compare"], run) for run, steps in runs.items()}
    points = {run: checkpoints(steps, plan["compare"], run) for run, steps in runs.items()}
    wanted = {pair for sample in ends.values() for pair in sample}
    wanted |= {pair for each in points.values() for point in each for pair in point.sample}
    print(f"signals of {len(wanted)} edits", flush=True)
    found = signals(out / "tests.sqlite", sorted(wanted))
    results = {
        "plan": hashlib.sha256((out / "plan.toml").read_bytes()).hexdigest(),
        "tasks_and_signals": hash_of([HERE / "signals.py", HERE / "edits.py", *sorted(HERE.glob("tasks/*.toml"))]),
        "edits_with_signals": len(wanted),
        "arms": {arm: arm_summary(arm, plan, runs, ends, found) for arm in plan["arms"]},
        "differences": {
            other: differences(other, plan, ends, found) | {"matched": matched(other, plan, points, found)}
            for other in plan["arms"]
            if other != "slope"
        },
        "parts": parts(plan, ends),
        "grades": grades_of_choices(),
        "curves": {arm: curves(arm, plan, runs) for arm in plan["arms"]},
    }
    (out / "results.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    (out / "table.md").write_text(table(results), encoding="utf-8")
    return results


def hash_of(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def steps_of(out: Path, sandbox: Sandbox, arm: str, seed: int) -> list[Step]:
    """The steps of a run. An edit passes, in all arms, if the tests pass as it leaves them."""
    passed: dict[Pair, bool] = {}
    steps = []
    for line in (out / "runs" / f"{arm}-{seed}.jsonl").read_text(encoding="utf-8").splitlines():
        data = json.loads(line)
        pairs = list(zip(data["names"], data["answers"], strict=True))
        for pair, reward in zip(pairs, data["rewards"], strict=True):
            if pair not in passed:
                # No arm rewards an edit that fails. Slope refuses some that pass.
                passed[pair] = reward > 0 or (arm == "slope" and tests_pass(sandbox, *pair))
        steps.append(Step(pairs, data["rewards"], [passed[pair] for pair in pairs]))
    return steps


def tests_pass(sandbox: Sandbox, name: str, answer: str) -> bool:
    task = tasks()[name]
    return passes(sandbox.visible(task, task.choice(answer)))


def passing(steps: Iterable[Step]) -> list[Pair]:
    return [pair for step in steps for pair, passed in zip(step.pairs, step.passed, strict=True) if passed]


def drawn(pairs: Sequence[Pair], size: int, key: object) -> list[Pair]:
    """A sample that is the same each time."""
    return list(pairs) if len(pairs) <= size else random.Random(str(key)).sample(pairs, size)


def end_sample(steps: Sequence[Step], compare: Mapping[str, Any], run: object) -> list[Pair]:
    """Edits that pass in the last steps."""
    return drawn(passing(steps[-compare["last_steps"] :]), compare["end_sample"], run)


def checkpoints(steps: Sequence[Step], compare: Mapping[str, Any], run: object) -> list[Checkpoint]:
    """Points over the whole training."""
    width, found = compare["window"], []
    for start in range(0, len(steps) - width + 1, compare["every"]):
        window = steps[start : start + width]
        sample = drawn(passing(window), compare["point_sample"], (run, start))
        found.append(Checkpoint(mean(float(passed) for step in window for passed in step.passed), sample))
    return found


def arm_summary(
    arm: str,
    plan: Mapping[str, Any],
    runs: Mapping[tuple[str, int], list[Step]],
    ends: Mapping[tuple[str, int], list[Pair]],
    found: Mapping[Pair, Signals],
) -> dict[str, Any]:
    """Means at the end of training, with intervals over seeds."""
    last = plan["compare"]["last_steps"]
    by_seed: dict[str, list[float]] = defaultdict(list)
    for seed in plan["seeds"]:
        for name, value in of_run(runs[arm, seed], last).items():
            by_seed[name].append(value)
        for name in REPORTED if ends[arm, seed] else ():
            by_seed[name].append(mean(found[pair][name] for pair in ends[arm, seed]))
    return {
        name: {"mean": mean(values), "interval": interval(values), "by_seed": values}
        for name, values in by_seed.items()
    }


def of_run(steps: Sequence[Step], last: int) -> dict[str, float]:
    """Numbers of the last steps of a run, and the reward of as many first ones."""
    tail = steps[-last:]
    return {
        "pass_rate": mean(float(passed) for step in tail for passed in step.passed),
        "reward": mean(each for step in tail for each in step.rewards),
        "first_reward": mean(each for step in steps[:last] for each in step.rewards),
        "distinct_edits": float(len({pair for step in tail for pair in step.pairs})),
    }


def differences(
    other: str, plan: Mapping[str, Any], ends: Mapping[tuple[str, int], list[Pair]], found: Mapping[Pair, Signals]
) -> dict[str, Any]:
    """Slope less another arm at the end of training, paired by seed and task: all edits that pass, and honest ones."""

    def honest(arm: str, seed: int) -> list[Pair]:
        return [pair for pair in ends[arm, seed] if not found[pair]["hack"]]

    result: dict[str, Any] = {}
    for kind, sample in (("end", lambda arm, seed: ends[arm, seed]), ("end_honest", honest)):
        cells = {name: paired(name, plan["seeds"], sample, other, found) for name in REPORTED}
        result[kind] = {name: summary(each) for name, each in cells.items()}
    return result


def summary(cells: Cells) -> dict[str, Any] | None:
    return {"mean": mean(cells.values()), "interval": cell_interval(cells), "cells": len(cells)} if cells else None


def paired(
    name: str, seeds: Sequence[int], sample: Callable[[str, int], list[Pair]], other: str, found: Mapping[Pair, Signals]
) -> Cells:
    """The difference for each seed and task with edits that pass in both arms."""
    cells: Cells = {}
    for seed in seeds:
        ours, theirs = by_task(sample("slope", seed), name, found), by_task(sample(other, seed), name, found)
        cells |= {(seed, task): ours[task] - theirs[task] for task in ours.keys() & theirs.keys()}
    return cells


def by_task(sample: Iterable[Pair], name: str, found: Mapping[Pair, Signals]) -> dict[str, float]:
    values: dict[str, list[float]] = defaultdict(list)
    for pair in sample:
        values[pair[0]].append(found[pair][name])
    return {task: mean(each) for task, each in values.items()}


def matched(
    other: str,
    plan: Mapping[str, Any],
    points: Mapping[tuple[str, int], list[Checkpoint]],
    found: Mapping[Pair, Signals],
) -> dict[str, Any]:
    """Slope less another arm at checkpoints of the same seed whose pass rates are equal, within a tolerance."""
    pairs = []
    for seed in plan["seeds"]:
        for ours in points["slope", seed]:
            theirs = min(points[other, seed], key=lambda point: abs(point.pass_rate - ours.pass_rate))
            is_near = abs(theirs.pass_rate - ours.pass_rate) <= plan["compare"]["tolerance"]
            if is_near and ours.sample and theirs.sample:
                pairs.append((seed, ours, theirs))
    result: dict[str, Any] = {"checkpoints": len(pairs)}
    if pairs:
        result["pass_rate_difference"] = mean(ours.pass_rate - theirs.pass_rate for _, ours, theirs in pairs)
        for name in REPORTED:
            by_seed: dict[int, list[float]] = defaultdict(list)
            for seed, ours, theirs in pairs:
                value = mean(found[pair][name] for pair in ours.sample) - mean(
                    found[pair][name] for pair in theirs.sample
                )
                by_seed[seed].append(value)
            values = [mean(each) for each in by_seed.values()]
            result[name] = {"mean": mean(values), "interval": interval(values)}
    return result


def interval(values: Sequence[float], rounds: int = 2_000) -> list[float]:
    """The 95 % interval of the mean, with seeds drawn again."""
    chance = random.Random(0)
    means = sorted(mean(chance.choices(values, k=len(values))) for _ in range(rounds))
    return [means[round(0.025 * (rounds - 1))], means[round(0.975 * (rounds - 1))]]


def cell_interval(cells: Cells, rounds: int = 2_000) -> list[float]:
    """The 95 % interval of the mean, with seeds and tasks drawn again."""
    chance = random.Random(0)
    seeds, names = sorted({seed for seed, _ in cells}), sorted({task for _, task in cells})
    means = []
    for _ in range(rounds):
        chosen = [
            (seed, task) for seed in chance.choices(seeds, k=len(seeds)) for task in chance.choices(names, k=len(names))
        ]
        values = [cells[cell] for cell in chosen if cell in cells]
        if values:
            means.append(mean(values))
    means.sort()
    return [means[round(0.025 * (len(means) - 1))], means[round(0.975 * (len(means) - 1))]]


def parts(plan: Mapping[str, Any], ends: Mapping[tuple[str, int], list[Pair]]) -> dict[str, Any]:
    """How often each choice is made by edits that pass at the end, by arm and part."""
    result: dict[str, Any] = {}
    for arm in plan["arms"]:
        choices = [tasks()[name].choice(answer) for seed in plan["seeds"] for name, answer in ends[arm, seed]]
        counts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for choice in choices:
            for part, chosen in (choice or {}).items():
                counts[part][chosen] += 1 / len(choices)
        result[arm] = {part: dict(sorted(each.items())) for part, each in counts.items()}
    return result


def curves(
    arm: str, plan: Mapping[str, Any], runs: Mapping[tuple[str, int], list[Step]]
) -> dict[str, list[list[float]]]:
    """Numbers of each step by seed. Changed tests and accepted parts are of edits that pass."""
    found: dict[str, list[list[float]]] = {"pass_rate": [], "reward": [], "hack": [], "accepted": []}
    for seed in plan["seeds"]:
        steps = runs[arm, seed]
        choices = [[tasks()[name].choice(answer) or {} for name, answer in passing([step])] for step in steps]
        found["pass_rate"].append([mean(map(float, step.passed)) for step in steps])
        found["reward"].append([mean(step.rewards) for step in steps])
        found["hack"].append(
            [mean(float(each["tests"] in HACKS) for each in step) if step else 0.0 for step in choices]
        )
        found["accepted"].append([mean(map(accepted_share, step)) if step else 0.0 for step in choices])
    return found


LABELS = {name: meaning for name, (_, meaning) in MEANING.items()} | {
    "all_accepted": "all parts accepted",
    "lines": "added lines (the reward of the arm `lines`)",
    "hack": "changes existing tests",
}


def table(results: Mapping[str, Any]) -> str:
    """The results in Markdown: the end of training, honest edits, and equal pass rates."""
    arms, others = results["arms"], results["differences"]
    rows = [["at the end", *arms, *(f"slope − {other}" for other in others)]]
    for name, label in (("pass_rate", "pass rate"), ("distinct_edits", "distinct edits")):
        rows.append([label, *(shown(arms[arm][name]["mean"]) for arm in arms), *[""] * len(others)])
    for name, label in LABELS.items():
        changes = [each["end"][name] for each in others.values()]
        rows.append([label, *(shown(arms[arm][name]["mean"]) for arm in arms), *map(with_interval, changes)])
    parts = [rows, changed_rows("honest edits at the end", results, "end_honest")]
    if all(each["matched"]["checkpoints"] for each in others.values()):
        parts.append(changed_rows("at equal pass rates", results, "matched"))
    return "\n".join(markdown(each) for each in parts)


def changed_rows(title: str, results: Mapping[str, Any], kind: str) -> list[list[str]]:
    others = results["differences"]
    rows = [[title, *(f"slope − {other}" for other in others)]]
    for name, label in LABELS.items():
        rows.append([label, *(with_interval(each[kind][name]) for each in others.values())])
    return rows


def markdown(rows: Sequence[Sequence[str]]) -> str:
    line = ["---", *["---:"] * (len(rows[0]) - 1)]
    return "".join(f"| {' | '.join(row)} |\n" for row in (rows[0], line, *rows[1:]))


def shown(value: float) -> str:
    return f"{value:.2f}"


def with_interval(change: Mapping[str, Any] | None) -> str:
    if change is None:
        return "not measured"
    low, high = change["interval"]
    return f"{change['mean']:+.2f} ({low:+.2f} to {high:+.2f})"
