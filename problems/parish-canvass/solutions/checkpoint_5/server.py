"""HTTP around the service: one request is answered at a time, however many come in."""
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from routing import Request


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port, api):
        super().__init__(("127.0.0.1", port), Handler)
        self._api = api
        self._lock = threading.Lock()

    def answer(self, request):
        with self._lock:
            return self._api.answer(request)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def _handle(self):
        raw_body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self._send(self.server.answer(Request(self.command, self.path, raw_body)))

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _handle

    def _send(self, reply):
        payload = json.dumps(reply.body).encode()
        self.send_response(reply.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, *_):
        """Says nothing: standard error is for faults."""


def serve(port, api):
    Server(port, api).serve_forever()
