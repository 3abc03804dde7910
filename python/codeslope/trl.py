"""Rewards for TRL's `GRPOTrainer`.

    from codeslope.trl import reward

    trainer = GRPOTrainer(model=..., reward_funcs=reward("path/to/repo@v2.1", tests=run_tests), train_dataset=...)

The columns `base`, `tests`, `reference`, `task` and `options` of the data set are fields of the request. This module
does not import TRL.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from codeslope import flat
from codeslope._samples import Scorer, why
from codeslope._types import Grade

Reward = Callable[..., list["float | None"]]
AsyncReward = Callable[..., Awaitable[list["float | None"]]]


def reward(
    base: Any = None, *, component: str = "reward", in_groups: bool = False, log: bool = True, **settings: Any
) -> Reward:
    """A reward function. It returns None for a sample that could not be graded, and TRL leaves it out.

    `component` is the number to return: a key of `codeslope.flat`. `in_groups` sets rewards by the pass rate of the
    attempts at the same prompt. With `log`, TRL logs all numbers. `base` and further settings are those of `Scorer`.
    """
    scorer = settings.pop("scorer", None) or Scorer(base, **settings)

    def slope(prompts: Sequence[Any], completions: Sequence[Any], **columns: Any) -> list[float | None]:
        rows = labels(prompts, columns)
        grades = scorer.grade_all(completions, rows, groups=groups_of(prompts) if in_groups else None)
        return given(grades, component, columns, log)

    slope.__name__ = named(component)
    return slope


def async_reward(
    base: Any = None, *, component: str = "reward", in_groups: bool = False, log: bool = True, **settings: Any
) -> AsyncReward:
    """Like `reward`, as a coroutine function: TRL runs it at the same time as others. `tests` may be one too."""
    scorer = settings.pop("scorer", None) or Scorer(base, **settings)

    async def slope(prompts: Sequence[Any], completions: Sequence[Any], **columns: Any) -> list[float | None]:
        rows = labels(prompts, columns)
        grades = await scorer.grade_all_async(completions, rows, groups=groups_of(prompts) if in_groups else None)
        return given(grades, component, columns, log)

    slope.__name__ = named(component)
    return slope


def rewards(base: Any = None, **settings: Any) -> list[Reward]:
    """Correctness and quality as two functions, for `multi_objective_aggregation="normalize_then_sum"` (GDPO).

    Quality is 0 if the edit is not correct, so that an easy aim cannot outrun the hard one. Both grade the same samples
    only once.
    """
    scorer = Remembering(settings.pop("scorer", None) or Scorer(base, **settings))
    correctness = reward(component="correctness", scorer=scorer)
    return [correctness, reward(component="quality_conditioned", scorer=scorer, log=False)]


class Remembering:
    """A scorer that keeps the grades of the last batch, for functions that ask for the same one in turn."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer
        self._last: tuple[Any, list[Grade]] | None = None

    def grade_all(
        self, responses: Sequence[Any], rows: Sequence[Any], *, groups: Sequence[str] | None = None
    ) -> list[Grade]:
        """The grades of responses."""
        # TRL gives all functions the same list.
        if self._last is None or self._last[0] is not responses:
            self._last = (responses, self._scorer.grade_all(responses, rows, groups=groups))
        return self._last[1]


def labels(prompts: Sequence[Any], columns: dict[str, Any]) -> list[dict[str, Any]]:
    """The columns of each sample."""
    lists = {name: column for name, column in columns.items() if is_column(column, len(prompts))}
    return [{name: column[at] for name, column in lists.items()} for at in range(len(prompts))]


def groups_of(prompts: Sequence[Any]) -> list[str]:
    """Attempts at the same prompt are a group."""
    return [str(prompt) for prompt in prompts]


def is_column(value: Any, size: int) -> bool:
    """Whether a keyword argument has one value for each sample."""
    return isinstance(value, (list, tuple)) and len(value) == size


def given(grades: Sequence[Grade], component: str, columns: dict[str, Any], log: bool) -> list[float | None]:
    """The numbers to return."""
    numbers = [flat(grade) for grade in grades]
    if log and columns.get("log_metric") is not None:
        log_means(numbers, columns["log_metric"])
    if log and columns.get("log_extra") is not None:
        columns["log_extra"]("slope", [why(grade) for grade in grades])
    return [each[component] if each["valid"] else None for each in numbers]


def log_means(numbers: Sequence[dict[str, float]], log_metric: Callable[[str, float], None]) -> None:
    """Logs the mean of each number over the samples that have a reward, and the share of these samples."""
    valid = [each for each in numbers if each["valid"]]
    if numbers:
        log_metric("slope/valid", len(valid) / len(numbers))
    for key in valid[0] if valid else ():
        if key != "valid":
            log_metric(f"slope/{key}", sum(each[key] for each in valid) / len(valid))


def named(component: str) -> str:
    """The name under which TRL logs a function."""
    return "slope" if component == "reward" else f"slope_{component}"


__all__ = ["Scorer", "async_reward", "reward", "rewards"]
