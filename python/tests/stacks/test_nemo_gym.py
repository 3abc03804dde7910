"""NeMo Gym: the resources server answers over its own FastAPI application, and the package makes metrics of it.

No model runs. The rollouts are in the package's format.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
from fastapi.testclient import TestClient
from nemo_gym.server_utils import ServerClient

from codeslope import Client
from codeslope.nemo_gym import SlopeConfig, SlopeResourcesServer

import samples


def rollout(response: str, metadata: dict[str, Any]) -> dict[str, Any]:
    message = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": response, "annotations": []}],
    }
    # What a tool printed is not the model's answer.
    tool = {"type": "function_call_output", "call_id": "c", "output": f"```diff\n{samples.GOOD}```"}
    answer = {
        "id": "r",
        "created_at": 0.0,
        "model": "tiny",
        "object": "response",
        "output": [message, tool],
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
    }
    params = {"input": [{"role": "user", "content": "tidy"}]}
    return {"responses_create_params": params, "response": answer, "verifier_metadata": metadata}


@pytest.fixture
def client(base: Path) -> TestClient:
    config = SlopeConfig(host="127.0.0.1", port=1, entrypoint="app.py", name="slope", base=str(base))
    return TestClient(SlopeResourcesServer(config=config, server_client=MagicMock(spec=ServerClient)).setup_webserver())


def test_rollouts_have_rewards_and_components(client: TestClient) -> None:
    assert client.post("/seed_session", json={}).status_code == 200
    answer = client.post("/verify", json=rollout(samples.response(samples.COPY), {"tests": samples.PASS}))
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert found["reward"] == pytest.approx(0.9)
    assert found["reward_components"]["p_dup"] == found["p_dup"] > 0.5
    assert found["response"]["output"][0]["content"][0]["text"] == samples.response(samples.COPY)
    assert found["verifier_metadata"] == {"tests": samples.PASS}


def test_answers_without_a_diff_fail(client: TestClient) -> None:
    assert client.post("/verify", json=rollout("I cannot.", {"tests": samples.PASS})).json()["reward"] == 0.0


def test_missing_results_are_not_valid(client: TestClient) -> None:
    found = client.post("/verify", json=rollout(samples.response(samples.GOOD), {})).json()
    assert found["reward"] == 0.5 and found["valid"] == 0.0


def test_package_makes_metrics(client: TestClient) -> None:
    answers = []
    for task, diff in enumerate((samples.GOOD, samples.COPY)):
        answer = client.post("/verify", json=rollout(samples.response(diff), {"tests": samples.PASS})).json()
        answers.append({**answer, "_ng_task_index": task, "_ng_rollout_index": 0})
    found = client.post("/aggregate_metrics", json={"verify_responses": answers})
    assert found.status_code == 200, found.text
    metrics = found.json()["agent_metrics"]
    assert metrics["mean/reward"] == pytest.approx(0.95) and metrics["mean/p_dup"] > 0.25


def test_server_of_slope_answers_alike(client: TestClient, server: str) -> None:
    body = rollout(samples.response(samples.COPY), {"tests": samples.PASS})
    # The server reads the whole output; tools are left out here.
    body["response"]["output"] = body["response"]["output"][:1]
    mine = client.post("/verify", json=body).json()
    import httpx

    Client(server).wait()
    theirs = httpx.post(f"{server}/verify", json=body).json()
    assert {key: mine[key] for key in ("reward", "reward_components")} == {
        key: theirs[key] for key in ("reward", "reward_components")
    }
