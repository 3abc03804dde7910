"""When a request is sent again, and what its answer means."""

from __future__ import annotations

import asyncio
import json
import random
import ssl
import time
from typing import Any, TypeVar

from codeslope._client import ServerError
from codeslope._problems import problem_of, retry_after
from codeslope._wire import Address, Answer, Broken, Call

T = TypeVar("T")

#: First and longest time between two tries, in seconds.
FIRST_WAIT = 0.2
LONGEST_WAIT = 5.0
#: Statuses of a server that takes the same request later.
BUSY = (429, 503)

#: Faults of connections. `asyncio.TimeoutError` is a kind of its own before Python 3.11.
FAULTS = (OSError, Broken, asyncio.TimeoutError)


class Tries:
    """The tries of one call. At most `retries` follow the first one, and none begins after `patience` seconds."""

    def __init__(self, address: Address, call: Call[Any], *, retries: int, patience: float) -> None:
        self._address = address
        self._call = call
        self._left = retries if call.is_repeatable else 0
        self._until = time.monotonic() + patience
        self._wait = FIRST_WAIT

    def after_fault(self, fault: BaseException) -> float:
        """The time to wait after a fault, in seconds. Raises an error after the last try."""
        is_final = isinstance(fault, (TimeoutError, asyncio.TimeoutError, ssl.SSLCertVerificationError))
        wait = None if is_final else self._next(None)
        if wait is None:
            raise error_of(self._address, fault) from None
        return wait

    def after(self, answer: Answer) -> float | None:
        """The time to wait after an answer; None if the server took the request. Raises an error after the last try."""
        if 200 <= answer.status < 300:
            return None
        if 300 <= answer.status < 400:
            raise _redirected(self._address, answer)
        wait = self._next(retry_after(answer)) if answer.status in BUSY else None
        if wait is None:
            raise problem_of(answer, self._address.token)
        return wait

    def _next(self, asked: float | None) -> float | None:
        """The time before the next try, at least what the server asks for. None if there is no other try."""
        if self._left <= 0:
            return None
        # Clients that failed together do not come back together.
        wait = max(asked or 0.0, self._wait * random.uniform(0.5, 1.0))
        if time.monotonic() + wait > self._until:
            return None
        self._left -= 1
        self._wait = min(self._wait * 2, LONGEST_WAIT)
        return wait


def read(address: Address, call: Call[T], answer: Answer) -> T:
    """The document in an answer."""
    try:
        return call.read(json.loads(answer.body) if answer.body else None)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ServerError(
            f"{address.url} answered {call.method} {call.path} with something else than expected\n"
            "help: check that the address is that of `slope serve`, and that both have the same version",
            answer.status,
        ) from None


def error_of(address: Address, fault: BaseException) -> ServerError:
    """The error of a fault of a connection."""
    return ServerError(_said(address, fault))


def _said(address: Address, fault: BaseException) -> str:
    if isinstance(fault, (TimeoutError, asyncio.TimeoutError)):
        return f"{address.url} did not answer in time\nhelp: give a longer `timeout`, or send less"
    if isinstance(fault, Broken):
        return f"{address.url}: {fault}\nhelp: check that the address is that of `slope serve`, and send it again"
    if isinstance(fault, (BrokenPipeError, ConnectionResetError)):
        return f"{address.url} ended the connection: {fault}\nhelp: send it again, or send less"
    return f"could not reach {address.url}: {fault}\nhelp: check the address, and that `slope serve` runs there"


def _redirected(address: Address, answer: Answer) -> ServerError:
    where = (answer.headers.get("Location") or "nowhere")[:200]
    if address.token:
        where = where.replace(address.token, "…")
    return ServerError(
        f"{address.url} redirects to {where!r}\n"
        "help: give the address of the server itself; redirects are not followed, so that the token goes nowhere else",
        answer.status,
    )
