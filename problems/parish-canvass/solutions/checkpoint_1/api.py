"""The paths of the service: what each reads, asks the office for, and answers."""
from errors import Refusal
from office import Office
from questions import questions
from routing import Reply, Route, find_route
from shapes import Field, an_object, line, name, read_body, read_fields, read_parameters

FORM_FIELDS = [Field("id", name), Field("title", line), Field("questions", questions)]
ANSWERS = Field("answers", an_object)


def add_form(office, call):
    form = office.add_form(call.fields)
    return Reply(201, form, {"Location": "/forms/" + form["id"]})


def list_forms(office, _call):
    return Reply(200, {"forms": office.forms()})


def read_form(office, call):
    return Reply(200, office.form(*call.ids))


def close_form(office, call):
    return Reply(200, office.set_state(*call.ids, "closed"))


def open_form(office, call):
    return Reply(200, office.set_state(*call.ids, "open"))


def summarise(office, call):
    return Reply(200, office.summary(*call.ids))


def add_reply(office, call):
    reply = office.add_reply(*call.ids, call.fields)
    return Reply(201, reply, {"Location": "/replies/" + reply["id"]})


def list_replies(office, call):
    return Reply(200, {"replies": office.replies(*call.ids, **call.parameters)})


def read_reply(office, call):
    return Reply(200, office.reply(*call.ids))


def replace_answers(office, call):
    return Reply(200, office.replace_answers(*call.ids, call.fields["answers"]))


def remove_reply(office, call):
    office.remove_reply(*call.ids)
    return Reply(200, {"removed": call.ids[0]})


ROUTES = [
    Route("GET", "/forms", list_forms),
    Route("POST", "/forms", add_form, fields=FORM_FIELDS),
    Route("GET", "/forms/ID", read_form),
    Route("POST", "/forms/ID/close", close_form),
    Route("POST", "/forms/ID/open", open_form),
    Route("GET", "/forms/ID/summary", summarise),
    Route("GET", "/forms/ID/replies", list_replies, parameters={"by": line}),
    Route("POST", "/forms/ID/replies", add_reply, fields=[Field("by", line), ANSWERS]),
    Route("GET", "/replies/ID", read_reply),
    Route("PUT", "/replies/ID", replace_answers, fields=[ANSWERS]),
    Route("DELETE", "/replies/ID", remove_reply),
]


class Call:
    """What a handler gets to know of a request: its form is checked."""

    def __init__(self, route, ids, query, raw_body):
        self.ids = ids
        body = read_body(raw_body) if route.fields is not None else None
        self.parameters = read_parameters(query, route.parameters)
        self.fields = read_fields(route.fields, body) if route.fields is not None else {}


class Api:
    """Answers requests, each of which is kept on disk as a whole before its answer is given."""

    def __init__(self, store):
        self._store = store
        self._office = Office(store)

    def answer(self, request):
        try:
            reply = self._perform(request)
        except Refusal as refusal:
            return Reply(refusal.status, refusal.body, refusal.headers)
        self._store.commit()
        return reply

    def _perform(self, request):
        path, _, query = request.target.partition("?")
        route, ids = find_route(ROUTES, request.method, path)
        return route.handler(self._office, Call(route, ids, query, request.raw_body))
