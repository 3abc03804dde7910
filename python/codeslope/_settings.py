"""Address, token and limits, which the sync and the async client share."""

from __future__ import annotations

import asyncio
import ssl
import time
from typing import Any

from codeslope._tries import Tries
from codeslope._wire import Address, Broken, Call

#: Longest time without a sign of life in a stream of events, in seconds. The server gives one each 15 seconds.
SILENCE = 60.0


class Settings:
    """Address, token and limits of a client."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:8750",
        *,
        token: str | None = None,
        timeout: float = 60.0,
        patience: float = 60.0,
        retries: int = 5,
        insecure_http: bool = False,
        context: ssl.SSLContext | None = None,
    ) -> None:
        self._address = Address(url, token=token, insecure_http=insecure_http, context=context)
        self.url = self._address.url
        self.timeout = timeout
        self.patience = patience
        self.retries = retries

    def __repr__(self) -> str:
        token = ", with a token" if self._address.token else ""
        return f"<codeslope.{type(self).__name__} {self.url}{token}>"

    def _tries(self, call: Call[Any]) -> Tries:
        return Tries(self._address, call, retries=self.retries, patience=self.patience)


class Span:
    """The time of a stream. None does not end."""

    def __init__(self, seconds: float | None) -> None:
        self._until = None if seconds is None else time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self._until is not None and time.monotonic() >= self._until

    @property
    def wait(self) -> float:
        """Longest time to wait for the next sign of life."""
        left = SILENCE if self._until is None else self._until - time.monotonic()
        return max(0.0, min(SILENCE, left))


def silent(fault: BaseException) -> BaseException:
    """The fault of a stream: one that gave no sign of life did not answer late, it is lost."""
    if isinstance(fault, (TimeoutError, asyncio.TimeoutError)):
        return Broken(f"the stream of events gave no sign of life for {SILENCE:g} s")
    return fault
