"""Errors of a server that `slope serve` started, with their problem details (RFC 9457)."""

from __future__ import annotations

import json
import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from codeslope._client import ServerError
from codeslope._server_types import Problem

if TYPE_CHECKING:
    from codeslope._wire import Answer

#: Longest text of an answer that an error repeats, in characters.
LONGEST = 2_000


class ProblemError(ServerError):
    """The server answered a request with a problem.

    `type`, `title`, `status`, `detail` and `help` are the fields of the problem details. `code` is `status`.
    """

    def __init__(self, problem: Problem, retry_after: float | None = None) -> None:
        help = f"\nhelp: {problem['help']}" if problem["help"] else ""
        super().__init__((problem["detail"] or problem["title"]) + help, problem["status"])
        self.problem = problem
        self.type = problem["type"]
        self.title = problem["title"]
        self.status = problem["status"]
        self.detail = problem["detail"]
        self.help = problem["help"]
        #: Seconds after which the server takes the request. None if it does not say.
        self.retry_after = retry_after

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problem, self.retry_after)


class AccessError(ProblemError):
    """The token is missing, revoked, or does not allow the request (401 and 403)."""


class NotFoundError(ProblemError):
    """There is no such project, point or path (404)."""


class ConflictError(ProblemError):
    """The name is taken (409)."""


class InvalidError(ProblemError):
    """The request is not valid, or code cannot be measured (422)."""


class BusyError(ProblemError):
    """The server has too much to do, or cannot use its database now (429 and 503). `retry_after` is in seconds."""


KINDS: dict[int, type[ProblemError]] = {
    401: AccessError,
    403: AccessError,
    404: NotFoundError,
    409: ConflictError,
    422: InvalidError,
    429: BusyError,
    503: BusyError,
}


def problem_of(answer: Answer, token: str | None) -> ProblemError:
    """The error of an answer. A server that repeats the token does not bring it into a message."""
    text = answer.body.decode(errors="replace")
    if token:
        text = text.replace(token, "…")
    kind = KINDS.get(answer.status, ProblemError)
    return kind(_details(text, answer.status), retry_after(answer))


def retry_after(answer: Answer) -> float | None:
    """Seconds that an answer asks to wait."""
    found = re.fullmatch(r"\s*(\d{1,6})\s*", answer.headers.get("Retry-After") or "")
    return float(found[1]) if found else None


def _details(text: str, status: int) -> Problem:
    """The problem details in an answer, or what comes closest to them."""
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        # A proxy, or another server.
        found = {"detail": " ".join(text.split())[:LONGEST]}

    def field(name: str, otherwise: str) -> str:
        value = found.get(name)
        return _printable(value[:LONGEST]) if isinstance(value, str) else otherwise

    return {
        "type": field("type", "about:blank"),
        "title": field("title", _title(status)),
        "status": status,
        "detail": field("detail", ""),
        "help": field("help", ""),
    }


def _printable(text: str) -> str:
    """A text without characters that control a terminal."""
    return "".join(one if one.isprintable() or one == "\n" else "�" for one in text)


def _title(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return f"HTTP status {status}"
