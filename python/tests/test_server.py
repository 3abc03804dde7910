"""The clients of `slope serve`, against a real server. Both have the same tests."""

from __future__ import annotations

import asyncio
import inspect
import json
import pickle
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

import codeslope
from codeslope import _run_types, _server_types

import samples

BEFORE, AFTER = samples.BASE, samples.BASE | {"app.py": samples.COPIED}
OPENAPI = Path(__file__).parents[2] / "docs/schemas/openapi.json"


class Waiting:
    """The async client with the methods of the sync one: each call has an event loop."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.server = codeslope.AsyncServer(*arguments, **options)

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any, **options: Any) -> Any:
            made = getattr(self.server, name)(*arguments, **options)
            return asyncio.run(made) if inspect.iscoroutine(made) else iter(asyncio.run(listed(made)))

        return call


async def listed(items: Any) -> list[Any]:
    return [item async for item in items]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with samples.tracking(tmp_path_factory.mktemp("data")) as url:
        yield url


@pytest.fixture(params=[codeslope.Server, Waiting])
def kind(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def server(url: str, kind: Any) -> Any:
    return kind(url)


@pytest.fixture
def project(server: Any, request: pytest.FixtureRequest) -> str:
    name: str = "p" + str(abs(hash(request.node.nodeid)))
    assert server.add_project(name, title="A <shop>")["title"] == "A <shop>"
    return name


def test_projects_are_listed(server: Any, project: str) -> None:
    assert server.health()["status"] == "ok"
    assert project in [found["name"] for found in server.projects()]
    assert server.project(project)["series"] == server.series(project) == []
    with pytest.raises(codeslope.ConflictError, match="help: choose another name") as raised:
        server.add_project(project)
    assert raised.value.status == 409


def test_points_are_pushed_in_groups(server: Any, project: str) -> None:
    points = [samples.point(number) for number in range(1_201)]
    assert [added["outcome"] for added in server.push(project, points)] == ["stored"] * 1_201
    assert [point["iteration"] for point in server.points(project, "main")] == list(range(1_201))
    assert [point["iteration"] for point in server.points(project, "main", limit=100)] == list(range(1_201))
    assert [summary["values"]["mass"] for summary in server.summaries(project, "main")][:3] == [0.0, 10.0, 20.0]
    assert server.series(project)[0]["points"] == 1_201
    assert server.push(project, []) == []


def test_conflicts_are_results(server: Any, project: str) -> None:
    server.push(project, [samples.point(1)])
    other = samples.point(1, tree="other")
    outcomes = [added["outcome"] for added in server.push(project, [samples.point(1), other, samples.point(2)])]
    assert outcomes == ["same", "conflict", "stored"]
    assert server.point(project, "main", "iteration-1")["tree"] == "0"


def test_large_points_are_split(server: Any, project: str) -> None:
    functions = [
        {"path": "a" * 1_000, "name": str(at), "line": 1, "complexity": 1, "sloc": 1, "mass": 1.0} for at in range(200)
    ]
    points = [samples.point(number, worst=functions) for number in range(50)]
    assert len(json.dumps(points)) > 8 << 20, "more than the server takes at once"
    assert len(server.push(project, points)) == 50


def test_code_is_measured_as_here(server: Any) -> None:
    assert server.measure(AFTER) == codeslope.measure(AFTER)
    assert server.diff(BEFORE, AFTER) == codeslope.diff(BEFORE, AFTER)
    assert server.check(BEFORE, AFTER) == codeslope.check(BEFORE, AFTER)
    assert server.judge(AFTER) == codeslope.judge(AFTER)
    assert server.judge_change(BEFORE, AFTER) == codeslope.judge_change(BEFORE, AFTER)
    assert server.explain("erosion") == codeslope.explain("erosion")
    edit = {"diff": samples.GOOD, **samples.PASS}
    assert server.grade(BEFORE, **edit) == codeslope.Grader(BEFORE).grade(**edit)
    policy = '[check]\nnew-clone = "off"\n'
    assert server.check(BEFORE, AFTER, policy=policy) == codeslope.check(BEFORE, AFTER, policy=policy)
    assert server.measure({"app.py": b"x = 1\n"})["totals"]["files"] == 1


def test_problems_have_details(server: Any) -> None:
    with pytest.raises(codeslope.NotFoundError) as raised:
        server.project("absent")
    error = raised.value
    assert (error.status, error.code, error.type, error.title) == (404, 404, "about:blank", "Not Found")
    assert "absent" in error.detail and error.help and str(error) == f"{error.detail}\nhelp: {error.help}"
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.status) == (type(error), str(error), 404)
    with pytest.raises(codeslope.InvalidError, match="nothing was measured"):
        server.measure({"notes.txt": "hello"})
    with pytest.raises(codeslope.InvalidError, match=r"points\[0\]"):
        server.push("absent", [samples.point(1, series="not a name")])


def test_early_answers_are_read(server: Any) -> None:
    for size in (9 << 20, 40 << 20):
        with pytest.raises(codeslope.ProblemError, match="too large") as raised:
            server.measure({"app.py": "#" * size})
        assert raised.value.status == 413


def test_names_are_quoted(server: Any) -> None:
    for name in ("a/../b", "ä ö", "a?b#c", "%2e%2e", 'x"y\r\n'):
        with pytest.raises(codeslope.ProblemError) as raised:
            server.project(name)
        assert raised.value.status in (400, 404)
    for name in ("", ".", ".."):
        with pytest.raises(ValueError, match="not a name"):
            server.project(name)


def test_wrong_code_is_not_sent(server: Any) -> None:
    with pytest.raises(TypeError, match="texts by path"):
        server.measure("src")
    with pytest.raises(ValueError, match=r"a\.bin is not text"):
        server.judge({"a.bin": b"\xff"})
    with pytest.raises(ValueError, match="JSON"):
        server.push("p", [samples.point(1, note=float("nan"))])


def test_tokens_have_scopes(kind: Any, tmp_path: Path) -> None:
    with samples.tracking(tmp_path) as url:
        made = codeslope.Server(url)
        made.add_project("shop")
        token = made.add_token("shop", "read", label="a reader")
    assert "secret" in token and token["secret"] not in repr(token), "a notebook shows what a cell returns"
    with samples.tracking(tmp_path, "--require-token") as url:
        with pytest.raises(codeslope.AccessError) as raised:
            kind(url).projects()
        assert raised.value.status == 401
        reader = kind(url, token=token["secret"])
        assert [project["name"] for project in reader.projects()] == ["shop"]
        with pytest.raises(codeslope.AccessError, match="push") as raised:
            reader.push("shop", [samples.point(1)])
        assert raised.value.status == 403
        with pytest.raises(codeslope.AccessError):
            reader.tokens("shop")


def test_tokens_can_be_revoked(server: Any, project: str) -> None:
    token = server.add_token(project, "push")
    assert [found["id"] for found in server.tokens(project)] == [token["id"]]
    server.revoke_token(project, token["id"])
    assert server.tokens(project)[0]["revoked"]


PLACE: Any = {"problem": "shop", "trial": 1, "checkpoint": "checkpoint_1"}


def test_runs_are_sent_and_read(server: Any, project: str) -> None:
    first = server.put_run(project, "r", samples.run("m"))
    assert first == {"is_new": True, "request": None, "checkpoints": []}
    assert server.put_run(project, "r", samples.run("m"))["is_new"] is False
    steps = [samples.step(f"message {at}") for at in range(5)]
    server.put_run_steps(project, "r", {"place": PLACE, "first": 0, "steps": steps})
    details = {"place": PLACE, "digest": "d1", "steps": 5, "details": samples.DETAILS}
    server.put_run_details(project, "r", details)
    assert server.put_run(project, "r", samples.run("m"))["checkpoints"] == [{"place": PLACE, "digest": "d1"}]
    assert [run["phase"] for run in server.runs(project)] == ["running"]
    assert server.run(project, "r")["sent"]["report"]["config"]["model"] == "m"
    found = server.run_details(project, "r", PLACE)
    assert found["spec"] == samples.DETAILS["spec"]
    read = list(server.run_steps(project, "r", PLACE, limit=2))
    assert [(one["place"], one["step"]["message"]["text"]) for one in read] == [
        (at, f"message {at}") for at in range(5)
    ]
    assert server.ask_run(project, "r", "pause")["request"] == "pause"
    assert server.put_run(project, "r", samples.run("m"))["request"] == "pause"
    server.remove_run(project, "r")
    assert server.runs(project) == []


def test_changes_are_sent_and_read(server: Any, project: str) -> None:
    judgement = server.check(BEFORE, AFTER)
    change = {"schema": "slope.sent-change/1", "title": "A copy", "judgement": judgement}
    assert server.put_change(project, "pr-1", change) == {"is_new": True}
    assert server.put_change(project, "pr-1", change) == {"is_new": False}
    server.put_change(project, "pr-2", change)
    assert {found["key"] for found in server.changes(project)} == {"pr-1", "pr-2"}
    assert len(server.changes(project, limit=1)) == 1
    found = server.change(project, "pr-1")
    assert (found["passes"], found["summary"]["title"]) == (judgement["passes"], "A copy")
    assert found["sent"]["judgement"] == judgement
    server.remove_change(project, "pr-1")
    with pytest.raises(codeslope.NotFoundError):
        server.change(project, "pr-1")


def test_watches_are_sent_and_read(server: Any, project: str) -> None:
    kept = server.put_watch(project, "nightly", samples.watch())
    assert (kept["is_new"], kept["days"]) == (True, [])
    days = samples.watch_days()
    added = server.add_watch_days(project, "nightly", days)
    assert {one["outcome"] for one in added} == {"stored"}
    changed = {**days[0], "replicates": 9}
    assert server.add_watch_days(project, "nightly", [changed])[0]["outcome"] == "conflict"
    assert list(server.watch_days(project, "nightly", limit=7)) == days
    assert server.watch_day(project, "nightly", days[3]["date"]) == days[3]
    assert server.watch(project, "nightly")["sent"] == samples.watch()
    [listed] = server.watches(project)
    assert (listed["watch"], listed["state"]) == ("nightly", "confirmed")
    alarm = listed["open"][0]["id"]
    note = server.acknowledge_alarm(project, "nightly", alarm, who="Ann", why="known", until="2199-01-01")
    assert note["acknowledged"]["why"] == "known"
    assert next(one for one in server.alarms(project) if one["id"] == alarm)["acknowledged"]["who"] == "Ann"
    server.take_back_acknowledgement(project, "nightly", alarm)
    [first] = [one for one in server.watch_status(project, "nightly")["alarms"] if one["id"] == alarm]
    assert first["acknowledged"] is None
    server.remove_watch(project, "nightly")
    assert server.watches(project) == []


def test_points_and_projects_can_be_removed(server: Any, project: str) -> None:
    server.push(project, [samples.point(1), samples.point(2)])
    server.remove_point(project, "main", "iteration-1")
    assert [point["iteration"] for point in server.points(project, "main")] == [2]
    server.remove_project(project)
    with pytest.raises(codeslope.NotFoundError):
        server.project(project)


def test_events_follow_pushes(url: str) -> None:
    server = codeslope.Server(url)
    server.add_project("events")
    events = server.events("events", seconds=60)
    server.push("events", [samples.point(1), samples.point(2)])
    assert next(events) == {"kind": "point", "project": "events", "series": "main", "key": "iteration-1"}
    assert next(events)["key"] == "iteration-2"


def test_events_end_in_time(server: Any, project: str) -> None:
    began = time.monotonic()
    assert list(server.events(project, seconds=0.3)) == []
    assert 0.25 < time.monotonic() - began < 5
    with pytest.raises(codeslope.NotFoundError):
        next(server.events("absent"))


def test_async_events_follow_pushes(url: str) -> None:
    async def follow() -> list[str]:
        server = codeslope.AsyncServer(url)
        await server.add_project("async-events")
        push = asyncio.create_task(push_until_ended(server))
        keys = []
        async for event in server.events("async-events", seconds=60):
            keys.append(event["key"])
            if len(keys) == 3:
                break
        push.cancel()
        return keys

    async def push_until_ended(server: codeslope.AsyncServer) -> None:
        for number in range(1_000):
            await server.push("async-events", [samples.point(number)])
            await asyncio.sleep(0.02)

    keys = asyncio.run(follow())
    first = int(keys[0].removeprefix("iteration-"))
    assert keys == [f"iteration-{first + at}" for at in range(3)]


def test_events_end_with_the_server(tmp_path: Path) -> None:
    command = [samples.slope(), "serve", "--listen", "127.0.0.1:0", "--data", tmp_path]
    with samples.started(command) as (url, process):
        server = codeslope.Server(url)
        server.add_project("shop")
        events = server.events("shop")
        threading.Timer(0.3, process.kill).start()
        with pytest.raises(codeslope.ServerError, match="ended early|ended the connection"):
            next(events)


def test_async_requests_run_together(url: str) -> None:
    async def ask() -> int:
        server = codeslope.AsyncServer(url)
        found = await asyncio.gather(*(server.health() for _ in range(100)))
        return len(found)

    threads = threading.active_count()
    assert asyncio.run(ask()) == 100
    assert threading.active_count() == threads


TYPES = vars(_server_types) | vars(_run_types)


@pytest.mark.parametrize("name", [name for name in TYPES if name[0].isupper()])
def test_types_have_fields_of_the_api(name: str) -> None:
    kind = TYPES[name]
    if not hasattr(kind, "__total__") or name == "Event":
        return
    schemas = json.loads(OPENAPI.read_text())["components"]["schemas"]
    samples.check_fields(kind, schemas[name], schemas)


@pytest.mark.parametrize("name", ["RunPhase", "RunRequest"])
def test_words_are_those_of_the_api(name: str) -> None:
    schemas = json.loads(OPENAPI.read_text())["components"]["schemas"]
    assert set(get_args(getattr(_run_types, name))) == samples.words(schemas[name], schemas)


def method_of(operation: str) -> str:
    """The method for an operation of the API: its name in lower case, without `list` and `get`."""
    words = re.sub(r"([A-Z])", r"_\1", operation).lower().split("_")
    return {"add_points": "push"}.get("_".join(words), "_".join(words[words[0] in ("list", "get") :]))


def test_every_operation_has_a_method() -> None:
    paths = json.loads(OPENAPI.read_text())["paths"].values()
    operations = [operation["operationId"] for path in paths for operation in path.values()]
    assert len(operations) > 30
    missing = [name for name in operations if not hasattr(codeslope.Server, method_of(name))]
    assert not missing, "operations without a method of `Server`"


def test_both_clients_have_the_same_methods() -> None:
    def methods(kind: type) -> dict[str, list[str]]:
        found = inspect.getmembers(kind, inspect.isfunction)
        return {name: list(inspect.signature(one).parameters) for name, one in found if name[0] != "_"}

    assert methods(codeslope.Server) == methods(codeslope.AsyncServer)
    assert set(methods(codeslope.Server)) >= {"measure", "diff", "check", "judge", "judge_change", "grade", "explain"}
