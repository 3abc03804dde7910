"""Rewards for verifiers, named by import path in its configuration.

    [env.taskset.task.rewards.slope]
    fn = "codeslope.verifiers:reward"

    [env.taskset.task.metrics.slope_components]
    fn = "codeslope.verifiers:components"

The edit is `trace.info["patch"]`, which task sets for software take from the workspace. Without one, it is the diff in
the model's reply. Results of tests are in `trace.info["tests"]` or in the task's field `tests`, or the function that
`CODESLOPE_TESTS` names finds them. This module does not import verifiers.
"""

from __future__ import annotations

from typing import Any

from codeslope import ServerError, flat
from codeslope._samples import Patch, Scorer, object_of, shared, text_of
from codeslope._types import Grade


async def reward(task: Any, trace: Any) -> float:
    """The reward: correctness first, quality second."""
    return await number("reward", task, trace)


async def correctness(task: Any, trace: Any) -> float:
    """1 if the tests pass and there is no hard flag, else 0."""
    return await number("correctness", task, trace)


async def quality_conditioned(task: Any, trace: Any) -> float:
    """The quality if the edit is correct, else 0."""
    return await number("quality_conditioned", task, trace)


async def components(task: Any, trace: Any) -> dict[str, float]:
    """All numbers of the grade, as metrics with the prefix `slope_`."""
    return {f"slope_{key}": value for key, value in flat(await grade(task, trace)).items()}


async def number(component: str, task: Any, trace: Any, scorer: Scorer | None = None) -> float:
    """One number of the grade.

    Raises `ServerError` if the edit could not be graded, so that the rollout counts as an error and not as a zero.
    """
    found = await grade(task, trace, scorer)
    numbers = flat(found)
    if not numbers["valid"]:
        error = found["error"]
        raise ServerError(error["message"] if error else "the sample has no results of tests")
    return numbers[component]


async def grade(task: Any, trace: Any, scorer: Scorer | None = None) -> Grade:
    """The grade of a rollout. `scorer` is for functions of your own; by default, the environment says what to use."""
    return await (scorer or shared()).grade_async(edit(trace), row(task, trace))


def edit(trace: Any) -> Any:
    """The patch of a rollout, or what the model replied."""
    info = trace.info
    if "patch" in info or "patch_error" in info:
        # Without a patch, the agent broke its own repository. That counts as a change of nothing.
        return Patch(info.get("patch", ""))
    return text_of(trace.last_reply)


def row(task: Any, trace: Any) -> dict[str, Any]:
    """What the task and the task set's own code say of a rollout."""
    fields = task.model_dump() if hasattr(task, "model_dump") else dict(task)
    found = dict(object_of(fields["slope"], "the task's field `slope`")) if fields.get("slope") else fields
    return {**found, **{key: trace.info[key] for key in ("base", "tests") if trace.info.get(key) is not None}}
