"""An environment for SkyRL, and a mixin for environments of your own.

    skyrl_gym.register(id="slope", entry_point="codeslope.skyrl:SlopeEnv")

A row's `reward_spec.ground_truth` (an object or JSON) has the fields of the request, `env_config` the settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from codeslope import flat
from codeslope._samples import shared

try:
    from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput
except ImportError as error:
    raise ImportError("codeslope.skyrl needs SkyRL's environments: pip install skyrl-gym") from error


class SlopeReward:
    """A mixin: `slope_reward` gives the reward and the metadata of a step, and remembers its numbers as metrics."""

    slope_settings: Mapping[str, Any] = {}
    slope_numbers: Mapping[str, float] = {}

    def slope_reward(self, response: Any, label: Any) -> tuple[float, dict[str, float]]:
        """The reward of a response (or of a `codeslope.Patch`), and all numbers under `slope_` names.

        It is 0.5, and `slope_valid` 0, if the response could not be graded.
        """
        numbers = flat(shared(**self.slope_settings).grade(response, label))
        self.slope_numbers = {f"slope_{key}": value for key, value in numbers.items()}
        return numbers["reward"], dict(self.slope_numbers)

    def get_metrics(self) -> dict[str, Any]:
        """The numbers of the last step. SkyRL averages them."""
        return dict(self.slope_numbers)


class SlopeEnv(SlopeReward, BaseTextEnv):
    """One turn: the response has a diff, and its grade is the reward."""

    def __init__(self, env_config: Any = None, extras: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self.label = (extras or {})["reward_spec"]["ground_truth"]
        given = dict(env_config or {})
        self.slope_settings = {key: given[key] for key in ("base", "tests", "pack", "deadline_ms") if key in given}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Grades the response."""
        reward, metadata = self.slope_reward(action, self.label)
        return BaseTextEnvStepOutput(observations=[], reward=reward, done=True, metadata=metadata)
