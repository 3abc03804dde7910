"""A small base, edits of it, and a server. Tests of the package and of the training packages share them."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import unified_diff
from pathlib import Path
from typing import Any

UTIL = '''"""Prices."""


def total_price(items, rate):
    """Sum of the items' prices with tax."""
    total = 0
    for item in items:
        if item.price > 0 and item.count > 0:
            total += item.price * item.count
        elif item.is_gift:
            total += 1
        else:
            total -= item.discount
    return round(total * (1 + rate), 2)
'''
APP = '''"""The shop."""

from util import total_price


def invoice(items):
    """Text of an invoice."""
    return f"total: {total_price(items, 0.19)}"


def label(name):
    """Text of a label."""
    return name
'''
BASE = {"util.py": UTIL, "app.py": APP}

TIDY = APP.replace("return name", "return name.strip().title()")
COPIED = TIDY + "\n\n" + UTIL[UTIL.index("def ") :].replace("total_price", "sum_of_prices").replace("item", "good")


def diff(path: str, before: str, after: str) -> str:
    """A unified diff of one file."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    return "".join(unified_diff(old, new, f"a/{path}" if before else "/dev/null", f"b/{path}"))


#: The wanted edit, the same with a copy of `total_price`, one that hides tests, and one that fits no file.
GOOD = diff("app.py", APP, TIDY)
COPY = diff("app.py", APP, COPIED)
SKIPS = diff("conftest.py", "", 'collect_ignore = ["test_app.py"]\n')
UNFIT = GOOD.replace("-    return name\n", "-    return other\n")
WRONG = GOOD.replace("title", "upper")
PASS = {"passed": 3, "failed": 0}
FAIL = {"passed": 2, "failed": 1}


def response(diff: str) -> str:
    """A model's answer with a diff."""
    return f"Here is the change.\n\n```diff\n{diff}```\n"


def run_tests(edit: str, row: Any) -> dict[str, int]:
    """Stands in for a sandbox: an edit passes if it has the wanted line."""
    return PASS if "+    return name.strip().title()" in edit else FAIL


def broken_tests(edit: str, row: Any) -> dict[str, int]:
    """A sandbox that is down."""
    raise ConnectionError("the sandbox is down")


def write_base(folder: Path) -> Path:
    """The base as files."""
    for name, text in BASE.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def slope() -> Path:
    """The `slope` command."""
    built = Path(__file__).resolve().parents[2] / "target/debug/slope"
    found = Path(os.environ.get("SLOPE_BIN", built))
    if not found.is_file():
        raise FileNotFoundError(f"{found} is missing\nhelp: cargo build, or set SLOPE_BIN")
    return found


@contextmanager
def serving(base: Path, *options: str, port: int = 0) -> Iterator[str]:
    """The address of a server of grades, by default on a free port."""
    command = [slope(), "grade", "serve", "--base", f"shop={base}", "--listen", f"127.0.0.1:{port}", *options]
    with started(command) as (url, _):
        yield url


@contextmanager
def tracking(data: Path, *options: str, port: int = 0) -> Iterator[str]:
    """The address of `slope serve` with its data in a folder."""
    command = [slope(), "serve", "--listen", f"127.0.0.1:{port}", "--data", data, *options]
    with started(command) as (url, _):
        yield url


@contextmanager
def started(command: list[Any]) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address that a server prints, and its process."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert process.stdout is not None
        said = ""
        for line in process.stdout:
            said += line
            if found := re.search(r"http://[\d.]+:\d+", line):
                yield found.group(), process
                break
        else:
            raise RuntimeError(f"the server did not start:\n{said}")
    finally:
        process.terminate()
        process.wait(timeout=20)
        if process.stdout is not None:
            process.stdout.close()


def point(iteration: int, **fields: Any) -> Any:
    """A point of the series `main`, whose erosion grows."""
    totals = {"files": 1, "unmeasured_files": 0, "lines": 10, "sloc": 8, "callables": 2, "high_complexity_callables": 0}
    values = {"mass": 10.0 * iteration, "erosion": iteration / 1_000}
    return {
        "schema": "slope.point/1",
        "series": "main",
        "time": f"2026-11-{1 + iteration // 1_440 % 28:02}T{iteration // 60 % 24:02}:{iteration % 60:02}:00Z",
        "iteration": iteration,
        "origin": "folder",
        "tree": "0",
        "engine": "slope",
        "definitions": "d",
        "totals": totals | values,
        **fields,
    }


def run(model: str) -> Any:
    """A run that goes on, with one trial of one checkpoint."""
    totals = point(1)["totals"]
    checkpoint = {
        "checkpoint": "checkpoint_1",
        "index": 1,
        "state": "passed",
        "reason": None,
        "counts": {"core": {"passed": 4, "total": 4}},
        "totals": totals,
        "usage": None,
        "agent_s": 60.0,
        "grade_s": 1.0,
        "snapshot": "s",
    }
    problem = {"path": "shop", "hash": "h", "checkpoint_names": ["checkpoint_1"]}
    config = {
        "schema": "slope.run/1",
        "slope_version": "0.1.0",
        "label": "a run",
        "agent": "codex",
        "agent_version": "1",
        "model": model,
        "prompt": "just-solve",
        "prompt_hash": "h",
        "problems": {"shop": problem},
        "trials": 1,
        "isolation": "local",
    }
    trial = {"problem": "shop", "trial": 1, "checkpoints": [checkpoint]}
    report = {"schema": "slope.run-report/1", "run": "dir", "config": config, "definitions": [], "trials": [trial]}
    return {"schema": "slope.sent-run/1", "phase": "running", "started": "2026-11-30T08:00:00Z", "report": report}


def step(message: str) -> Any:
    """A step of an agent."""
    return {"actor": "agent", "message": {"text": message, "left_out": 0}, "calls": [], "results": [], "took_s": 1.0}


#: Details of a checkpoint.
DETAILS: Any = {
    "spec": {"Ok": {"text": "Add a cart.", "left_out": 0}},
    "changes": {"Err": "no snapshot"},
    "tests": {"Ok": {"items": [], "left_out": 0}},
    "findings": {"Ok": {"items": [], "left_out": 0}},
    "steps": {"Ok": {"items": [], "left_out": 5}},
}


def check_fields(kind: Any, schema: dict[str, Any], all_schemas: dict[str, Any]) -> None:
    """A type has the fields of its schema, and the same words where only some are allowed."""
    assert set(kind.__annotations__) == set(schema["properties"])
    hints = {field: getattr(hint, "__forward_arg__", str(hint)) for field, hint in kind.__annotations__.items()}
    left_out = {field for field, hint in hints.items() if hint.startswith("NotRequired[")}
    assert left_out == set(schema["properties"]) - set(schema.get("required", ()))
    for field, hint in hints.items():
        if hint.startswith("Literal["):
            found = set(re.findall(r"['\"]([\w-]+)['\"]", hint))
            assert found == words(schema["properties"][field], all_schemas), field


def words(schema: dict[str, Any], all_schemas: dict[str, Any]) -> set[str]:
    """The words that a schema allows."""
    if "$ref" in schema:
        schema = all_schemas[schema["$ref"].rpartition("/")[2]]
    inner = [words(one, all_schemas) for name in ("oneOf", "allOf", "anyOf") for one in schema.get(name, ())]
    own = {schema["const"]} if "const" in schema else set(schema.get("enum", ()))
    return own.union(*inner)


def watch() -> dict[str, Any]:
    """What a server needs of a watch's settings."""
    return {
        "schema": "slope.sent-watch/1",
        "baseline_days": 5,
        "baseline_replicates": 1,
        "alarm_replicates": 4,
        "false_alarms_per_year": 0.1,
        "tasks": 20,
        "arms": {"main": {"role": "target", "agent": "codex", "model": "m"}},
    }


def watch_days() -> list[dict[str, Any]]:
    """Days on which nearly all tasks pass at first, and few later."""
    return [_watch_day(day) for day in range(1, 21)]


def _watch_day(day: int) -> dict[str, Any]:
    fails = 7 if day < 13 else 2
    tasks = [
        {
            "task": f"python/p/step_{task}",
            "trial": 1,
            "outcome": "failed" if (task + day) % fails == 0 else "passed",
            "passed_share": 0.5,
        }
        for task in range(20)
    ]
    arm = {"role": "target", "agent": "codex", "agent_version": "1", "model": "m", "settings": "s", "tasks": tasks}
    date = f"2026-11-{day:02}"
    return {"schema": "slope.watch-day/1", "date": date, "suite": "s", "replicates": 1, "arms": {"main": arm}}
