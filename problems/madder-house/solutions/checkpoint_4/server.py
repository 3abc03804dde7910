"""HTTP around the house. Each connection has a thread of its own."""
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from routes import Request, answer


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port, house):
        super().__init__(("127.0.0.1", port), Handler)
        self.house = house


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def _handle(self):
        target = urlsplit(self.path)
        raw_body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        status, body = answer(self.server.house, Request(self.command, target.path, target.query, raw_body))
        payload = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _handle

    def log_message(self, *_):
        """Says nothing: standard error is for faults."""


def serve(port, house):
    Server(port, house).serve_forever()
