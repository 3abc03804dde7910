"""OpenEnv: the package's environments and HTTP server apply the rubric in their steps. No model runs."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fastapi.testclient import TestClient
from openenv.core.env_server import Action, Environment, HTTPEnvServer, Observation, State
from openenv.core.rubrics import Gate, WeightedSum

from codeslope.openenv import AsyncSlopeRubric, SlopeRubric

import samples


class Reply(Action):
    message: str


class Shop(Environment[Reply, Observation, State]):
    def __init__(self, rubric: Any = None) -> None:
        super().__init__(rubric=rubric or SlopeRubric(samples.BASE, tests=samples.run_tests))

    def reset(self, **_: Any) -> Observation:
        return Observation()

    def step(self, action: Reply, timeout_s: float | None = None, **_: Any) -> Observation:
        found = Observation(done=True)
        found.reward = self._apply_rubric(action, found)
        return found

    async def step_async(self, action: Reply, timeout_s: float | None = None, **_: Any) -> Observation:
        found = Observation(done=True)
        found.reward = await self._apply_rubric_async(action, found)
        return found

    @property
    def state(self) -> State:
        return State()


def test_steps_have_rewards_and_scores() -> None:
    shop = Shop()
    rewards = [
        shop.step(Reply(message=samples.response(diff))).reward for diff in (samples.GOOD, samples.COPY, samples.UNFIT)
    ]
    assert rewards == [1.0, pytest.approx(0.9), 0.0]
    shop.step(Reply(message=samples.response(samples.COPY)))
    scores = {name: child.last_score for name, child in shop.rubric.named_rubrics()}
    assert scores["p_dup"] > 0.5 and scores["valid"] == 1.0 and len(scores) == 14
    assert shop.rubric.last_score == pytest.approx(0.9)


def test_async_rubric_composes() -> None:
    async def run_tests(edit: str, row: Any) -> dict[str, int]:
        return samples.run_tests(edit, row)

    inner = AsyncSlopeRubric(samples.BASE, tests=run_tests)
    shop = Shop(WeightedSum([Gate(inner, threshold=0.5)], weights=[1.0]))
    found = asyncio.run(shop.step_async(Reply(message=samples.response(samples.COPY))))
    assert found.reward == pytest.approx(0.9)
    assert inner.get_rubric("p_dup").last_score > 0.5


def test_faults_are_neutral_and_not_valid() -> None:
    shop = Shop(SlopeRubric(samples.BASE, tests=samples.broken_tests))
    assert shop.step(Reply(message=samples.response(samples.GOOD))).reward == 0.5
    assert shop.rubric.get_rubric("valid").last_score == 0.0


def test_server_answers_with_the_reward() -> None:
    from fastapi import FastAPI

    app = FastAPI()
    HTTPEnvServer(Shop, Reply, Observation).register_routes(app)
    with TestClient(app) as client:
        answer = client.post("/step", json={"action": {"message": samples.response(samples.COPY)}})
    assert answer.status_code == 200, answer.text
    assert answer.json()["reward"] == pytest.approx(0.9)
