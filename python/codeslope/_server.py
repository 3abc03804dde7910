"""Projects, points and measurements from a server that `slope serve` started."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar, cast

from codeslope import _calls
from codeslope._calls import Page, Scope, Texts
from codeslope._documents import Judgement, Ledger, Measurement
from codeslope._grader import chosen
from codeslope._run_types import (
    ChangeDetails,
    ChangeInfo,
    ChangeKept,
    CheckpointExhibit,
    CheckpointPlace,
    PlacedStep,
    RunDetails,
    RunInfo,
    RunKept,
    RunRequest,
    SentChange,
    SentDetails,
    SentRun,
    SentSteps,
)
from codeslope._server_types import (
    Added,
    Event,
    Explanation,
    Health,
    MadeToken,
    Point,
    Project,
    ProjectDetails,
    SeriesInfo,
    Summary,
    Token,
)
from codeslope._settings import Settings, Span, silent
from codeslope._sockets import Connection
from codeslope._tries import FAULTS, error_of, read
from codeslope._types import Assessment, Grade, Request
from codeslope._watch_types import (
    AddedDay,
    AlarmNote,
    ListedAlarm,
    ListedWatch,
    SentWatch,
    WatchDay,
    WatchDetails,
    WatchKept,
    WatchStatus,
)
from codeslope._wire import Answer, Broken, Call, EventReader, Incoming, request

T = TypeVar("T")


class Server(Settings):
    """A server that `slope serve` started. `AsyncServer` has the same methods for asyncio.

    A `token` needs https, except on this machine or with `insecure_http`. `context` can have certificates of your own.
    `timeout` is the time in seconds for one answer. While the server is busy or not there yet, the client tries again:
    at most `retries` times, and not after `patience` seconds. It repeats only requests that may be repeated. It follows
    no redirects and uses no proxies.

    Problems of the server raise `ProblemError`, other faults `ServerError`. Threads can share a server.
    """

    def health(self) -> Health:
        """The state of the server. It needs no token."""
        return self._ask(_calls.health())

    def projects(self) -> list[Project]:
        """The projects that the token may read."""
        return list(self._list(_calls.projects))

    def add_project(self, name: str, *, title: str = "") -> Project:
        """Adds a project. A name that is taken raises `ConflictError`."""
        return self._ask(_calls.add_project(name, title))

    def project(self, name: str) -> ProjectDetails:
        """A project with its series."""
        return self._ask(_calls.project(name))

    def remove_project(self, name: str) -> None:
        """Removes a project with all that it has."""
        self._ask(_calls.remove_project(name))

    def series(self, project: str) -> list[SeriesInfo]:
        """The series of a project, by name."""
        return self.project(project)["series"]

    def points(self, project: str, series: str, *, limit: int | None = None) -> Iterator[Point]:
        """The points of a series in their order. A page of `limit` points is read when its first point is needed."""
        return self._list(lambda cursor: _calls.points(project, series, cursor, limit))

    def point(self, project: str, series: str, key: str) -> Point:
        """A point by its key, for example `iteration-3`."""
        return self._ask(_calls.point(project, series, key))

    def remove_point(self, project: str, series: str, key: str) -> None:
        """Removes a point. The token needs the scope `admin`."""
        self._ask(_calls.remove_point(project, series, key))

    def summaries(self, project: str, series: str) -> list[Summary]:
        """Headline values of all points of a series, in their order."""
        return list(self._list(lambda cursor: _calls.summaries(project, series, cursor)))

    def push(self, project: str, points: Iterable[Point]) -> list[Added]:
        """Adds points, in groups that the server takes. The result says what happened to each, in their order.

        A point that is there with other contents stays, and the outcome is `conflict`. If a group fails, those before
        it are stored: push all again, and none is stored twice.
        """
        results: list[Added] = []
        for call in _calls.push(project, points):
            added = self._ask(call)
            results += added
        return results

    def events(self, project: str, *, seconds: float | None = None) -> Iterator[Event]:
        """Events of a project from now on: one for each new point, and for each run, change and watch that differs.

        They end after `seconds`, or when the server ends. If the connection is lost, this raises `ServerError`, because
        nobody knows what happened in between: read the points again.
        """
        connection, incoming = self._open(_calls.events(project))
        return self._events(connection, incoming, Span(seconds))

    def changes(self, project: str, *, limit: int | None = None) -> list[ChangeInfo]:
        """The changes of a project, the last judged first. The server decides how many without a `limit`."""
        return self._ask(_calls.changes(project, limit))[0]

    def change(self, project: str, key: str) -> ChangeDetails:
        """A change by its key, for example `pr-12`, with its judgement."""
        return self._ask(_calls.change(project, key))

    def put_change(self, project: str, key: str, change: SentChange) -> ChangeKept:
        """Sends a change that the gate judged. It replaces the one with the same key."""
        return self._ask(_calls.put_change(project, key, change))

    def remove_change(self, project: str, key: str) -> None:
        """Removes a change. The token needs the scope `admin`."""
        self._ask(_calls.remove_change(project, key))

    def runs(self, project: str, *, limit: int | None = None) -> list[RunInfo]:
        """The runs of a project, the latest first. The server decides how many without a `limit`."""
        return self._ask(_calls.runs(project, limit))[0]

    def run(self, project: str, key: str) -> RunDetails:
        """A run with its report."""
        return self._ask(_calls.run(project, key))

    def put_run(self, project: str, key: str, run: SentRun) -> RunKept:
        """Sends a run with its report, which replaces the earlier one.

        The answer has the open request of a visitor, and the checkpoints whose details the server has.
        """
        return self._ask(_calls.put_run(project, key, run))

    def remove_run(self, project: str, key: str) -> None:
        """Removes a run with all its details. The token needs the scope `admin`."""
        self._ask(_calls.remove_run(project, key))

    def ask_run(self, project: str, key: str, request: RunRequest) -> RunInfo:
        """Requests that a run pauses, resumes or cancels. It gets the request with its next report."""
        return self._ask(_calls.ask_run(project, key, request))

    def run_details(self, project: str, key: str, place: CheckpointPlace) -> CheckpointExhibit:
        """The specification, changes, tests and findings of a checkpoint."""
        return self._ask(_calls.run_details(project, key, place))

    def put_run_details(self, project: str, key: str, details: SentDetails) -> None:
        """Sends the details of a checkpoint, after its steps."""
        self._ask(_calls.put_run_details(project, key, details))

    def run_steps(
        self, project: str, key: str, place: CheckpointPlace, *, limit: int | None = None
    ) -> Iterator[PlacedStep]:
        """The agent's steps of a checkpoint. A page of `limit` steps is read when its first step is needed."""
        return self._list(lambda cursor: _calls.run_steps(project, key, place, cursor, limit))

    def put_run_steps(self, project: str, key: str, steps: SentSteps) -> None:
        """Sends steps of a checkpoint. A request with `first` 0 removes earlier steps and details."""
        self._ask(_calls.put_run_steps(project, key, steps))

    def watches(self, project: str, *, limit: int | None = None) -> list[ListedWatch]:
        """The watches of a project by name, each with its state and open alarms."""
        return self._ask(_calls.watches(project, limit))[0]

    def watch(self, project: str, name: str) -> WatchDetails:
        """A watch with what its monitors need."""
        return self._ask(_calls.watch(project, name))

    def put_watch(self, project: str, name: str, watch: SentWatch) -> WatchKept:
        """Sends the settings of a watch. The answer has the days and notes that the server has."""
        return self._ask(_calls.put_watch(project, name, watch))

    def remove_watch(self, project: str, name: str) -> None:
        """Removes a watch with its days and notes. The token needs the scope `admin`."""
        self._ask(_calls.remove_watch(project, name))

    def watch_days(self, project: str, name: str, *, limit: int | None = None) -> Iterator[WatchDay]:
        """The days of a watch in their order. A page of `limit` days is read when its first day is needed."""
        return self._list(lambda cursor: _calls.watch_days(project, name, cursor, limit))

    def watch_day(self, project: str, name: str, date: str) -> WatchDay:
        """The results of a day, for example `2026-11-30`."""
        return self._ask(_calls.watch_day(project, name, date))

    def add_watch_days(self, project: str, name: str, days: Iterable[WatchDay]) -> list[AddedDay]:
        """Adds days, in groups that the server takes. The result says what happened to each, in their order.

        A day is written once: one that is there with other results stays, and the outcome is `conflict`.
        """
        results: list[AddedDay] = []
        for call in _calls.add_watch_days(project, name, days):
            added = self._ask(call)
            results += added
        return results

    def watch_status(self, project: str, name: str) -> WatchStatus:
        """The state of a watch: series, alarms with what explains them, results by task."""
        return self._ask(_calls.watch_status(project, name))

    def alarms(self, project: str, *, limit: int | None = None) -> list[ListedAlarm]:
        """The alarms of all watches of a project: open ones first, then the newest."""
        return self._ask(_calls.alarms(project, limit))[0]

    def acknowledge_alarm(
        self, project: str, name: str, alarm: str, *, who: str, why: str, until: str | None = None
    ) -> AlarmNote:
        """Notes that somebody knows of an alarm, until a day. It stays open, and is shown as acknowledged."""
        return self._ask(_calls.acknowledge_alarm(project, name, alarm, who, why, until))

    def take_back_acknowledgement(self, project: str, name: str, alarm: str) -> None:
        """Takes back that somebody knows of an alarm."""
        self._ask(_calls.take_back_acknowledgement(project, name, alarm))

    def tokens(self, project: str) -> list[Token]:
        """The tokens of a project, without their secrets."""
        return list(self._list(lambda cursor: _calls.tokens(project, cursor)))

    def add_token(self, project: str, scope: Scope, *, label: str = "") -> MadeToken:
        """Makes a token. This is sent once, so that no unknown token is left behind."""
        return self._ask(_calls.add_token(project, scope, label))

    def revoke_token(self, project: str, id: str) -> None:
        """Revokes a token."""
        self._ask(_calls.revoke_token(project, id))

    def measure(self, code: Texts, *, policy: str | None = None) -> Measurement:
        """The measurement of texts by path. `policy` is the text of a `slope.toml`, instead of that of the code."""
        return self._ask(_calls.measure(code, policy))

    def diff(self, before: Texts, after: Texts, *, policy: str | None = None) -> Ledger:
        """The ledger of a change: what it adds and removes, each at the function that caused it."""
        return self._ask(_calls.diff(before, after, policy))

    def check(self, before: Texts, after: Texts, *, policy: str | None = None) -> Judgement:
        """The judgement of the gate on a change. `passes` is False if a violation has the level `error`."""
        return self._ask(_calls.check(before, after, policy))

    def judge(self, code: Texts, *, policy: str | None = None) -> Assessment:
        """Scores from 0 to 10, where 10 is best, and issues."""
        return self._ask(_calls.judge(code, policy))

    def judge_change(self, before: Texts, after: Texts, *, policy: str | None = None) -> Assessment:
        """The scores after a change, those before it in `before`, and the issues that the change adds."""
        return self._ask(_calls.judge_change(before, after, policy))

    def grade(self, code: Texts, request: Request | None = None, **edit: Any) -> Grade:
        """The grade of an edit of texts by path: of a request, or of an edit as `grade_request` takes it."""
        return self._ask(_calls.grade(code, chosen(request, edit)))

    def explain(self, id: str, *, language: str | None = None) -> list[Explanation]:
        """What a rule, signal or metric means: one entry for each group of languages."""
        return self._ask(_calls.explain(id, language))

    def _list(self, page: Callable[[str | None], Call[Page]]) -> Iterator[Any]:
        cursor = None
        while True:
            items, cursor = self._ask(page(cursor))
            yield from items
            if cursor is None:
                return

    def _ask(self, call: Call[T]) -> T:
        tries = self._tries(call)
        while True:
            try:
                answer = self._exchange(call)
            except FAULTS as fault:
                wait: float | None = tries.after_fault(fault)
            else:
                wait = tries.after(answer)
                if wait is None:
                    return read(self._address, call, answer)
            time.sleep(wait or 0.0)

    def _exchange(self, call: Call[Any]) -> Answer:
        with Connection(self._address, self.timeout) as connection:
            connection.send(request(self._address, call))
            return _rest_of(connection, Incoming())

    def _open(self, call: Call[Any]) -> tuple[Connection, Incoming]:
        """The connection of a stream, whose answer has begun."""
        tries = self._tries(call)
        while True:
            try:
                opened = self._begin(call)
            except FAULTS as fault:
                wait: float | None = tries.after_fault(fault)
            else:
                if not isinstance(opened, Answer):
                    return opened
                wait = tries.after(opened)
            time.sleep(wait or 0.0)

    def _begin(self, call: Call[Any]) -> tuple[Connection, Incoming] | Answer:
        """The beginning of a stream, or the answer that refuses it."""
        connection = Connection(self._address, self.timeout)
        try:
            connection.send(request(self._address, call))
            incoming = Incoming()
            while not incoming.has_head and not incoming.is_complete:
                incoming.feed(connection.receive())
            if incoming.status == 200:
                return connection, incoming
            answer = _rest_of(connection, incoming)
        except BaseException:
            connection.close()
            raise
        connection.close()
        return answer

    def _events(self, connection: Connection, incoming: Incoming, span: Span) -> Iterator[Event]:
        reader = EventReader(incoming.headers)
        part: bytes | None = incoming.rest()
        with connection:
            while part is not None:
                for event in self._events_in(part, reader):
                    yield event
                part = None if reader.is_over else self._next_part(connection, reader, span)

    def _events_in(self, part: bytes, reader: EventReader) -> list[Event]:
        try:
            return cast("list[Event]", reader.feed(part))
        except Broken as fault:
            raise error_of(self._address, fault) from None

    def _next_part(self, connection: Connection, reader: EventReader, span: Span) -> bytes | None:
        """The next part of a stream; None at its end."""
        if span.is_over:
            return None
        connection.limit(span.wait)
        try:
            part = connection.receive()
            if not part:
                reader.end()
        except FAULTS as fault:
            if span.is_over:
                return None
            raise error_of(self._address, silent(fault)) from None
        return part or None


def _rest_of(connection: Connection, incoming: Incoming) -> Answer:
    while not incoming.is_complete:
        incoming.feed(connection.receive())
    return incoming.answer()
