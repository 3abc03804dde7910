"""HTTP messages as bytes, which the sync and the async client share. Nothing here opens a connection.

Each request has a connection of its own, and no redirect is followed: so the token reaches only the named server.
"""

from __future__ import annotations

import http.client
import io
import ipaddress
import json
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import Message as Headers
from typing import Any, Generic, TypeVar
from urllib.parse import SplitResult, quote, urlsplit

from codeslope._native import __version__

T = TypeVar("T")

#: Largest answer, in bytes.
MOST_BYTES = 256 << 20
#: Largest head of an answer, and longest line of an event, in bytes.
MOST_HEAD = 1 << 16
MOST_LINE = 1 << 20


class Broken(Exception):
    """No whole answer came, or it is not HTTP."""


class Secret(str):
    """A text that no `repr` shows."""

    def __repr__(self) -> str:
        return "'…'"


class Sent(bytes):
    """A request as bytes. It may contain a token, so its `repr` shows nothing of it."""

    def __repr__(self) -> str:
        return f"<request of {len(self)} bytes>"


@dataclass(frozen=True)
class Call(Generic[T]):
    """A request, and how to read its answer. `path` begins after `/api/v1/`."""

    method: str
    path: str
    read: Callable[[Any], T]
    body: bytes | None = field(default=None, repr=False)
    #: The server answers a key that it knows with the first answer.
    key: str | None = None

    @property
    def is_repeatable(self) -> bool:
        """Whether it may be sent again when nobody knows what happened to it."""
        return self.method == "GET" or self.key is not None


@dataclass(frozen=True)
class Answer:
    """An answer of a server."""

    status: int
    headers: Headers = field(repr=False)
    body: bytes = field(repr=False)


class Address:
    """Where a server is, and the token for it."""

    def __init__(
        self, url: str, *, token: str | None, insecure_http: bool = False, context: ssl.SSLContext | None = None
    ) -> None:
        parts = _checked(url)
        is_tls = parts.scheme == "https"
        name = parts.hostname or ""
        usual = 443 if is_tls else 80
        self.host = name if ":" in name else name.encode("idna").decode()
        self.port = parts.port or usual
        self._is_usual = self.port == usual
        self.path = quote(parts.path.rstrip("/"), safe="/%:@!$&'()*+,;=~")
        self.url = f"{parts.scheme}://{self.authority}{self.path}"
        self.context = (context or ssl.create_default_context()) if is_tls else None
        self.token = None if token is None else _token(token)
        if token is not None and not (is_tls or insecure_http or is_loopback(self.host)):
            raise ValueError(
                f"{self.url} would get the token without encryption\n"
                "help: use an https address, or insecure_http=True in a network that you trust"
            )

    @property
    def authority(self) -> str:
        """Host and port, as addresses and the header `Host` write them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self._is_usual else f"{host}:{self.port}"

    def __repr__(self) -> str:
        return f"Address({self.url!r})"


def _checked(url: str) -> SplitResult:
    """The parts of an address. Messages do not repeat it, because it may have a password."""
    parts = urlsplit(url)
    if "@" in parts.netloc:
        raise ValueError("the address has a user or a password\nhelp: leave them out, and give `token`")
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ValueError("expected the address of a server, for example https://slope.example.com")
    return parts


def _token(token: str) -> Secret:
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise ValueError("the token is empty, or has a character that tokens cannot have\nhelp: copy it again")
    return Secret(token)


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def request(address: Address, call: Call[Any]) -> Sent:
    """A request as bytes."""
    lines = [
        f"{call.method} {address.path}/api/v1/{call.path} HTTP/1.1",
        f"Host: {address.authority}",
        f"User-Agent: codeslope/{__version__}",
        "Accept: application/json, application/problem+json, text/event-stream",
        "Accept-Encoding: identity",
        "Connection: close",
    ]
    if address.token is not None:
        lines.append(f"Authorization: Bearer {str(address.token)}")
    if call.key is not None:
        lines.append(f"Idempotency-Key: {call.key}")
    if call.body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(call.body)}"]
    return Sent("\r\n".join([*lines, "", ""]).encode("ascii") + (call.body or b""))


class _Source:
    """Bytes that came, in the form of a socket."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw

    def makefile(self, _mode: str) -> io.BytesIO:
        return io.BytesIO(self._raw)


def _response(raw: bytes) -> http.client.HTTPResponse:
    response = http.client.HTTPResponse(_Source(raw))  # type: ignore[arg-type]
    try:
        response.begin()
    except (http.client.HTTPException, ValueError) as error:
        raise Broken(f"the answer is not HTTP ({type(error).__name__})") from None
    return response


class Incoming:
    """An answer that arrives in parts."""

    def __init__(self) -> None:
        self._raw = bytearray()
        self._whole: int | None = None
        #: Bytes of the head. 0 until it is there.
        self._head = 0
        self.status = 0
        self.headers = Headers()
        self.is_complete = False

    def feed(self, part: bytes) -> None:
        """Takes a part, which is empty at the end."""
        self._raw += part
        if not self._head:
            self._find_head()
        if len(self._raw) > MOST_BYTES:
            raise Broken(f"the answer is larger than {MOST_BYTES >> 20} MiB")
        self.is_complete = not part or (self._whole is not None and len(self._raw) >= self._whole)

    def _find_head(self) -> None:
        end = self._raw.find(b"\r\n\r\n")
        if end < 0:
            if len(self._raw) > MOST_HEAD:
                raise Broken("the answer is not HTTP (its head does not end)")
            return
        self._head = end + 4
        response = _response(bytes(self._raw[: self._head]))
        self.status, self.headers = response.status, response.msg
        # Chunks end with the connection, which the request asks to close.
        if not response.chunked and response.length is not None:
            self._whole = self._head + response.length

    @property
    def has_head(self) -> bool:
        """Whether status and headers are there."""
        return self._head > 0

    def rest(self) -> bytes:
        """What came after the head so far."""
        return bytes(self._raw[self._head :])

    def answer(self) -> Answer:
        """The answer, which is complete."""
        if not self._head:
            raise Broken("the connection ended without an answer" if not self._raw else "the answer ended early")
        response = _response(bytes(self._raw))
        try:
            body = response.read()
        except (http.client.HTTPException, ValueError):
            raise Broken("the answer ended early") from None
        return Answer(self.status, self.headers, body)


class EventReader:
    """Server-sent events that arrive in parts of a body."""

    def __init__(self, headers: Headers) -> None:
        self._chunks = _Chunks() if "chunked" in (headers.get("Transfer-Encoding") or "").lower() else None
        self._text = bytearray()
        self._data: list[str] = []

    @property
    def is_over(self) -> bool:
        """Whether the server ended the stream."""
        return self._chunks is not None and self._chunks.is_over

    def end(self) -> None:
        """Takes the end of the connection."""
        if self._chunks is not None and not self._chunks.is_over:
            raise Broken("the stream of events ended early")

    def feed(self, part: bytes) -> list[dict[str, Any]]:
        """The events that a part completes."""
        self._text += part if self._chunks is None else self._chunks.feed(part)
        *lines, rest = bytes(self._text).split(b"\n")
        self._text = bytearray(rest)
        if len(rest) > MOST_LINE:
            raise Broken("an event is too large")
        found = [self._line(line.rstrip(b"\r").decode(errors="replace")) for line in lines]
        return [event for event in found if event is not None]

    def _line(self, line: str) -> dict[str, Any] | None:
        if line.startswith("data:"):
            self._data.append(line[5:].removeprefix(" "))
        if line or not self._data:
            return None
        text, self._data = "\n".join(self._data), []
        try:
            event = json.loads(text)
        except ValueError:
            event = None
        if not isinstance(event, dict):
            raise Broken("an event is not a JSON object")
        return event


class _Chunks:
    """The encoding `chunked`, in parts."""

    def __init__(self) -> None:
        self._raw = bytearray()
        self.is_over = False

    def feed(self, part: bytes) -> bytes:
        """The contents that a part completes."""
        self._raw += part
        found = bytearray()
        while not self.is_over and (at := self._raw.find(b"\r\n")) >= 0:
            size = self._size(at)
            end = at + 2 + size
            if len(self._raw) < end + 2:
                break
            found += self._raw[at + 2 : end]
            del self._raw[: end + 2]
            self.is_over = size == 0
        return bytes(found)

    def _size(self, at: int) -> int:
        text = bytes(self._raw[:at]).split(b";")[0].strip()
        try:
            size = int(text, 16)
        except ValueError:
            size = -1
        if not 0 <= size <= MOST_BYTES:
            raise Broken("the answer is not HTTP (a chunk has no size)")
        return size
