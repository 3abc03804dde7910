"""The rewards of the three arms. All of them run the same tests on the same edits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from codeslope import Grader
from codeslope.trl import reward as slope_reward

from edits import added_lines, tasks
from sandbox import Sandbox, passes

ARMS = ("tests", "lines", "slope")
Score = Callable[[Sequence[tuple[str, str]]], list[float]]
"""Rewards of pairs of a task's name and an answer."""


def scorer(arm: str, sandbox: Sandbox, half_lines: float) -> Score:
    """The rewards of an arm. The same answer to the same task has the same reward, so it is asked for once."""
    ask = {"tests": tests_only, "lines": lines(half_lines), "slope": slope()}[arm]
    known: dict[tuple[str, str], float] = {}

    def score(pairs: Sequence[tuple[str, str]]) -> list[float]:
        new = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        known.update(zip(new, ask(sandbox, new), strict=True))
        return [known[pair] for pair in pairs]

    return score


def tests_only(sandbox: Sandbox, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """1 if all tests pass, else 0."""
    return [float(is_correct(sandbox, *pair)) for pair in pairs]


def lines(half: float) -> Callable[[Sandbox, Sequence[tuple[str, str]]], list[float]]:
    """Like the reward of slope, with the number of added lines as the only sign of quality."""

    def ask(sandbox: Sandbox, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [is_correct(sandbox, *pair) * (1 - 0.5 * (1 - brevity(*pair, half))) for pair in pairs]

    return ask


def slope() -> Callable[[Sandbox, Sequence[tuple[str, str]]], list[float]]:
    """The reward function of the adapter for TRL, as it is. It gets diffs, bases and a function that runs tests."""

    def ask(sandbox: Sandbox, pairs: Sequence[tuple[str, str]]) -> list[float]:
        def run_tests(edit: str, row: Mapping[str, Any]) -> dict[str, Any]:
            task = tasks()[row["name"]]
            return {**sandbox.visible(task, task.choice(row["answer"]))}

        if not pairs:
            return []
        grade = slope_reward(grader, tests=run_tests, workers=1)
        responses = [response(*pair) for pair in pairs]
        columns = {"name": [name for name, _ in pairs], "answer": [answer for _, answer in pairs]}
        rewards = grade(columns["name"], responses, base=columns["name"], **columns)
        missing = [pair for pair, each in zip(pairs, rewards, strict=True) if each is None]
        if missing:
            raise RuntimeError(f"{len(missing)} edits have no reward, such as {missing[0]}")
        return [float(each or 0) for each in rewards]

    grader = Bases()
    return ask


class Bases:
    """A grader for each task, made when it is first needed."""

    def __init__(self) -> None:
        self._graders: dict[str, Grader] = {}

    def grade_all(self, requests: Sequence[Any], *, in_groups: bool = False) -> list[Any]:
        """Grades requests whose base is the name of a task."""
        grades = []
        for request in requests:
            name = request["base"]
            if name not in self._graders:
                self._graders[name] = Grader(tasks()[name].base, threads=1)
            grades += self._graders[name].grade_all([request], in_groups=in_groups)
        return grades


def response(name: str, answer: str) -> str:
    """The edit of an answer as a model would write it."""
    task = tasks()[name]
    diff = task.diff(task.choice(answer))
    return f"```diff\n{diff}```\n" if diff else "I cannot do this."


def is_correct(sandbox: Sandbox, name: str, answer: str) -> bool:
    task = tasks()[name]
    return passes(sandbox.visible(task, task.choice(answer)))


def brevity(name: str, answer: str, half: float) -> float:
    """1 if no lines are added, 0.5 if `half` lines are added."""
    task = tasks()[name]
    return half / (half + max(0, added_lines(task, task.changed(task.choice(answer)))))
