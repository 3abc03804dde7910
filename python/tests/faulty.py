"""Servers that fail."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

#: Answers a request by writing to its handler.
Answering = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Faulty:
    """A server that gives one answer after another, and repeats the last one."""

    url: str
    answers: list[Answering]
    #: Method, path and headers of the requests that came.
    asked: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)


def text(status: int, body: str, **headers: str) -> Answering:
    """An answer with a text."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        data = body.encode()
        handler.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(data)

    return answer


def raw(data: bytes, wait: float = 0.0, times: int = 1) -> Answering:
    """Bytes, which need not be HTTP, some times with a pause after each."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        for _ in range(times):
            handler.wfile.write(data)
            handler.wfile.flush()
            handler.server.ends.wait(wait)  # type: ignore[attr-defined]

    return answer


@contextmanager
def faulty(*answers: Answering, context: ssl.SSLContext | None = None) -> Iterator[Faulty]:
    """A server with these answers."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            server.asked.append((self.command, self.path, dict(self.headers.items())))
            answer = server.answers[min(len(server.asked), len(server.answers)) - 1]
            try:
                answer(self)
            except OSError:
                pass

        do_POST = do_GET
        do_DELETE = do_GET

        def handle(self) -> None:
            # Clients that trust nobody leave early.
            with suppress(OSError):
                super().handle()

        def log_message(self, *arguments: Any) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    http.ends = threading.Event()  # type: ignore[attr-defined]
    scheme = "http"
    if context is not None:
        scheme = "https"
        http.socket = context.wrap_socket(http.socket, server_side=True)
    server = Faulty(f"{scheme}://127.0.0.1:{http.server_port}", list(answers))
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        http.ends.set()  # type: ignore[attr-defined]
        http.shutdown()
        thread.join()
        http.server_close()
