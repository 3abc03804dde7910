"""The requests of the HTTP API, which the sync and the async client share."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, Union, cast
from urllib.parse import quote, urlencode

from codeslope._client import parts
from codeslope._documents import Judgement, Ledger, Measurement
from codeslope._run_types import (
    ChangeDetails,
    ChangeKept,
    CheckpointExhibit,
    CheckpointPlace,
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
)
from codeslope._types import Assessment, Grade, Request
from codeslope._watch_types import (
    AddedDay,
    AlarmNote,
    SentWatch,
    WatchDay,
    WatchDetails,
    WatchKept,
    WatchStatus,
)
from codeslope._wire import Call, Secret

#: Texts by path.
Texts = Mapping[str, Union[str, bytes]]
#: A page of a list: its items, and the cursor of the next page.
Page = tuple[list[Any], Union[str, None]]

Scope = Literal["read", "push", "admin"]

#: Points and days of one request, and the size of their text.
MOST_POINTS = 500
MOST_DAYS = 100
MOST_CHARACTERS = 7 << 20


def health() -> Call[Health]:
    return _get("health")


def projects(cursor: str | None) -> Call[Page]:
    return _page("projects", {"cursor": cursor})


def add_project(name: str, title: str) -> Call[Project]:
    return _post("projects", _json({"name": name, "title": title}))


def project(name: str) -> Call[ProjectDetails]:
    return _get(f"projects/{_part(name)}")


def remove_project(name: str) -> Call[None]:
    return _delete(f"projects/{_part(name)}")


def points(project: str, series: str, cursor: str | None, limit: int | None) -> Call[Page]:
    return _page(f"{_series(project, series)}/points", {"limit": limit, "cursor": cursor})


def summaries(project: str, series: str, cursor: str | None) -> Call[Page]:
    return _page(f"{_series(project, series)}/summaries", {"cursor": cursor})


def point(project: str, series: str, key: str) -> Call[Point]:
    return _get(f"{_series(project, series)}/points/{_part(key)}")


def remove_point(project: str, series: str, key: str) -> Call[None]:
    return _delete(f"{_series(project, series)}/points/{_part(key)}")


def push(project: str, points: Iterable[Point]) -> Iterator[Call[list[Added]]]:
    """The requests that push points, each small enough for the server."""
    lines = [json.dumps(point, allow_nan=False) for point in points]
    for group in parts(lines, most=MOST_POINTS, characters=MOST_CHARACTERS):
        body = f'{{"points":[{",".join(group)}]}}'
        yield Call("POST", f"projects/{_part(project)}/points", _results, body.encode(), _key())


def events(project: str) -> Call[Event]:
    return _get(f"projects/{_part(project)}/events")


def changes(project: str, limit: int | None) -> Call[Page]:
    return _page(f"projects/{_part(project)}/changes", {"limit": limit})


def change(project: str, key: str) -> Call[ChangeDetails]:
    return _get(_change(project, key))


def put_change(project: str, key: str, change: SentChange) -> Call[ChangeKept]:
    return _put(_change(project, key), change, _object)


def remove_change(project: str, key: str) -> Call[None]:
    return _delete(_change(project, key))


def runs(project: str, limit: int | None) -> Call[Page]:
    return _page(f"projects/{_part(project)}/runs", {"limit": limit})


def run(project: str, key: str) -> Call[RunDetails]:
    return _get(_run(project, key))


def put_run(project: str, key: str, run: SentRun) -> Call[RunKept]:
    return _put(_run(project, key), run, _object)


def remove_run(project: str, key: str) -> Call[None]:
    return _delete(_run(project, key))


def ask_run(project: str, key: str, request: RunRequest) -> Call[RunInfo]:
    return _post(f"{_run(project, key)}/request", _json({"request": request}))


def run_details(project: str, key: str, place: CheckpointPlace) -> Call[CheckpointExhibit]:
    return _get(f"{_run(project, key)}/details{_query(place)}")


def put_run_details(project: str, key: str, details: SentDetails) -> Call[None]:
    return _put(f"{_run(project, key)}/details", details, _nothing)


def run_steps(
    project: str, key: str, place: CheckpointPlace, cursor: str | None, limit: int | None
) -> Call[Page]:
    return _page(f"{_run(project, key)}/steps", {**place, "limit": limit, "cursor": cursor})


def put_run_steps(project: str, key: str, steps: SentSteps) -> Call[None]:
    return _put(f"{_run(project, key)}/steps", steps, _nothing)


def watches(project: str, limit: int | None) -> Call[Page]:
    return _page(f"projects/{_part(project)}/watches", {"limit": limit})


def watch(project: str, name: str) -> Call[WatchDetails]:
    return _get(_watch(project, name))


def put_watch(project: str, name: str, watch: SentWatch) -> Call[WatchKept]:
    return _put(_watch(project, name), watch, _object)


def remove_watch(project: str, name: str) -> Call[None]:
    return _delete(_watch(project, name))


def watch_days(project: str, name: str, cursor: str | None, limit: int | None) -> Call[Page]:
    return _page(f"{_watch(project, name)}/days", {"limit": limit, "cursor": cursor})


def watch_day(project: str, name: str, date: str) -> Call[WatchDay]:
    return _get(f"{_watch(project, name)}/days/{_part(date)}")


def add_watch_days(project: str, name: str, days: Iterable[WatchDay]) -> Iterator[Call[list[AddedDay]]]:
    """The requests that push days, each small enough for the server."""
    lines = [json.dumps(day, allow_nan=False) for day in days]
    for group in parts(lines, most=MOST_DAYS, characters=MOST_CHARACTERS):
        body = f'{{"days":[{",".join(group)}]}}'
        yield Call("POST", f"{_watch(project, name)}/days", _results, body.encode(), _key())


def watch_status(project: str, name: str) -> Call[WatchStatus]:
    return _get(f"{_watch(project, name)}/status")


def alarms(project: str, limit: int | None) -> Call[Page]:
    return _page(f"projects/{_part(project)}/alarms", {"limit": limit})


def acknowledge_alarm(
    project: str, name: str, alarm: str, who: str, why: str, until: str | None
) -> Call[AlarmNote]:
    return _put(_acknowledgement(project, name, alarm), {"who": who, "why": why, "until": until}, _object)


def take_back_acknowledgement(project: str, name: str, alarm: str) -> Call[None]:
    return _delete(_acknowledgement(project, name, alarm))


def tokens(project: str, cursor: str | None) -> Call[Page]:
    return _page(f"projects/{_part(project)}/tokens", {"cursor": cursor})


def add_token(project: str, scope: Scope, label: str) -> Call[MadeToken]:
    # Without a key: the server does not keep secrets, so it cannot answer again.
    body = _json({"scope": scope, "label": label})
    return Call("POST", f"projects/{_part(project)}/tokens", _made, body)


def revoke_token(project: str, id: str) -> Call[None]:
    return Call("DELETE", f"projects/{_part(project)}/tokens/{_part(id)}", _nothing)


def measure(code: Texts, policy: str | None) -> Call[Measurement]:
    return _post("measure", _json({"files": texts(code)} | _policy(policy)))


def diff(before: Texts, after: Texts, policy: str | None) -> Call[Ledger]:
    return _post("diff", _sides(before, after, policy))


def check(before: Texts, after: Texts, policy: str | None) -> Call[Judgement]:
    return _post("check", _sides(before, after, policy))


def judge(code: Texts, policy: str | None) -> Call[Assessment]:
    return _post("judge", _json({"files": texts(code)} | _policy(policy)))


def judge_change(before: Texts, after: Texts, policy: str | None) -> Call[Assessment]:
    return _post("judge-change", _sides(before, after, policy))


def grade(code: Texts, request: Request) -> Call[Grade]:
    return _post("grade", _json({"files": texts(code), "request": request}))


def explain(id: str, language: str | None) -> Call[list[Explanation]]:
    return Call("GET", f"explain/{_part(id)}{_query({'language': language})}", _list)


def texts(code: Texts) -> dict[str, str]:
    """Texts by path for JSON."""
    if not isinstance(code, Mapping):
        raise TypeError("a server takes texts by path, not a folder\nhelp: use codeslope.measure and so on for folders")
    return {path: _text(path, text) for path, text in code.items()}


def _text(path: str, text: str | bytes) -> str:
    if isinstance(text, str):
        return text
    try:
        return bytes(text).decode()
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not text in UTF-8\nhelp: leave it out") from None


def _sides(before: Texts, after: Texts, policy: str | None) -> bytes:
    return _json({"before": texts(before), "after": texts(after)} | _policy(policy))


def _policy(policy: str | None) -> dict[str, Any]:
    return {} if policy is None else {"policy": policy}


def _json(value: Any) -> bytes:
    return json.dumps(value, allow_nan=False).encode()


def _key() -> str:
    return uuid.uuid4().hex


def _part(text: str) -> str:
    """A part of a path. The server would see an empty part, `.` and `..` as another path."""
    if text in ("", ".", ".."):
        raise ValueError(f"`{text}` is not a name of a project, series, point, change, run, watch, alarm, token or rule")
    return quote(text, safe="")


def _series(project: str, series: str) -> str:
    return f"projects/{_part(project)}/series/{_part(series)}"


def _change(project: str, key: str) -> str:
    return f"projects/{_part(project)}/changes/{_part(key)}"


def _watch(project: str, name: str) -> str:
    return f"projects/{_part(project)}/watches/{_part(name)}"


def _acknowledgement(project: str, name: str, alarm: str) -> str:
    return f"{_watch(project, name)}/alarms/{_part(alarm)}/acknowledgement"


def _run(project: str, key: str) -> str:
    return f"projects/{_part(project)}/runs/{_part(key)}"


def _query(values: Mapping[str, Any]) -> str:
    given = {name: value for name, value in values.items() if value is not None}
    return f"?{urlencode(given)}" if given else ""


def _get(path: str) -> Call[Any]:
    return Call("GET", path, _object)


def _post(path: str, body: bytes) -> Call[Any]:
    return Call("POST", path, _object, body, _key())


def _put(path: str, value: Any, read: Callable[[Any], Any]) -> Call[Any]:
    return Call("PUT", path, read, _json(value), _key())


def _delete(path: str) -> Call[None]:
    return Call("DELETE", path, _nothing, None, _key())


def _page(path: str, query: Mapping[str, Any]) -> Call[Page]:
    return Call("GET", path + _query(query), _items)


# Readers raise ValueError, KeyError or TypeError for an answer of another form.


def _object(found: Any) -> Any:
    if not isinstance(found, dict):
        raise TypeError("not an object")
    return found


def _list(found: Any) -> list[Any]:
    if not isinstance(found, list):
        raise TypeError("not a list")
    return found


def _items(found: Any) -> Page:
    cursor = found.get("next") if isinstance(found, dict) else None
    if cursor is not None and not isinstance(cursor, str):
        raise TypeError("not a cursor")
    return _list(_object(found)["items"]), cursor


def _results(found: Any) -> list[Any]:
    return _list(_object(found)["results"])


def _made(found: Any) -> MadeToken:
    token = _object(found)
    return cast(MadeToken, {**token, "secret": Secret(token["secret"])})


def _nothing(found: Any) -> None:
    return None


