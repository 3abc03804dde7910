"""Scores of code from 0 to 10, without a model."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Union, cast

from codeslope import _native
from codeslope._types import Assessment

# A folder or a file, or texts by path.
Code = Union[str, "os.PathLike[str]", Mapping[str, Union[str, bytes]]]


def judge(code: Code, *, top: int = 20) -> Assessment:
    """Scores for verbosity, erosion and extensibility from 0 to 10, where 10 is best, with at most `top` issues.

    `code` is a folder or a file, or texts by path. A score that slope cannot give is None, and `missing` has the reason.
    """
    if isinstance(code, Mapping):
        return _read(_native.judge_files(_texts(code), top))
    return _read(_native.judge_path(os.fspath(code), top))


def judge_change(
    before: Mapping[str, str | bytes], after: Mapping[str, str | bytes], *, top: int = 20
) -> Assessment:
    """The scores after a change, those before it in `before`, and the issues that the change adds. Texts are by path."""
    return _read(_native.judge_change(_texts(before), _texts(after), top))


def _texts(files: Mapping[str, str | bytes]) -> dict[str, bytes]:
    return {path: text.encode() if isinstance(text, str) else bytes(text) for path, text in files.items()}


def _read(assessment: str) -> Assessment:
    return cast("Assessment", json.loads(assessment))
