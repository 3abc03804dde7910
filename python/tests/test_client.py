"""The client, against real servers."""

from __future__ import annotations

import io
import re
import socket
import tarfile
import threading
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import codeslope
from codeslope import _client

import samples


def test_client_and_grader_agree(grader: codeslope.Grader, server: str) -> None:
    client = codeslope.Client(server)
    for diff in (samples.GOOD, samples.COPY, samples.UNFIT, ""):
        assert client.grade(diff=diff, **samples.PASS) == grader.grade(diff=diff, **samples.PASS)


def test_large_batches_keep_their_order(server: str) -> None:
    requests = [codeslope.grade_request(diff=samples.GOOD, id=str(at), **samples.PASS) for at in range(2_500)]
    assert [grade["id"] for grade in codeslope.Client(server).grade_all(requests)] == [str(at) for at in range(2_500)]
    assert codeslope.Client(server).grade_all([]) == []


def test_busy_server_answers_all(base: Path) -> None:
    with samples.serving(base, "--queue", "1") as url:
        codeslope.Client(url).wait()
        edits = [samples.COPY.replace("good", f"good{at}") for at in range(60)]
        with ThreadPoolExecutor(6) as pool:
            grades = list(pool.map(lambda diff: codeslope.Client(url).grade(diff=diff, **samples.PASS), edits))
        metrics = urllib.request.urlopen(f"{url}/metrics").read().decode()
    assert [grade["reward"] for grade in grades] == [pytest.approx(0.9)] * 60
    refused = re.search(r'http_answers_total\{[^}]*"429"[^}]*\} (\d+)', metrics)
    assert refused and int(refused[1]) > 0, metrics


def test_batch_over_the_queue_is_split(base: Path) -> None:
    with samples.serving(base, "--queue", "2") as url:
        client = codeslope.Client(url, patience=5)
        requests = [codeslope.grade_request(diff=samples.GOOD, id=str(at), **samples.PASS) for at in range(7)]
        assert [grade["id"] for grade in client.grade_all(requests)] == [str(at) for at in range(7)]
        with pytest.raises(codeslope.ServerError, match="at most 2 edits") as raised:
            client.grade_all(requests[:3], in_groups=True)
    assert raised.value.code == 413


def test_parts_have_limits_in_characters() -> None:
    lines = ["a" * 40, "b" * 70, "c" * 30, "d" * 200]
    parts = list(_client.parts(lines, most=2, characters=100))
    assert parts == [lines[:1], lines[1:3], lines[3:]]


def test_half_characters_are_graded(grader: codeslope.Grader, server: str) -> None:
    diff = samples.GOOD + "\ud83d"
    assert codeslope.diff_in(f"Here:\n\ud83d\n{samples.GOOD}") == samples.GOOD
    assert codeslope.Client(server).grade(diff=diff, **samples.PASS) == grader.grade(diff=diff, **samples.PASS)


def test_client_waits_for_a_late_server(base: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    found: list[codeslope.Grade] = []
    client = codeslope.Client(f"http://127.0.0.1:{port}", patience=60)
    ask = threading.Thread(target=lambda: found.extend(client.grade_all([codeslope.grade_request(diff=samples.GOOD)])))
    ask.start()
    with samples.serving(base, port=port):
        ask.join(60)
    assert found[0]["quality"] == 1.0


def test_absent_server_is_named() -> None:
    with pytest.raises(codeslope.ServerError, match=r"could not reach http://127\.0\.0\.1:1"):
        codeslope.Client("http://127.0.0.1:1", patience=0.2).grade(diff="")


def test_token_is_sent(base: Path, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("secret\n")
    with samples.serving(base, "--token-file", str(tmp_path / "token")) as url:
        with pytest.raises(codeslope.ServerError, match="token") as raised:
            codeslope.Client(url).grade(diff="")
        assert raised.value.code == 401
        assert codeslope.Client(url, token="secret").grade(diff=samples.GOOD, **samples.PASS)["reward"] == 1.0


def test_archives_become_bases(base: Path) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        archive.add(base, "shop-1.0")
    with samples.serving(base) as url:
        client = codeslope.Client(url)
        client.wait()
        client.add_base(packed.getvalue(), name="packed & named", strip=1)
        assert [described["name"] for described in client.bases()] == ["packed & named", "shop"]
        assert client.grade(diff=samples.GOOD, base="packed & named", **samples.PASS)["reward"] == 1.0


def test_bad_requests_name_the_field(server: str) -> None:
    with pytest.raises(codeslope.ServerError, match="help:") as raised:
        codeslope.Client(server).grade(diff="", base="unknown")
    assert raised.value.code == 404
