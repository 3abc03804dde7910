"""Scores of code from 0 to 10, by measures or by a model."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Literal, cast

from codeslope import _native
from codeslope._code import Code, native
from codeslope._types import Assessment


@dataclass(frozen=True)
class Model:
    """A language model that judges, at a server with the API of Anthropic (`messages`) or OpenAI (`chat`)."""

    name: str
    upstream: str
    """Base address of the server."""
    dialect: Literal["messages", "chat"] = "messages"
    key_env: str | None = None
    """Environment variable with the server's key."""
    repeats: int = 3
    """Judgements of the same code. A score is their median."""
    rubric: str | None = None
    """File with the criteria; slope's own without one."""
    max_usd: float | None = None
    """Most that a judgement may cost, in US dollars."""
    cache: str | None = None
    """Folder of earlier answers, so that unchanged files are not paid for twice. Nothing is kept without one."""


def judge(code: Code, *, top: int = 20, policy: str | None = None, model: Model | None = None) -> Assessment:
    """Scores for verbosity, erosion and extensibility from 0 to 10, where 10 is best, with at most `top` issues (0 for all).

    `code` is a folder or a file, or texts by path. `policy` is the text of a `slope.toml`, which replaces the one of the
    code. A score that slope cannot give is None, and `missing` has the reason. With a `model`, the code is sent to its
    server, and the static scores are in `["model"]["static_scores"]`.
    """
    return _read(_native.judge(native(code), top, policy, _json(model)))


def judge_change(
    before: Code, after: Code, *, top: int = 20, policy: str | None = None, model: Model | None = None
) -> Assessment:
    """The scores after a change, those before it in `before`, and the issues that the change adds.

    A `model` sees the files that differ, and the issues are all of them after the change.
    """
    return _read(_native.judge_change(native(before), native(after), top, policy, _json(model)))


def _json(model: Model | None) -> str | None:
    return None if model is None else json.dumps(asdict(model))


def _read(assessment: str) -> Assessment:
    return cast("Assessment", json.loads(assessment))
