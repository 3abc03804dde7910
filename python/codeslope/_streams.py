"""A connection of the async client: streams of asyncio, with one time limit for all of it."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from types import TracebackType

from codeslope._wire import Address, Sent

#: Bytes of one read.
PART = 1 << 16


class Connection:
    """A connection. The operations of an exchange raise `asyncio.TimeoutError` when its time is over."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, until: float) -> None:
        self._reader = reader
        self._writer = writer
        self._until = until
        #: The first part of the answer, which may come before all of the request is sent.
        self._first: asyncio.Future[bytes] | None = None

    @classmethod
    async def open(cls, address: Address, seconds: float) -> Connection:
        """Opens a connection."""
        until = time.monotonic() + seconds
        name = address.host if address.context is not None else None
        opening = asyncio.open_connection(address.host, address.port, ssl=address.context, server_hostname=name)
        reader, writer = await asyncio.wait_for(opening, seconds)
        return cls(reader, writer, until)

    def __enter__(self) -> Connection:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes it without waiting for the other side, which may not answer."""
        self._writer.transport.abort()
        if self._first is not None and not self._first.cancel() and not self._first.cancelled():
            # Nobody needs it any more, and asyncio reports faults that nobody has seen.
            self._first.exception()

    def limit(self, seconds: float) -> None:
        """Sets the time that is left."""
        self._until = time.monotonic() + seconds

    async def send(self, request: Sent) -> None:
        """Sends a request.

        The server can refuse a large body before it has all of it. A stream forgets what it has read when it cannot write
        any more, so the answer is read meanwhile. If the connection breaks first, the client tries again.
        """
        self._first = asyncio.ensure_future(self._reader.read(PART))
        rest = memoryview(request)
        with suppress(BrokenPipeError, ConnectionResetError):
            while rest and not self._first.done():
                self._writer.write(rest[:PART])
                rest = rest[PART:]
                # `drain` alone gives the loop no turn to read while the system takes all.
                await asyncio.sleep(0)
                await asyncio.wait_for(self._writer.drain(), self._left())

    async def receive(self) -> bytes:
        """The next part of the answer. Empty at its end."""
        part = self._reader.read(PART) if self._first is None else self._first
        self._first = None
        return await asyncio.wait_for(part, self._left())

    def _left(self) -> float:
        return max(0.0, self._until - time.monotonic())
