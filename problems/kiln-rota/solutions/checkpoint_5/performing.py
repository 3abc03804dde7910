"""Does one request after another, in the studio or in a copy of it."""
import copy
import json

from api import ROUTES
from errors import Refusal
from fields import Field, is_object, is_request, list_of, parse_object, read_fields, read_parameters
from routing import Call, Reply, Route, find_route, make_request

STEP_FIELDS = [Field("send", is_request), Field("body", is_object, None)]
WHAT_IF_FIELDS = [Field("steps", list_of(1, 20, STEP_FIELDS))]


def perform(studio, request):
    """Does a request as it came in."""
    return _perform(ALL_ROUTES, studio, request)


def _perform(routes, studio, request):
    """Does a request; what is refused has changed nothing."""
    try:
        route, thing_id = find_route(routes, request)
        body = {} if route.fields is None else parse_object(request.raw_body)
        parameters = read_parameters(request.parameters, route.parameters)
        fields = read_fields(body, route.fields or [])
        return route.handler(studio, Call(thing_id, fields, parameters))
    except Refusal as refusal:
        return Reply(refusal.status, refusal.body)


def what_if(studio, call):
    """Tries the steps in a copy, which is forgotten."""
    trial = copy.deepcopy(studio)
    replies = [_perform(ROUTES, trial, _request_of(step)) for step in call.fields["steps"]]
    return Reply(200, {
        "now": trial.now,
        "results": [{"status": reply.status, "body": reply.body} for reply in replies],
        "history": trial.history[len(studio.history):],
    }, is_trial=True)


def _request_of(step):
    method, target = step["send"].split(" ")
    raw_body = json.dumps(step["body"]).encode() if "body" in step else b""
    return make_request(method, target, raw_body)


ALL_ROUTES = ROUTES + [Route("POST", "/what-if", what_if, WHAT_IF_FIELDS)]
