"""Answers requests, and keeps those that changed something in the journal."""
import json

from journal import Journal
from performing import perform
from routing import Request
from studio import Studio


class Service:
    def __init__(self, folder):
        self._studio = Studio()
        self._journal = Journal(folder)
        for method, path, text in self._journal.entries():
            perform(self._studio, Request(method, path, {}, text.encode()))

    def answer(self, request):
        reply = perform(self._studio, request)
        if reply.status < 300 and request.method != "GET" and not reply.is_trial:
            text = request.raw_body.decode("utf-8", "replace")
            self._journal.append([request.method, request.path, text])
        return reply


def to_bytes(reply):
    return json.dumps(reply.body).encode()
