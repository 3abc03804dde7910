"""Grades from a server that `slope grade serve` started."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable, Iterator
from typing import Any

from codeslope._grader import chosen
from codeslope._types import Grade, Request


class ServerError(RuntimeError):
    """The server refused a request, or cannot be reached."""

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code


class Client:
    """Asks a server for grades. It waits and tries again while the server is busy or not there yet.

    `token` is the server's token. `timeout` is the time in seconds for one answer, `patience` that for all tries.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8917",
        *,
        token: str | None = None,
        timeout: float = 60.0,
        patience: float = 300.0,
    ) -> None:
        self.url = url.rstrip("/")
        self.token = token
        self.timeout = timeout
        self.patience = patience
        self._is_ready = False

    def wait(self) -> None:
        """Waits until the bases that the server was started with are open. The first grade waits by itself."""
        if not self._is_ready:
            self._send("GET", "/readyz", None)
            self._is_ready = True

    def grade(self, request: Request | None = None, **edit: Any) -> Grade:
        """The grade of a request, or of an edit as `grade_request` takes it."""
        grade: Grade = json.loads(self._post("/v1/score", json.dumps(chosen(request, edit))))
        return grade

    def grade_all(self, requests: Iterable[Request], *, in_groups: bool = False) -> list[Grade]:
        """The grades of requests in their order. With `in_groups`, rewards are set by `task.group`."""
        requests = list(requests)
        if in_groups:
            return json.loads(self._post("/v1/group", json.dumps(requests))) if requests else []
        return list(self._batches(requests))

    def _batches(self, requests: list[Request]) -> Iterator[Grade]:
        for lines in parts([json.dumps(request) for request in requests]):
            yield from self._batch(lines)

    def _batch(self, lines: list[str]) -> Iterator[Grade]:
        try:
            grades = self._post("/v1/score:batch?order=input", "\n".join(lines)).splitlines()
        except ServerError as error:
            if error.code != 413 or len(lines) == 1:
                raise
            # The server has a small queue, or takes small bodies.
            middle = len(lines) // 2
            yield from self._batch(lines[:middle])
            yield from self._batch(lines[middle:])
        else:
            yield from map(json.loads, grades)

    def bases(self) -> list[dict[str, Any]]:
        """The bases that are open."""
        found: list[dict[str, Any]] = json.loads(self._send("GET", "/v1/bases", None))["bases"]
        return found

    def add_base(self, archive: bytes, *, name: str | None = None, strip: int = 0) -> dict[str, Any]:
        """Adds a base from a tar archive."""
        query = f"?strip={strip}"
        if name is not None:
            query += "&name=" + urllib.parse.quote(name)
        described: dict[str, Any] = json.loads(self._send("POST", f"/v1/bases{query}", archive))
        return described

    def _post(self, path: str, text: str) -> str:
        # A server that is still opening its bases has no grades for a batch.
        self.wait()
        return self._send("POST", path, text.encode())

    def _send(self, method: str, path: str, body: bytes | None) -> str:
        headers = {"Content-Type": "application/octet-stream"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        until = time.monotonic() + self.patience
        wait = 0.1
        while True:
            message = urllib.request.Request(self.url + path, data=body, method=method, headers=headers)
            try:
                with urllib.request.urlopen(message, timeout=self.timeout) as answer:
                    body_of_answer: bytes = answer.read()
                    return body_of_answer.decode()
            except urllib.error.HTTPError as error:
                text = error.read().decode(errors="replace")
                if error.code not in (429, 503) or time.monotonic() > until:
                    raise ServerError(said(text) or str(error), error.code) from None
                wait = float(error.headers.get("Retry-After") or wait)
            except (urllib.error.URLError, ConnectionError, TimeoutError) as error:
                if time.monotonic() > until:
                    raise ServerError(f"could not reach {self.url}: {error}") from None
            time.sleep(min(wait, 5.0, max(0.0, until - time.monotonic())))
            wait = min(wait * 2, 5.0)


def parts(lines: list[str], most: int = 1_000, characters: int = 32 << 20) -> Iterator[list[str]]:
    """Lines in parts that a server takes at once."""
    part: list[str] = []
    size = 0
    for line in lines:
        if part and (len(part) == most or size + len(line) > characters):
            yield part
            part, size = [], 0
        part.append(line)
        size += len(line)
    if part:
        yield part


def said(text: str) -> str:
    """What an error of the server says, with its remedy."""
    try:
        fault = json.loads(text)["error"]
        return f"{fault['message']}\nhelp: {fault['help']}"
    except (ValueError, KeyError, TypeError):
        return text
