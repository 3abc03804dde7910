"""Scores of code from 0 to 10, without a model."""

from __future__ import annotations

import json
from typing import cast

from codeslope import _native
from codeslope._code import Code, native
from codeslope._types import Assessment


def judge(code: Code, *, top: int = 20, policy: str | None = None) -> Assessment:
    """Scores for verbosity, erosion and extensibility from 0 to 10, where 10 is best, with at most `top` issues (0 for all).

    `code` is a folder or a file, or texts by path. `policy` is the text of a `slope.toml`, which replaces the one of the
    code. A score that slope cannot give is None, and `missing` has the reason.
    """
    return _read(_native.judge(native(code), top, policy))


def judge_change(before: Code, after: Code, *, top: int = 20, policy: str | None = None) -> Assessment:
    """The scores after a change, those before it in `before`, and the issues that the change adds."""
    return _read(_native.judge_change(native(before), native(after), top, policy))


def _read(assessment: str) -> Assessment:
    return cast("Assessment", json.loads(assessment))
