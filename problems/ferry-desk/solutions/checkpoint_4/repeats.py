"""Requests that carry a key are done once, however often they come."""
import json
import re

from errors import Refusal
from routing import Reply

KEY_MINUTES = 1440
KEY = re.compile(r"[!-~]{1,64}\Z")


def read_key(request):
    """The key of a request, or None if it has none."""
    if request.method != "POST" or "Idempotency-Key" not in request.headers:
        return None
    key = request.headers["Idempotency-Key"]
    if not KEY.match(key):
        raise Refusal(400, "bad-key")
    return key


class Repeats:
    def __init__(self, store):
        self._store = store

    def reply_to(self, key, request, body):
        """What was answered to this request the first time, or None."""
        first = self._store.replies.get(key)
        if first is None or self._store.clock >= first["at"] + KEY_MINUTES:
            return None
        if first["asked"] != _asked(request, body):
            raise Refusal(422, "key-reused")
        return Reply(first["status"], first["body"],
                     {**first["headers"], "Idempotent-Replay": "true"})

    def remember(self, key, request, body, reply):
        if key is not None:
            self._store.put("reply", {
                "id": key, "at": self._store.clock, "asked": _asked(request, body),
                "status": reply.status, "body": reply.body, "headers": reply.headers,
            })


def _asked(request, body):
    """The request as a text that is the same for equal requests only."""
    return json.dumps([request.path, request.query, body], sort_keys=True)
