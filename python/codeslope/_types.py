"""Requests and grades, as `slope grade schema` describes them."""

from __future__ import annotations

from typing import Any, Literal, TypedDict


class Change(TypedDict):
    """A change of files: a unified diff, changed files with their text, or all files."""

    kind: Literal["diff", "files", "tree"]
    data: Any


class Tests(TypedDict, total=False):
    """Results of tests, or how a server with `--run-tests` runs them."""

    required_pass: bool | None
    passed: int
    failed: int
    files: list[str]
    may_change: bool
    command: str | list[str]
    report: Literal["junit", "pytest", "unittest", "cargo", "go", "tap"]
    report_folder: str
    patch: Change
    fail_to_pass: list[str]
    pass_to_pass: list[str]
    must_fail: list[str]
    check_base: bool
    timeout_s: float
    env: dict[str, str]
    may_leave_processes: bool


class Task(TypedDict, total=False):
    """The task of an edit."""

    kind: Literal["bugfix", "feature", "refactor", "unknown"]
    text: str | None
    group: str | None
    trajectory: str | None
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


class TestFailure(TypedDict):
    """A required test that does not pass."""

    id: str
    outcome: Literal["passed", "failed", "error", "skipped", "missing"]


# `pass` is a word of Python, so this is not a class.
TestResults = TypedDict(
    "TestResults",
    {
        "source": Literal["given", "run"],
        "pass": bool,
        "reason": "str | None",
        "passed": "int | None",
        "failed": "int | None",
        "failures": "list[TestFailure]",
        "seconds": "float | None",
        "output": "str | None",
    },
)


class Grade(TypedDict):
    """The grade of one edit."""

    id: str
    status: Literal["ok", "partial", "refused", "timeout", "error"]
    reward: float | None
    score: float | None
    correctness: float | None
    quality: float | None
    quality_conditioned: float | None
    tests: TestResults | None
    size: float | None
    debt: float | None
    shaping: dict[str, float] | None
    components: Components
    missing: dict[str, str]
    tiers: dict[str, str]
    coverage: float | None
    flags: list[Flag]
    evidence: list[Evidence]
    error: Fault | None
    pack: str
    engine: str


class Scores(TypedDict):
    """Scores from 0 to 10. In each, 10 is best. None if slope cannot give one."""

    verbosity: float | None
    erosion: float | None
    extensibility: float | None


class Issue(TypedDict):
    """A place that lowers a score."""

    score: Literal["verbosity", "erosion", "extensibility"]
    id: str
    path: str
    start_line: int
    end_line: int
    message: str
    weight: float | None


class LanguageScores(TypedDict, total=False):
    """The measures of one language, or of several that count together."""

    languages: list[str]
    sloc: int
    scores: Scores
    missing: dict[str, str]
    verbosity: float | None
    erosion: float | None
    mass_per_kloc: float | None
    change_points_per_kloc: float | None
    panel: str | None


class _Assessment(TypedDict):
    schema: str
    judge: Literal["static", "model"]
    target: str
    scores: Scores
    languages: list[LanguageScores]
    issues: list[Issue]
    more_issues: int
    engine: str


class Assessment(_Assessment, total=False):
    """Scores of code, and its issues."""

    missing: dict[str, str]
    before: Scores
    left_out: list[dict[str, str]]
    model: dict[str, Any]
    """How a model judged, as in `docs/schemas/assessment.schema.json`."""
