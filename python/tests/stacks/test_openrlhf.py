"""OpenRLHF: its agent executor loads the file and asks it, and asks a server of slope, for each rollout.

The package is installed without its dependencies, because flash-attn builds only with CUDA. So the engine that
generates is ours, with vLLM's answers. Trainers and Ray actors do not run.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from openrlhf.utils.agent import SingleTurnAgentExecutor

import codeslope.openrlhf
from codeslope import Client

import samples

PROMPT = f"Improve this:\n```diff\n{samples.COPY}```\n"


class Tokenizer:
    """One token for each character."""

    def __call__(self, text: str, **_: Any) -> dict[str, torch.Tensor]:
        return {"input_ids": torch.tensor([[ord(letter) for letter in text]])}

    def decode(self, tokens: list[int], **_: Any) -> str:
        return "".join(map(chr, tokens))


class Engine:
    """Answers as vLLM does."""

    def __init__(self, answer: str) -> None:
        self.answer = answer

    async def generate(self, *_: Any, **__: Any) -> Any:
        output = SimpleNamespace(token_ids=[ord(letter) for letter in self.answer], finish_reason="stop", logprobs=None)
        return SimpleNamespace(outputs=[output])


def rollout(endpoint: str, answer: str, label: Any) -> dict[str, Any]:
    sampling = SimpleNamespace(max_tokens=50_000, logprobs=None)
    executor = SingleTurnAgentExecutor(endpoint)
    return asyncio.run(executor.execute(PROMPT, label, sampling, 100_000, Tokenizer(), Engine(answer)))


@pytest.fixture
def file(base: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("CODESLOPE_BASE", str(base))
    return codeslope.openrlhf.__file__


def one(value: Any) -> float:
    """What the trainer makes of a value."""
    return torch.tensor([value]).flatten()[0].item()


def test_file_answers_rollouts(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODESLOPE_TESTS", "samples:run_tests")
    found = rollout(file, samples.response(samples.COPY), "{}")
    assert one(found["reward"]) == pytest.approx(0.9) and one(found["scores"]) == 1.0
    assert one(found["extra_logs"]["p_dup"]) > 0.5 and one(found["extra_logs"]["valid"]) == 1.0


def test_prompt_is_not_the_edit(file: str) -> None:
    found = rollout(file, "I cannot.", json.dumps({"tests": samples.PASS}))
    assert one(found["reward"]) == 0.0 and one(found["extra_logs"]["valid"]) == 1.0


def test_missing_results_are_not_valid(file: str) -> None:
    found = rollout(file, samples.response(samples.GOOD), "{}")
    assert one(found["reward"]) == 0.5 and one(found["extra_logs"]["valid"]) == 0.0


def test_server_answers_rollouts(file: str, server: str) -> None:
    Client(server).wait()
    label = json.dumps({"tests": samples.PASS})
    for diff in (samples.GOOD, samples.COPY):
        mine = rollout(file, samples.response(diff), label)
        theirs = rollout(f"{server}/rm/lists", samples.response(diff), label)
        assert one(theirs["reward"]) == pytest.approx(one(mine["reward"]))
        assert one(theirs["scores"]) == one(mine["scores"])
        assert {key: one(value) for key, value in theirs["extra_logs"].items()} == pytest.approx(
            {key: one(value) for key, value in mine["extra_logs"].items()}
        )
