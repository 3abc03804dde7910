"""The same as `_server.py` for asyncio, with streams of asyncio and without threads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
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
from codeslope._streams import Connection
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


class AsyncServer(Settings):
    """A server that `slope serve` started, for asyncio. Arguments, methods and errors are those of `Server`.

    Requests run in the event loop, without threads. A task that is cancelled closes its connection.
    """

    async def health(self) -> Health:
        """The state of the server. It needs no token."""
        return await self._ask(_calls.health())

    async def projects(self) -> list[Project]:
        """The projects that the token may read."""
        return [item async for item in self._list(_calls.projects)]

    async def add_project(self, name: str, *, title: str = "") -> Project:
        """Adds a project. A name that is taken raises `ConflictError`."""
        return await self._ask(_calls.add_project(name, title))

    async def project(self, name: str) -> ProjectDetails:
        """A project with its series."""
        return await self._ask(_calls.project(name))

    async def remove_project(self, name: str) -> None:
        """Removes a project with all that it has."""
        await self._ask(_calls.remove_project(name))

    async def series(self, project: str) -> list[SeriesInfo]:
        """The series of a project, by name."""
        return (await self.project(project))["series"]

    def points(self, project: str, series: str, *, limit: int | None = None) -> AsyncIterator[Point]:
        """The points of a series in their order. A page of `limit` points is read when its first point is needed."""
        return self._list(lambda cursor: _calls.points(project, series, cursor, limit))

    async def point(self, project: str, series: str, key: str) -> Point:
        """A point by its key, for example `iteration-3`."""
        return await self._ask(_calls.point(project, series, key))

    async def remove_point(self, project: str, series: str, key: str) -> None:
        """Removes a point. The token needs the scope `admin`."""
        await self._ask(_calls.remove_point(project, series, key))

    async def summaries(self, project: str, series: str) -> list[Summary]:
        """Headline values of all points of a series, in their order."""
        return [item async for item in self._list(lambda cursor: _calls.summaries(project, series, cursor))]

    async def push(self, project: str, points: Iterable[Point]) -> list[Added]:
        """Adds points, in groups that the server takes. The result says what happened to each, in their order.

        A point that is there with other contents stays, and the outcome is `conflict`. If a group fails, those before
        it are stored: push all again, and none is stored twice.
        """
        results: list[Added] = []
        for call in _calls.push(project, points):
            added = await self._ask(call)
            results += added
        return results

    async def events(self, project: str, *, seconds: float | None = None) -> AsyncIterator[Event]:
        """Events of a project from the first step on: one for each new point.

        They end after `seconds`, or when the server ends. If the connection is lost, this raises `ServerError`, because
        nobody knows what happened in between: read the points again.
        """
        connection, incoming = await self._open(_calls.events(project))
        async for event in self._events(connection, incoming, Span(seconds)):
            yield event

    async def changes(self, project: str, *, limit: int | None = None) -> list[ChangeInfo]:
        """The changes of a project, the last judged first. The server decides how many without a `limit`."""
        return (await self._ask(_calls.changes(project, limit)))[0]

    async def change(self, project: str, key: str) -> ChangeDetails:
        """A change by its key, for example `pr-12`, with its judgement."""
        return await self._ask(_calls.change(project, key))

    async def put_change(self, project: str, key: str, change: SentChange) -> ChangeKept:
        """Sends a change that the gate judged. It replaces the one with the same key."""
        return await self._ask(_calls.put_change(project, key, change))

    async def remove_change(self, project: str, key: str) -> None:
        """Removes a change. The token needs the scope `admin`."""
        await self._ask(_calls.remove_change(project, key))

    async def runs(self, project: str, *, limit: int | None = None) -> list[RunInfo]:
        """The runs of a project, the latest first. The server decides how many without a `limit`."""
        return (await self._ask(_calls.runs(project, limit)))[0]

    async def run(self, project: str, key: str) -> RunDetails:
        """A run with its report."""
        return await self._ask(_calls.run(project, key))

    async def put_run(self, project: str, key: str, run: SentRun) -> RunKept:
        """Sends a run with its report, which replaces the earlier one.

        The answer has the open request of a visitor, and the checkpoints whose details the server has.
        """
        return await self._ask(_calls.put_run(project, key, run))

    async def remove_run(self, project: str, key: str) -> None:
        """Removes a run with all its details. The token needs the scope `admin`."""
        await self._ask(_calls.remove_run(project, key))

    async def ask_run(self, project: str, key: str, request: RunRequest) -> RunInfo:
        """Requests that a run pauses, resumes or cancels. It gets the request with its next report."""
        return await self._ask(_calls.ask_run(project, key, request))

    async def run_details(self, project: str, key: str, place: CheckpointPlace) -> CheckpointExhibit:
        """The specification, changes, tests and findings of a checkpoint."""
        return await self._ask(_calls.run_details(project, key, place))

    async def put_run_details(self, project: str, key: str, details: SentDetails) -> None:
        """Sends the details of a checkpoint, after its steps."""
        await self._ask(_calls.put_run_details(project, key, details))

    def run_steps(
        self, project: str, key: str, place: CheckpointPlace, *, limit: int | None = None
    ) -> AsyncIterator[PlacedStep]:
        """The agent's steps of a checkpoint. A page of `limit` steps is read when its first step is needed."""
        return self._list(lambda cursor: _calls.run_steps(project, key, place, cursor, limit))

    async def put_run_steps(self, project: str, key: str, steps: SentSteps) -> None:
        """Sends steps of a checkpoint. A request with `first` 0 removes earlier steps and details."""
        await self._ask(_calls.put_run_steps(project, key, steps))

    async def watches(self, project: str, *, limit: int | None = None) -> list[ListedWatch]:
        """The watches of a project by name, each with its state and open alarms."""
        return (await self._ask(_calls.watches(project, limit)))[0]

    async def watch(self, project: str, name: str) -> WatchDetails:
        """A watch with what its monitors need."""
        return await self._ask(_calls.watch(project, name))

    async def put_watch(self, project: str, name: str, watch: SentWatch) -> WatchKept:
        """Sends the settings of a watch. The answer has the days and notes that the server has."""
        return await self._ask(_calls.put_watch(project, name, watch))

    async def remove_watch(self, project: str, name: str) -> None:
        """Removes a watch with its days and notes. The token needs the scope `admin`."""
        await self._ask(_calls.remove_watch(project, name))

    def watch_days(self, project: str, name: str, *, limit: int | None = None) -> AsyncIterator[WatchDay]:
        """The days of a watch in their order. A page of `limit` days is read when its first day is needed."""
        return self._list(lambda cursor: _calls.watch_days(project, name, cursor, limit))

    async def watch_day(self, project: str, name: str, date: str) -> WatchDay:
        """The results of a day, for example `2026-11-30`."""
        return await self._ask(_calls.watch_day(project, name, date))

    async def add_watch_days(self, project: str, name: str, days: Iterable[WatchDay]) -> list[AddedDay]:
        """Adds days, in groups that the server takes. The result says what happened to each, in their order.

        A day is written once: one that is there with other results stays, and the outcome is `conflict`.
        """
        results: list[AddedDay] = []
        for call in _calls.add_watch_days(project, name, days):
            added = await self._ask(call)
            results += added
        return results

    async def watch_status(self, project: str, name: str) -> WatchStatus:
        """The state of a watch: series, alarms with what explains them, results by task."""
        return await self._ask(_calls.watch_status(project, name))

    async def alarms(self, project: str, *, limit: int | None = None) -> list[ListedAlarm]:
        """The alarms of all watches of a project: open ones first, then the newest."""
        return (await self._ask(_calls.alarms(project, limit)))[0]

    async def acknowledge_alarm(
        self, project: str, name: str, alarm: str, *, who: str, why: str, until: str | None = None
    ) -> AlarmNote:
        """Notes that somebody knows of an alarm, until a day. It stays open, and is shown as acknowledged."""
        return await self._ask(_calls.acknowledge_alarm(project, name, alarm, who, why, until))

    async def take_back_acknowledgement(self, project: str, name: str, alarm: str) -> None:
        """Takes back that somebody knows of an alarm."""
        await self._ask(_calls.take_back_acknowledgement(project, name, alarm))

    async def tokens(self, project: str) -> list[Token]:
        """The tokens of a project, without their secrets."""
        return [item async for item in self._list(lambda cursor: _calls.tokens(project, cursor))]

    async def add_token(self, project: str, scope: Scope, *, label: str = "") -> MadeToken:
        """Makes a token. This is sent once, so that no unknown token is left behind."""
        return await self._ask(_calls.add_token(project, scope, label))

    async def revoke_token(self, project: str, id: str) -> None:
        """Revokes a token."""
        await self._ask(_calls.revoke_token(project, id))

    async def measure(self, code: Texts, *, policy: str | None = None) -> Measurement:
        """The measurement of texts by path. `policy` is the text of a `slope.toml`, instead of that of the code."""
        return await self._ask(_calls.measure(code, policy))

    async def diff(self, before: Texts, after: Texts, *, policy: str | None = None) -> Ledger:
        """The ledger of a change: what it adds and removes, each at the function that caused it."""
        return await self._ask(_calls.diff(before, after, policy))

    async def check(self, before: Texts, after: Texts, *, policy: str | None = None) -> Judgement:
        """The judgement of the gate on a change. `passes` is False if a violation has the level `error`."""
        return await self._ask(_calls.check(before, after, policy))

    async def judge(self, code: Texts, *, policy: str | None = None) -> Assessment:
        """Scores from 0 to 10, where 10 is best, and issues."""
        return await self._ask(_calls.judge(code, policy))

    async def judge_change(self, before: Texts, after: Texts, *, policy: str | None = None) -> Assessment:
        """The scores after a change, those before it in `before`, and the issues that the change adds."""
        return await self._ask(_calls.judge_change(before, after, policy))

    async def grade(self, code: Texts, request: Request | None = None, **edit: Any) -> Grade:
        """The grade of an edit of texts by path: of a request, or of an edit as `grade_request` takes it."""
        return await self._ask(_calls.grade(code, chosen(request, edit)))

    async def explain(self, id: str, *, language: str | None = None) -> list[Explanation]:
        """What a rule, signal or metric means: one entry for each group of languages."""
        return await self._ask(_calls.explain(id, language))

    async def _list(self, page: Callable[[str | None], Call[Page]]) -> AsyncIterator[Any]:
        cursor = None
        while True:
            items, cursor = await self._ask(page(cursor))
            for item in items:
                yield item
            if cursor is None:
                return

    async def _ask(self, call: Call[T]) -> T:
        tries = self._tries(call)
        while True:
            try:
                answer = await self._exchange(call)
            except FAULTS as fault:
                wait: float | None = tries.after_fault(fault)
            else:
                wait = tries.after(answer)
                if wait is None:
                    return read(self._address, call, answer)
            await asyncio.sleep(wait or 0.0)

    async def _exchange(self, call: Call[Any]) -> Answer:
        with await Connection.open(self._address, self.timeout) as connection:
            await connection.send(request(self._address, call))
            return await _rest_of(connection, Incoming())

    async def _open(self, call: Call[Any]) -> tuple[Connection, Incoming]:
        """The connection of a stream, whose answer has begun."""
        tries = self._tries(call)
        while True:
            try:
                opened = await self._begin(call)
            except FAULTS as fault:
                wait: float | None = tries.after_fault(fault)
            else:
                if not isinstance(opened, Answer):
                    return opened
                wait = tries.after(opened)
            await asyncio.sleep(wait or 0.0)

    async def _begin(self, call: Call[Any]) -> tuple[Connection, Incoming] | Answer:
        """The beginning of a stream, or the answer that refuses it."""
        connection = await Connection.open(self._address, self.timeout)
        try:
            await connection.send(request(self._address, call))
            incoming = Incoming()
            while not incoming.has_head and not incoming.is_complete:
                incoming.feed(await connection.receive())
            if incoming.status == 200:
                return connection, incoming
            answer = await _rest_of(connection, incoming)
        except BaseException:
            connection.close()
            raise
        connection.close()
        return answer

    async def _events(self, connection: Connection, incoming: Incoming, span: Span) -> AsyncIterator[Event]:
        reader = EventReader(incoming.headers)
        part: bytes | None = incoming.rest()
        with connection:
            while part is not None:
                for event in self._events_in(part, reader):
                    yield event
                part = None if reader.is_over else await self._next_part(connection, reader, span)

    def _events_in(self, part: bytes, reader: EventReader) -> list[Event]:
        try:
            return cast("list[Event]", reader.feed(part))
        except Broken as fault:
            raise error_of(self._address, fault) from None

    async def _next_part(self, connection: Connection, reader: EventReader, span: Span) -> bytes | None:
        """The next part of a stream; None at its end."""
        if span.is_over:
            return None
        connection.limit(span.wait)
        try:
            part = await connection.receive()
            if not part:
                reader.end()
        except FAULTS as fault:
            if span.is_over:
                return None
            raise error_of(self._address, silent(fault)) from None
        return part or None


async def _rest_of(connection: Connection, incoming: Incoming) -> Answer:
    while not incoming.is_complete:
        incoming.feed(await connection.receive())
    return incoming.answer()
