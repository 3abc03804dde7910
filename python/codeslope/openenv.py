"""A rubric for OpenEnv.

    class MyEnvironment(Environment):
        def __init__(self):
            super().__init__(rubric=SlopeRubric("path/to/repo@v2.1", tests=run_tests))

Each number of the grade is a child rubric, so that tools show it as `last_score`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from codeslope import flat
from codeslope._samples import Scorer, faulty
from codeslope._types import Grade

try:
    from openenv.core.rubrics import Rubric
except ImportError as error:
    raise ImportError("codeslope.openenv needs OpenEnv: pip install openenv") from error

Sample = Callable[[Any, Any], tuple[Any, Mapping[str, Any]]]


class Number(Rubric):
    """One number of the last grade."""

    def __init__(self, parent: list[dict[str, float]], key: str) -> None:
        super().__init__()
        self._parent, self._key = parent, key

    def forward(self, action: Any, observation: Any) -> float:
        """The number."""
        return self._parent[0][self._key]


class SlopeRubric(Rubric):
    """The reward of an action with a diff; 0.5 if it could not be graded, and `valid` is 0.

    `sample` returns the response (text, or a `codeslope.Patch`) and the columns of an action and its observation. By
    default, these are `action.message` or `action.patch`, and `observation.metadata`. Further settings are those of
    `Scorer`.
    """

    def __init__(self, base: Any = None, *, sample: Sample | None = None, **settings: Any) -> None:
        super().__init__()
        self._scorer = Scorer(base, **settings)
        self._sample = sample or sample_of
        # A list, because children must see the numbers and not be its parents.
        self._last: list[dict[str, float]] = [{}]
        for key in flat(faulty({}, "")):
            setattr(self, key, Number(self._last, key))

    def forward(self, action: Any, observation: Any) -> float:
        """The reward."""
        return self._said(self._scorer.grade(*self._sample(action, observation)), action, observation)

    def _said(self, grade: Grade, action: Any, observation: Any) -> float:
        self._last[0] = flat(grade)
        for child in self.children():
            child(action, observation)
        return self._last[0]["reward"]


class AsyncSlopeRubric(SlopeRubric):
    """The same for environments with `step_async`. `tests` may be a coroutine function."""

    async def forward(self, action: Any, observation: Any) -> float:  # type: ignore[override]
        """The reward."""
        grade = await self._scorer.grade_async(*self._sample(action, observation))
        return self._said(grade, action, observation)


def sample_of(action: Any, observation: Any) -> tuple[Any, Mapping[str, Any]]:
    """The text of an action, and the observation's metadata, which the environment wrote."""
    for name in ("patch", "message", "content", "text", "code"):
        if getattr(action, name, None) is not None:
            return getattr(action, name), observation.metadata
    raise TypeError(f"{type(action).__name__} has no text\nhelp: give `sample` to SlopeRubric")
