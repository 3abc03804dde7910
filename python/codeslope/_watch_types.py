"""Watched assistants on a server. `docs/schemas/openapi.json` describes each field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired

#: State of a watch, or of one of its series.
WatchState = Literal["baseline", "steady", "watching", "suspected", "confirmed", "recovered"]
#: Purpose of an arm.
WatchRole = Literal["target", "pinned", "other", "oracle", "empty"]
#: Results of a day, as `day.json` of a watch.
WatchDay = dict[str, Any]
#: The state of a watch, as `slope watch status --format json` prints it.
WatchStatus = dict[str, Any]


class SentArm(TypedDict):
    """An assistant of a watch."""

    role: WatchRole
    agent: str
    model: NotRequired[str]
    effort: NotRequired[str | None]
    tasks: NotRequired[int | None]


class SentWatch(TypedDict):
    """What a server needs of a watch's settings."""

    schema: str
    baseline_days: int
    baseline_replicates: int
    alarm_replicates: int
    false_alarms_per_year: float
    tasks: int
    arms: dict[str, SentArm]


class Acknowledgement(TypedDict):
    """A note that somebody knows of an alarm."""

    who: str
    why: str
    until: NotRequired[str | None]
    at: str


class AlarmNote(TypedDict):
    """The note on an alarm: the acknowledgement, or that it was taken back."""

    at: str
    acknowledged: Acknowledgement | None


class KnownDay(TypedDict):
    """A day that the server has."""

    date: str
    digest: str


class WatchKept(TypedDict):
    """What the server has of a watch."""

    is_new: bool
    days: list[KnownDay]
    notes: dict[str, AlarmNote]


class AddedDay(TypedDict):
    """A day that was sent, and what happened to it."""

    date: str
    outcome: Literal["stored", "same", "conflict"]
    message: NotRequired[str]


class OpenAlarm(TypedDict):
    """An open alarm in a list."""

    id: str
    sentence: str
    raised: str
    is_confirmed: bool
    layer: str
    acknowledged: NotRequired[Acknowledgement | None]


class ListedWatch(TypedDict):
    """A watch in a list, with its state and open alarms. Times are in UTC."""

    project: str
    watch: str
    heard: str
    days: int
    first: str | None
    last: str | None
    state: WatchState
    sentence: str
    date: str | None
    simulated: bool
    arms: list[dict[str, Any]]
    open: list[OpenAlarm]


class WatchDetails(TypedDict):
    """A watch with what its monitors need."""

    project: str
    watch: str
    heard: str
    days: int
    first: str | None
    last: str | None
    sent: SentWatch


class ListedAlarm(TypedDict):
    """An alarm with what explains it."""

    watch: str
    id: str
    sentence: str
    alarm: dict[str, Any]
    attribution: dict[str, Any]
    acknowledged: Acknowledgement | None
    flips: list[dict[str, Any]]
    slices: list[dict[str, Any]]
