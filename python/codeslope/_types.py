"""Requests and grades, as `slope grade schema` describes them."""

from __future__ import annotations

from typing import Any, Literal, TypedDict


class Change(TypedDict):
    """A change of files: a unified diff, changed files with their text, or all files."""

    kind: Literal["diff", "files", "tree"]
    data: Any


class Tests(TypedDict, total=False):
    """Results of tests."""

    required_pass: bool | None
    passed: int
    failed: int
    files: list[str]
    may_change: bool


class Task(TypedDict, total=False):
    """The task of an edit."""

    kind: Literal["bugfix", "feature", "refactor", "unknown"]
    text: str | None
    group: str | None
    checkpoint: int | None


class Request(TypedDict, total=False):
    """A request to grade one edit."""

    id: str
    base: str | None
    change: Change
    reference: Change | None
    task: Task
    tests: Tests | None
    options: dict[str, Any]


class Components(TypedDict):
    """Penalties (`p_`) and bonuses (`b_`) from 0 to 1; `None` is not measured."""

    p_cx: float | None
    p_dup: float | None
    p_dead: float | None
    p_dev: float | None
    p_contract: float | None
    p_min: float | None
    b_reuse: float | None


class Evidence(TypedDict):
    """A place that a component rests on."""

    signal: str
    kind: str
    at: str
    of: str | None
    message: str
    amount: float


class Flag(TypedDict):
    """A sign of tampering, or of code that is hidden from the measurement."""

    id: str
    is_hard: bool
    path: str
    line: int
    message: str


class Fault(TypedDict):
    """Why a request cannot be graded."""

    field: str
    message: str
    help: str


class Grade(TypedDict):
    """The grade of one edit."""

    id: str
    status: Literal["ok", "partial", "refused", "timeout", "error"]
    reward: float | None
    score: float | None
    correctness: float | None
    quality: float | None
    quality_conditioned: float | None
    components: Components
    missing: dict[str, str]
    tiers: dict[str, str]
    coverage: float | None
    flags: list[Flag]
    evidence: list[Evidence]
    error: Fault | None
    pack: str
    engine: str
