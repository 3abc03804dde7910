"""The paths of the service: what each reads, asks the office for, and answers."""
from edits import edits
from errors import Refusal
from office import Office
from questions import questions
from routing import Reply, Route, find_route
from shapes import (ABSENT, Field, an_object, digits, flag, line, name, one_of, read_body,
                    read_fields, read_parameters, whole)

FORM_FIELDS = [Field("id", name), Field("title", line), Field("questions", questions)]
EDIT_FIELDS = [Field("revision", whole(0, 1000000)), Field("edits", edits)]
ANSWERS = Field("answers", an_object)
REPLY_FIELDS = [Field("by", line), ANSWERS, Field("send", flag, True)]
REPLY_PARAMETERS = {"by": line, "state": one_of("begun", "sent"), "edition": digits,
                    "as": digits}
MOVE_FIELDS = [Field("edition", whole(1, 999999), ABSENT)]
SUMMARY_PARAMETERS = {"edition": digits, "all": one_of("true", "false")}


def add_form(office, call):
    form_id = call.fields["id"]
    office.forms.add(call.fields)
    return Reply(201, office.form(form_id), {"Location": "/forms/" + form_id})


def list_forms(office, _call):
    return Reply(200, {"forms": office.list_forms()})


def read_form(office, call):
    return Reply(200, office.form(*call.ids))


def close_form(office, call):
    office.forms.set_state(*call.ids, "closed")
    return read_form(office, call)


def open_form(office, call):
    office.forms.set_state(*call.ids, "open")
    return read_form(office, call)


def list_editions(office, call):
    return Reply(200, {"editions": office.list_editions(*call.ids)})


def read_edition(office, call):
    return Reply(200, office.forms.edition_named(*call.ids))


def read_draft(office, call):
    return Reply(200, office.forms.draft(*call.ids))


def edit_draft(office, call):
    return Reply(200, office.forms.edit(*call.ids, **call.fields))


def publish(office, call):
    edition = office.forms.publish(*call.ids)
    path = "/forms/%s/editions/%d" % (call.ids[0], edition["edition"])
    return Reply(201, edition, {"Location": path})


def summarise(office, call):
    takes_all = call.parameters.get("all") == "true"
    return Reply(200, office.summary(*call.ids, call.parameters.get("edition"), takes_all))


def reply_shown(office, reply, status=200, **headers):
    return Reply(status, office.replies.shown(reply), headers)


def add_reply(office, call):
    reply = office.replies.add(*call.ids, call.fields)
    return reply_shown(office, reply, 201, Location="/replies/" + reply["id"])


def list_replies(office, call):
    wanted = dict(call.parameters)
    edition = wanted.pop("as", None)
    if edition:
        return Reply(200, {"replies": office.seen_replies(*call.ids, edition, wanted)})
    replies = office.replies.of(*call.ids, **wanted)
    return Reply(200, {"replies": [office.replies.shown(reply) for reply in replies]})


def read_reply(office, call):
    reply = office.replies.get(*call.ids)
    if "edition" in call.parameters:
        return Reply(200, office.replies.seen(reply, call.parameters["edition"]))
    return reply_shown(office, reply)


def replace_answers(office, call):
    return reply_shown(office, office.replies.replace_answers(*call.ids, **call.fields))


def change_answers(office, call):
    return reply_shown(office, office.replies.change_answers(*call.ids, **call.fields))


def send_reply(office, call):
    return reply_shown(office, office.replies.send(*call.ids))


def move_reply(office, call):
    moved, lost = office.replies.move(*call.ids, **call.fields)
    return Reply(200, {**office.replies.shown(moved), "lost": lost})


def remove_reply(office, call):
    office.replies.remove(*call.ids)
    return Reply(200, {"removed": call.ids[0]})


ROUTES = [
    Route("GET", "/forms", list_forms),
    Route("POST", "/forms", add_form, fields=FORM_FIELDS),
    Route("GET", "/forms/ID", read_form),
    Route("POST", "/forms/ID/close", close_form),
    Route("POST", "/forms/ID/open", open_form),
    Route("GET", "/forms/ID/editions", list_editions),
    Route("GET", "/forms/ID/editions/N", read_edition),
    Route("GET", "/forms/ID/draft", read_draft),
    Route("POST", "/forms/ID/edits", edit_draft, fields=EDIT_FIELDS),
    Route("POST", "/forms/ID/publish", publish),
    Route("GET", "/forms/ID/summary", summarise, parameters=SUMMARY_PARAMETERS),
    Route("GET", "/forms/ID/replies", list_replies, parameters=REPLY_PARAMETERS),
    Route("POST", "/forms/ID/replies", add_reply, fields=REPLY_FIELDS),
    Route("GET", "/replies/ID", read_reply, parameters={"edition": digits}),
    Route("PUT", "/replies/ID", replace_answers, fields=[ANSWERS]),
    Route("PATCH", "/replies/ID", change_answers, fields=[ANSWERS]),
    Route("DELETE", "/replies/ID", remove_reply),
    Route("POST", "/replies/ID/send", send_reply),
    Route("POST", "/replies/ID/move", move_reply, fields=MOVE_FIELDS),
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
