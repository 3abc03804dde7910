"""The same requests give the same bytes from the command line, over HTTP and in Python."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

import codeslope

import samples


def records() -> list[str]:
    edits = {
        "good": {"diff": samples.GOOD, **samples.PASS},
        "copy": {"diff": samples.COPY, "group": "g", **samples.PASS},
        "copy-fails": {"diff": samples.COPY, "group": "g", **samples.FAIL},
        "skips": {"diff": samples.SKIPS, **samples.PASS},
        "files": {"files": {"app.py": samples.TIDY, "gone.py": None}, **samples.PASS},
        "tree": {"tree": samples.BASE | {"app.py": samples.COPIED}, "reference": samples.GOOD, **samples.PASS},
        "unfit": {"diff": samples.UNFIT, **samples.PASS},
        "no-tests": {"diff": samples.GOOD, "evidence": "full"},
    }
    return [*(json.dumps(codeslope.grade_request(id=id, **edit)) for id, edit in edits.items()), '{"id": "bad"}', "[]"]


def of_command(base: Path, *words: str) -> list[str]:
    command = [samples.slope(), "grade", *words, "--base", base]
    done = subprocess.run(command, input="\n".join(records()), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def of_python(base: Path, in_groups: bool) -> list[str]:
    return codeslope.Grader(base)._native.grade_all(records(), in_groups)


# Messages name the place of a record in their input, which differs: a line, a record, a request.
def unplaced(grade: str) -> str:
    return re.sub(r'"message":"(line|record) (?=\d)', '"message":"request ', grade)


def test_grades_are_the_same_bytes(base: Path, server: str) -> None:
    client = codeslope.Client(server)
    client.wait()
    over_http = client._post("/v1/score:batch?order=input", "\n".join(records())).splitlines()
    in_python = of_python(base, in_groups=False)
    assert len(in_python) == len(records())
    assert list(map(unplaced, of_command(base))) == in_python
    assert list(map(unplaced, over_http)) == in_python


def test_group_rewards_are_the_same(base: Path, server: str) -> None:
    in_python = of_python(base, in_groups=True)
    assert list(map(unplaced, of_command(base, "group"))) == in_python
    named = [json.loads(record) for record in records()[:-2]]
    for request in named:
        request.setdefault("task", {"group": request["id"]})
    over_http = codeslope.Client(server).grade_all(named, in_groups=True)
    assert over_http == codeslope.Grader(base).grade_all(named, in_groups=True)
    passing = json.loads(in_python[1])
    assert passing["reward"] > json.loads(of_python(base, in_groups=False)[1])["reward"]


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_threads_change_nothing(base: Path, threads: int) -> None:
    assert codeslope.Grader(base, threads=threads)._native.grade_all(records(), False) == of_python(base, False)


def test_flat_keys_are_those_of_the_server(server: str) -> None:
    client = codeslope.Client(server)
    lists = {"query": [samples.response(samples.COPY)], "prompts": [""], "labels": [{"tests": samples.PASS}]}
    answer = json.loads(client._post("/rm/lists", json.dumps(lists)))
    flat = codeslope.flat(client.grade(diff=samples.COPY, **samples.PASS))
    columns = {"reward": answer["rewards"], "score": answer["scores"], **answer["extra_logs"]}
    assert {key: column[0] for key, column in columns.items()} == flat
