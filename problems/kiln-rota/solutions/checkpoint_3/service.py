"""Answers requests, and keeps those that changed something in the journal."""
import json

from api import ROUTES
from errors import Refusal
from fields import parse_object, read_fields, read_parameters
from journal import Journal
from routing import Call, Reply, Request, find_route
from studio import Studio


def perform(studio, request):
    """Does one request; what is refused has changed nothing."""
    try:
        route, thing_id = find_route(ROUTES, request)
        body = {} if route.fields is None else parse_object(request.raw_body)
        parameters = read_parameters(request.parameters, route.parameters)
        fields = read_fields(body, route.fields or [])
        return route.handler(studio, Call(thing_id, fields, parameters))
    except Refusal as refusal:
        return Reply(refusal.status, refusal.body)


class Service:
    def __init__(self, folder):
        self._studio = Studio()
        self._journal = Journal(folder)
        for method, path, text in self._journal.entries():
            perform(self._studio, Request(method, path, {}, text.encode()))

    def answer(self, request):
        reply = perform(self._studio, request)
        if reply.status < 300 and request.method != "GET":
            text = request.raw_body.decode("utf-8", "replace")
            self._journal.append([request.method, request.path, text])
        return reply


def to_bytes(reply):
    return json.dumps(reply.body).encode()
