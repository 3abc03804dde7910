"""Runs of the benchmark and judged changes on a server. `docs/schemas/openapi.json` describes each field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from codeslope._documents import Amounts, Judgement
    from codeslope._server_types import Author

#: What a run is doing.
RunPhase = Literal["running", "pausing", "paused", "cancelling", "cancelled", "interrupted", "finished"]
#: A request of a visitor to a run.
RunRequest = Literal["pause", "resume", "cancel"]
#: The report of a run, as `slope report --format json` writes it.
RunReport = dict[str, Any]
#: The specification, changes, tests, findings and steps of a checkpoint.
CheckpointExhibit = dict[str, Any]
#: A step of an agent.
Step = dict[str, Any]


class ChangeSummary(TypedDict):
    """What lists need of a change."""

    title: NotRequired[str | None]
    head: str
    author: Author
    errors: int
    warnings: int
    change: Amounts


class ChangeInfo(TypedDict):
    """A change in a list. Times are in UTC."""

    project: str
    key: str
    passes: bool
    changed: str
    summary: ChangeSummary


class SentChange(TypedDict):
    """A change, for example a pull request, as the gate judged it."""

    schema: str
    title: NotRequired[str | None]
    link: NotRequired[str | None]
    author: NotRequired[Author]
    judgement: Judgement


class ChangeDetails(TypedDict):
    """A change with its judgement."""

    project: str
    key: str
    passes: bool
    changed: str
    summary: ChangeSummary
    sent: SentChange


class ChangeKept(TypedDict):
    """What happened to a change that was sent."""

    is_new: bool


class RunInfo(TypedDict):
    """A run in a list. Times are in UTC."""

    project: str
    run: str
    phase: RunPhase
    request: NotRequired[RunRequest | None]
    started: NotRequired[str | None]
    changed: str
    heard: str


class SentRun(TypedDict):
    """A run and its report."""

    schema: str
    phase: RunPhase
    started: NotRequired[str | None]
    executions: NotRequired[int]
    report: RunReport


class RunDetails(TypedDict):
    """A run with its report."""

    project: str
    run: str
    phase: RunPhase
    request: NotRequired[RunRequest | None]
    started: NotRequired[str | None]
    changed: str
    heard: str
    sent: SentRun


class CheckpointPlace(TypedDict):
    """A checkpoint of a trial."""

    problem: str
    trial: int
    checkpoint: str


class KnownDetails(TypedDict):
    """A checkpoint whose details the server has."""

    place: CheckpointPlace
    digest: str


class RunKept(TypedDict):
    """What happened to a run that was sent, and what a visitor requests of it."""

    is_new: bool
    request: NotRequired[RunRequest | None]
    checkpoints: list[KnownDetails]


class SentDetails(TypedDict):
    """The details of a checkpoint. Its `steps` were sent before."""

    place: CheckpointPlace
    digest: str
    steps: int
    details: CheckpointExhibit


class SentSteps(TypedDict):
    """Steps of a checkpoint, from position `first` on."""

    place: CheckpointPlace
    first: int
    steps: list[Step]


class PlacedStep(TypedDict):
    """A step, and its position from 0."""

    place: int
    step: Step
