"""Rewards for verl, named in its configuration.

    reward:
      custom_reward_function:
        path: pkg://codeslope.verl
        name: compute_score
        reward_kwargs: {base: path/to/repo@v2.1, tests: my_package.sandbox:run_tests}

Base and results of tests can also be in the ground truth (an object or JSON) or in `extra_info`. This module does not
import verl.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from codeslope import flat
from codeslope._samples import columns_of, shared
from codeslope._types import Grade


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: Any,
    extra_info: Mapping[str, Any] | None = None,
    *,
    base: str | None = None,
    tests: str | None = None,
    pack: str | None = None,
    deadline_ms: int | None = 10_000,
    **_: Any,
) -> dict[str, float]:
    """The numbers of one response, always with the same keys. `score` is the reward, `acc` whether the tests pass.

    A sample that could not be graded has the score 0.5 and `valid` 0.
    """
    scorer = shared(base=base, tests=tests, pack=pack, deadline_ms=deadline_ms)
    return numbers(scorer.grade(solution_str, row(ground_truth, extra_info)))


async def compute_score_async(
    data_source: str,
    solution_str: str,
    ground_truth: Any,
    extra_info: Mapping[str, Any] | None = None,
    *,
    base: str | None = None,
    tests: str | None = None,
    pack: str | None = None,
    deadline_ms: int | None = 10_000,
    **_: Any,
) -> dict[str, float]:
    """Like `compute_score`, as a coroutine function. `tests` may be one too."""
    scorer = shared(base=base, tests=tests, pack=pack, deadline_ms=deadline_ms)
    return numbers(await scorer.grade_async(solution_str, row(ground_truth, extra_info)))


def row(ground_truth: Any, extra_info: Mapping[str, Any] | None) -> dict[str, Any]:
    """What the data set says of a sample. A ground truth of another kind, such as a plain text, says nothing."""
    try:
        label = columns_of(ground_truth)
    except ValueError:
        label = {}
    return {**(extra_info or {}), **label}


def numbers(grade: Grade) -> dict[str, float]:
    """The numbers of a grade under the names that verl knows."""
    found = flat(grade)
    return {**found, "score": found["reward"], "acc": found["score"]}
