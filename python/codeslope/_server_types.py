"""What a server of `slope serve` takes and returns. `docs/schemas/openapi.json` describes each field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from codeslope._documents import Amounts, Totals
    from codeslope._types import Scores


class Problem(TypedDict):
    """Why a request has no answer of its own: problem details (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    help: str


class Health(TypedDict):
    """The state of a server that works."""

    status: str
    version: str
    database: str


class Project(TypedDict):
    """A project: what tokens and series belong to."""

    name: str
    title: str
    created: str


class SeriesInfo(TypedDict):
    """A series of a project. Times are in UTC."""

    name: str
    points: int
    first: str
    last: str
    received: str


class ProjectDetails(TypedDict):
    """A project with its series."""

    name: str
    title: str
    created: str
    series: list[SeriesInfo]


class PointCommit(TypedDict):
    """The commit of a point."""

    id: str
    subject: NotRequired[str]
    branch: NotRequired[str | None]
    sequence: NotRequired[int]


class Author(TypedDict):
    """Who or what wrote code. Everything is optional."""

    person: NotRequired[str | None]
    agent: NotRequired[str | None]
    agent_version: NotRequired[str | None]
    model: NotRequired[str | None]
    session: NotRequired[str | None]


class Anchors(TypedDict):
    """Scores of two fixed files."""

    tidy: NotRequired[Scores | None]
    sloppy: NotRequired[Scores | None]


class JudgeScores(TypedDict):
    """Scores of one judge."""

    judge: Literal["static", "model"]
    model: NotRequired[str | None]
    served: NotRequired[str | None]
    rubric: NotRequired[str | None]
    rubric_hash: NotRequired[str | None]
    anchors: NotRequired[Anchors | None]
    scores: Scores
    missing: NotRequired[dict[str, str]]
    details: NotRequired[dict[str, Any] | None]


class WorstFunction(TypedDict):
    """A function with much complexity mass."""

    path: str
    name: str
    line: int
    complexity: int
    sloc: int
    mass: float


class ChangedPlace(TypedDict):
    """A place whose code changed."""

    path: str
    function: NotRequired[str | None]
    line: int
    amounts: Amounts
    diff: NotRequired[dict[str, Any] | None]


class PointChange(TypedDict):
    """What changed since the point before."""

    since: str
    amounts: Amounts
    places: NotRequired[list[ChangedPlace]]


class Point(TypedDict):
    """A measured snapshot in a series."""

    schema: str
    series: str
    time: str
    iteration: NotRequired[int | None]
    commit: NotRequired[PointCommit | None]
    author: NotRequired[Author]
    origin: Literal["folder", "commit", "hook", "ci", "run"]
    tree: str
    engine: str
    definitions: str
    totals: Totals
    parts: NotRequired[dict[str, Totals]]
    findings: NotRequired[dict[str, int]]
    scores: NotRequired[list[JudgeScores]]
    worst: NotRequired[list[WorstFunction]]
    change: NotRequired[PointChange | None]
    note: NotRequired[str | None]


class Summary(TypedDict):
    """What lists and charts need of a point.

    `values` has the values of production code by metric, and scores: `score.verbosity` of the static judge,
    `model.verbosity` of a model. What is missing is not there.
    """

    key: str
    time: str
    iteration: NotRequired[int | None]
    commit: NotRequired[PointCommit | None]
    author: NotRequired[Author]
    origin: Literal["folder", "commit", "hook", "ci", "run"]
    definitions: str
    values: dict[str, float]


class Added(TypedDict):
    """A point that was sent, and what happened to it.

    `stored`: it is new. `same`: it was there. `conflict`: one with the same key and other contents was there, and
    stays.
    """

    series: str
    key: str
    outcome: Literal["stored", "same", "conflict"]
    message: NotRequired[str | None]


class Token(TypedDict):
    """A token, without its secret."""

    id: str
    scope: Literal["read", "push", "admin"]
    project: NotRequired[str | None]
    label: str
    created: str
    revoked: NotRequired[str | None]


class MadeToken(TypedDict):
    """A new token with its secret, which the server does not keep. The `repr` of the secret hides it."""

    id: str
    scope: Literal["read", "push", "admin"]
    project: NotRequired[str | None]
    label: str
    created: str
    revoked: NotRequired[str | None]
    secret: str


class Event(TypedDict):
    """Something that happened in a project. The kind of a new point is `point`."""

    kind: str
    project: str
    series: str
    key: str


#: What a rule, signal or metric means.
Explanation = dict[str, Any]
