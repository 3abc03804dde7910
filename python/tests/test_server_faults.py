"""The clients of `slope serve` against servers that fail. Both have the same tests."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
import subprocess
import threading
import time
import traceback
from pathlib import Path
from typing import Any

import pytest

import codeslope
from codeslope import _settings, _wire

import samples
from faulty import faulty, raw, text
from test_server import Waiting

TOKEN = "a-very-secret-token"
HEALTH = text(200, '{"status":"ok","version":"1","database":"sqlite"}')
BUSY = text(503, '{"type":"about:blank","title":"Busy","status":503,"detail":"locked","help":"wait"}')
MANY = text(429, '{"detail":"too many requests","help":"wait"}', Retry_After="1")
HALF = raw(b'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"status"')
POINT = samples.point(1)


@pytest.fixture(params=[codeslope.Server, Waiting])
def kind(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def refused() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


def test_busy_servers_are_asked_again(kind: Any) -> None:
    added = text(200, '{"results":[{"series":"main","key":"iteration-1","outcome":"stored"}]}')
    with faulty(BUSY, HALF, raw(b""), added) as server:
        assert kind(server.url).push("shop", [POINT])[0]["outcome"] == "stored"
        keys = {headers["Idempotency-Key"] for _, _, headers in server.asked}
    assert (len(server.asked), len(keys)) == (4, 1), "tries of one call have one key"
    with faulty(added) as server:
        for _ in range(2):
            kind(server.url).push("shop", [POINT])
        assert server.asked[0][2]["Idempotency-Key"] != server.asked[1][2]["Idempotency-Key"]


def test_servers_say_when_to_return(kind: Any) -> None:
    with faulty(MANY, HEALTH) as server:
        began = time.monotonic()
        assert kind(server.url).health()["status"] == "ok"
        assert 1.0 <= time.monotonic() - began < 4
    with faulty(text(429, "{}", Retry_After="3600")) as server:
        with pytest.raises(codeslope.BusyError) as raised:
            kind(server.url).health()
        assert (raised.value.retry_after, raised.value.status, len(server.asked)) == (3600.0, 429, 1)
    for wrong in ("-1", "nan", "1e9", "soon", "9" * 400):
        with faulty(text(503, "{}", Retry_After=wrong)) as server:
            with pytest.raises(codeslope.BusyError) as raised:
                kind(server.url, retries=0).health()
            assert raised.value.retry_after is None


def test_tries_have_limits(kind: Any) -> None:
    with faulty(BUSY) as server:
        with pytest.raises(codeslope.BusyError, match="locked\nhelp: wait"):
            kind(server.url, retries=2).health()
        assert len(server.asked) == 3
        with pytest.raises(codeslope.BusyError):
            kind(server.url, patience=0).health()
        assert len(server.asked) == 4


def test_other_answers_are_final(kind: Any) -> None:
    with faulty(text(500, "{}")) as server:
        with pytest.raises(codeslope.ProblemError) as raised:
            kind(server.url).health()
        assert (raised.value.status, raised.value.title, len(server.asked)) == (500, "Internal Server Error", 1)
    with faulty(text(418, '{"detail": "a\\u001b[2Jb", "help": 7}'), text(599, "<h1>Bad gateway</h1>")) as server:
        with pytest.raises(codeslope.ProblemError) as raised:
            kind(server.url).health()
        assert (str(raised.value), raised.value.help) == ("a�[2Jb", "")
        with pytest.raises(codeslope.ProblemError, match="Bad gateway") as raised:
            kind(server.url).health()
        assert (raised.value.type, raised.value.title) == ("about:blank", "HTTP status 599")


def test_tokens_are_made_once(kind: Any) -> None:
    for answer, error in ((BUSY, codeslope.BusyError), (HALF, codeslope.ServerError)):
        with faulty(answer) as server:
            with pytest.raises(error):
                kind(server.url).add_token("shop", "read")
            with pytest.raises(error):
                kind(server.url).revoke_token("shop", "a/b")
            (made, _, headers), (revoked, path, _) = server.asked
        assert (made, revoked, path) == ("POST", "DELETE", "/api/v1/projects/shop/tokens/a%2Fb")
        assert "Idempotency-Key" not in headers


def test_absent_servers_are_named(kind: Any, refused: str) -> None:
    began = time.monotonic()
    with pytest.raises(codeslope.ServerError, match=rf"could not reach {refused}: .*\nhelp: ") as raised:
        kind(refused, patience=0.5).health()
    assert raised.value.code is None
    assert 0.1 < time.monotonic() - began < 5
    with pytest.raises(codeslope.ServerError, match="could not reach"):
        kind("http://no.such.host.invalid", patience=0).health()


def test_late_servers_are_awaited(kind: Any, refused: str, tmp_path: Path) -> None:
    found: list[Any] = []
    client = kind(refused, retries=100)
    ask = threading.Thread(target=lambda: found.append(client.health()))
    ask.start()
    time.sleep(0.3)
    with samples.tracking(tmp_path, port=int(refused.rpartition(":")[2])):
        ask.join(30)
    assert found[0]["status"] == "ok"


def test_slow_servers_end_in_time(kind: Any) -> None:
    # A byte from time to time does not make an answer longer.
    for answer in (raw(b"", 60), raw(b"x", 0.1, 600), raw(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", 60)):
        with faulty(answer) as server:
            began = time.monotonic()
            with pytest.raises(codeslope.ServerError, match="in time\nhelp: give a longer `timeout`"):
                kind(server.url, timeout=0.5).health()
            assert time.monotonic() - began < 3
            assert len(server.asked) == 1


@pytest.mark.parametrize(
    "answer",
    [
        text(200, "<h1>Welcome</h1>"),
        text(200, '{"results": [}'),
        text(200, "[" * 100_000),
        text(200, "[]"),
        text(200, ""),
        text(200, '"\ufffd"'),
    ],
)
def test_other_documents_are_reported(kind: Any, answer: Any) -> None:
    for ask in (lambda it: it.health(), lambda it: it.push("shop", [POINT]), lambda it: it.projects()):
        with faulty(answer) as server, pytest.raises(codeslope.ServerError, match="something else.*\nhelp: "):
            ask(kind(server.url))


@pytest.mark.parametrize(
    "data",
    [
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
        b"HTTP/1.1 999999 Odd\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 200 + b"\r\n",
        b"x" * 100_000,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n",
        b"\x16\x03\x01\x00\x01",
    ],
)
def test_broken_answers_are_reported(kind: Any, data: bytes) -> None:
    with faulty(raw(data)) as server, pytest.raises(codeslope.ServerError, match="answer.*\nhelp: "):
        kind(server.url, retries=0).health()


def test_answers_have_a_limit(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_wire, "MOST_BYTES", 1 << 20)
    head = b"HTTP/1.1 200 OK\r\n\r\n"
    with faulty(raw(head + b" " * (2 << 20))) as server:
        with pytest.raises(codeslope.ServerError, match="larger than 1 MiB"):
            kind(server.url, retries=0).health()


def test_redirects_keep_the_token_here(kind: Any) -> None:
    with faulty(HEALTH) as other:
        for status in (301, 302, 307, 308):
            with faulty(text(status, "", Location=f"{other.url}/?{TOKEN}")) as server:
                with pytest.raises(codeslope.ServerError, match="redirects to") as raised:
                    kind(server.url, token=TOKEN).health()
                assert server.asked[0][2]["Authorization"] == f"Bearer {TOKEN}"
            assert TOKEN not in str(raised.value)
        assert other.asked == []


def test_tokens_are_never_shown(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
    caplog.set_level(logging.DEBUG)
    with faulty(text(500, f"you sent {TOKEN}"), text(400, f'{{"detail":"{TOKEN}"}}'), HALF) as server:
        for kind in (codeslope.Server, Waiting):
            client = kind(server.url, token=TOKEN, retries=0)
            for _ in range(3):
                with pytest.raises(codeslope.ServerError) as raised:
                    client.health()
                trace = raised.value.__traceback__
                assert trace is not None
                frames = traceback.StackSummary.extract(traceback.walk_tb(trace.tb_next), capture_locals=True)
                assert TOKEN not in "".join(frames.format())
                assert TOKEN not in repr(raised.value) + repr(vars(raised.value))
    server_repr = repr(codeslope.Server("http://localhost:1", token=TOKEN))
    assert server_repr == "<codeslope.Server http://localhost:1, with a token>"
    assert TOKEN not in repr(vars(codeslope.Server("http://localhost:1", token=TOKEN)))
    assert TOKEN not in caplog.text + str(capfd.readouterr())


def test_addresses_are_checked() -> None:
    with pytest.raises(ValueError, match="without encryption\nhelp: use an https"):
        codeslope.Server("http://slope.example.com", token=TOKEN)
    for url in ("http://127.0.0.1:1", "http://[::1]:1", "http://a.localhost", "https://slope.example.com"):
        codeslope.Server(url, token=TOKEN)
    codeslope.Server("http://slope.example.com", token=TOKEN, insecure_http=True)
    assert codeslope.Server("https://bücher.example/a b/").url == "https://xn--bcher-kva.example/a%20b"
    with pytest.raises(ValueError, match="user or a password") as raised:
        codeslope.Server("https://me:hunter2@slope.example.com")
    assert "hunter2" not in str(raised.value)
    for url in ("slope.example.com", "ftp://slope.example.com", "http://", "http://a?b", "http://a:99999"):
        with pytest.raises(ValueError):
            codeslope.Server(url)
    for token in ("", "a b", "a\r\nX: y", "ä", "a\0"):
        with pytest.raises(ValueError, match="token") as raised:
            codeslope.Server("http://127.0.0.1:1", token=token)
        assert not token or repr(token) not in str(raised.value)


def test_certificates_are_checked(kind: Any, tmp_path: Path) -> None:
    files = [str(tmp_path / "key.pem"), str(tmp_path / "certificate.pem")]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    command += ["-addext", "subjectAltName=DNS:localhost", "-keyout", files[0], "-out", files[1]]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    own = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    own.load_cert_chain(files[1], files[0])
    trusting = ssl.create_default_context(cafile=files[1])
    with faulty(HEALTH, context=own) as server:
        url = server.url.replace("127.0.0.1", "localhost")
        assert kind(url, token=TOKEN, context=trusting).health()["status"] == "ok"
        with pytest.raises(codeslope.ServerError, match="certificate verify failed"):
            kind(url, token=TOKEN).health()
        assert len(server.asked) == 1, "a wrong certificate is final, and gets no token"
    with faulty(HEALTH) as server, pytest.raises(codeslope.ServerError, match="could not reach"):
        kind(server.url.replace("http:", "https:"), retries=0).health()


STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def test_events_are_read_in_any_parts(kind: Any) -> None:
    data = b': hello\r\n\r\nevent: point\ndata: {"kind":\ndata:"point"}\n\ndata: {"kind": "\xc3\xa4"}\n\n'
    whole = STREAM + b"".join(chunk(data[at : at + 7]) for at in range(0, len(data), 7)) + b"0\r\n\r\n"
    for size in (1, 3, 50, len(whole)):
        parts = [whole[at : at + size] for at in range(0, len(whole), size)]

        def answer(handler: Any, parts: list[bytes] = parts) -> None:
            for part in parts:
                handler.wfile.write(part)

        with faulty(BUSY, answer) as server:
            assert list(kind(server.url).events("shop")) == [{"kind": "point"}, {"kind": "ä"}]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (chunk(b"data: {}\n\n")[:-4], "ended early"),
        (chunk(b"data: [\n\n"), "not a JSON object"),
        (chunk(b"data: 7\n\n"), "not a JSON object"),
        (chunk(b"x" * (2 << 20)), "too large"),
        (b"-5\r\n", "no size"),
    ],
)
def test_broken_events_are_reported(kind: Any, data: bytes, said: str) -> None:
    with faulty(raw(STREAM + data)) as server, pytest.raises(codeslope.ServerError, match=said):
        list(kind(server.url).events("shop"))


def test_silent_events_end(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_settings, "SILENCE", 0.3)
    with faulty(raw(STREAM, 60)) as server, pytest.raises(codeslope.ServerError, match="no sign of life"):
        list(kind(server.url).events("shop"))


def test_cancelled_requests_end(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask(url: str) -> float:
        began = time.monotonic()
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(codeslope.AsyncServer(url).health(), 0.2)
        return time.monotonic() - began

    with faulty(raw(b"", 60)) as server:
        assert asyncio.run(ask(server.url)) < 2
