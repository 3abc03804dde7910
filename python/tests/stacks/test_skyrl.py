"""SkyRL: the registry of skyrl-gym makes the environment, and its own code averages the metrics. No trainer runs."""

from __future__ import annotations

import json
from typing import Any

import pytest
import skyrl_gym
from skyrl_gym.envs.base_text_env import BaseTextEnv
from skyrl_gym.metrics import aggregate_for_environment

from codeslope.skyrl import SlopeReward

import samples


@pytest.fixture(scope="module", autouse=True)
def registered() -> None:
    skyrl_gym.register(id="slope", entry_point="codeslope.skyrl:SlopeEnv")


def play(base: Any, response: str, tests: str = "samples:run_tests", label: Any = "{}") -> Any:
    config = {"base": str(base), "tests": tests}
    env = skyrl_gym.make("slope", env_config=config, extras={"reward_spec": {"method": "rule", "ground_truth": label}})
    env.init([{"role": "user", "content": "tidy"}])
    return env, env.step(response)


def test_step_has_reward_and_metadata(base: Any) -> None:
    _, found = play(base, samples.response(samples.COPY))
    assert found["reward"] == pytest.approx(0.9) and found["done"] is True and found["observations"] == []
    assert found["metadata"]["slope_p_dup"] > 0.5 and found["metadata"]["slope_valid"] == 1.0


def test_label_may_have_results(base: Any) -> None:
    label = json.dumps({"tests": samples.FAIL})
    env = skyrl_gym.make("slope", env_config={"base": str(base)}, extras={"reward_spec": {"ground_truth": label}})
    assert env.step(samples.response(samples.GOOD))["reward"] == 0.0


def test_failures_and_faults(base: Any) -> None:
    assert play(base, "I cannot.")[1]["reward"] == 0.0
    assert play(base, samples.response(samples.UNFIT))[1]["reward"] == 0.0
    _, down = play(base, samples.response(samples.GOOD), tests="samples:broken_tests")
    assert down["reward"] == 0.5 and down["metadata"]["slope_valid"] == 0.0


def test_metrics_are_averaged(base: Any) -> None:
    envs = [play(base, samples.response(diff))[0] for diff in (samples.GOOD, samples.COPY)]
    found = aggregate_for_environment("slope", [env.get_metrics() for env in envs])
    assert found["slope_reward"] == pytest.approx(0.95)


def test_mixin_serves_other_environments(base: Any) -> None:
    class Mine(SlopeReward, BaseTextEnv):
        slope_settings = {"base": str(base), "tests": "samples:run_tests"}

    reward, metadata = Mine().slope_reward(samples.response(samples.GOOD), {})
    assert reward == 1.0 and metadata["slope_quality"] == 1.0
