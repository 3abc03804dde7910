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

    def limit(self, seconds: float) -> None:
        """Sets the time that is left."""
        self._until = time.monotonic() + seconds

    async def send(self, request: Sent) -> None:
        """Sends a request."""
        self._writer.write(request)
        # The server can refuse a large body before it has all of it. Its answer says why.
        with suppress(BrokenPipeError, ConnectionResetError):
            await asyncio.wait_for(self._writer.drain(), self._left())

    async def receive(self) -> bytes:
        """The next part of the answer. Empty at its end."""
        return await asyncio.wait_for(self._reader.read(PART), self._left())

    def _left(self) -> float:
        return max(0.0, self._until - time.monotonic())
