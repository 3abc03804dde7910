"""A connection of the sync client, with one time limit for all of it."""

from __future__ import annotations

import socket
import ssl
import time
from types import TracebackType

from codeslope._wire import Address, Sent

#: Bytes of one read.
PART = 1 << 16


class Connection:
    """A connection. The operations of an exchange raise TimeoutError when its time is over."""

    def __init__(self, address: Address, seconds: float) -> None:
        self._until = time.monotonic() + seconds
        plain = socket.create_connection((address.host, address.port), timeout=seconds)
        self._socket: socket.socket | ssl.SSLSocket = plain
        if address.context is not None:
            try:
                plain.settimeout(self._left())
                self._socket = address.context.wrap_socket(plain, server_hostname=address.host)
            except BaseException:
                plain.close()
                raise

    def __enter__(self) -> Connection:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes it."""
        self._socket.close()

    def limit(self, seconds: float) -> None:
        """Sets the time that is left."""
        self._until = time.monotonic() + seconds

    def send(self, request: Sent) -> None:
        """Sends a request."""
        self._socket.settimeout(self._left())
        try:
            self._socket.sendall(request)
        except (BrokenPipeError, ConnectionResetError):
            # The server can refuse a large body before it has all of it. Its answer says why.
            pass

    def receive(self) -> bytes:
        """The next part of the answer. Empty at its end."""
        self._socket.settimeout(self._left())
        return self._socket.recv(PART)

    def _left(self) -> float:
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left
