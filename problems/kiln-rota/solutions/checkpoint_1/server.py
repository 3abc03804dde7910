"""HTTP around the service: one request is answered at a time, however many come in."""
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from routing import Request
from service import to_bytes


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port, service):
        super().__init__(("127.0.0.1", port), Handler)
        self._service = service
        self._lock = threading.Lock()

    def answer(self, request):
        with self._lock:
            return self._service.answer(request)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def _handle(self):
        target = urlsplit(self.path)
        parameters = dict(parse_qsl(target.query, keep_blank_values=True))
        raw_body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        request = Request(self.command, target.path, parameters, raw_body)
        self._send(self.server.answer(request))

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _handle

    def _send(self, reply):
        payload = to_bytes(reply)
        self.send_response(reply.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, *_):
        """Says nothing: standard error is for faults."""


def serve(port, service):
    Server(port, service).serve_forever()
