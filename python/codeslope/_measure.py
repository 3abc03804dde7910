"""What `slope measure`, `slope diff`, `slope check` and `slope explain` print, in this process."""

from __future__ import annotations

import json
from typing import Any, cast

from codeslope import _native
from codeslope._code import Code, native
from codeslope._documents import Judgement, Ledger, Measurement


def measure(code: Code, *, policy: str | None = None) -> Measurement:
    """The measurement of code: each function, each file, and totals.

    `code` is a folder or a file, or texts by path. `policy` is the text of a `slope.toml`, which replaces the one of the
    code. A value that slope cannot give is None, and `missing` has the reason.
    """
    return cast("Measurement", json.loads(_native.measure(native(code), policy)))


def diff(before: Code, after: Code, *, policy: str | None = None) -> Ledger:
    """The ledger of a change: what it adds and removes, each at the function that caused it."""
    return cast("Ledger", json.loads(_native.diff(native(before), native(after), policy)))


def check(before: Code, after: Code, *, policy: str | None = None) -> Judgement:
    """The judgement of the gate on a change, by a policy or the `slope.toml` of the code after it.

    `passes` is False if a violation has the level `error`. Only what the change adds counts.
    """
    return cast("Judgement", json.loads(_native.check(native(before), native(after), policy)))


def explain(id: str, *, language: str | None = None) -> list[dict[str, Any]]:
    """What a rule, signal or metric means, with examples: one entry for each group of languages."""
    return cast("list[dict[str, Any]]", json.loads(_native.explain(id, language)))
