"""Batches: requests in a list, as steps of one request."""
import json
import re

from fields import number, text
from routing import make_request

REFERENCE = re.compile(r"\$([1-9][0-9]?)\Z")
STEP_CHECKS = {"send": text, "body": lambda value: isinstance(value, dict),
               "version": number(1, 999999999)}


def steps(value, _body=None):
    """The check of the field of that name."""
    return isinstance(value, list) and 1 <= len(value) <= 50 and all(map(_is_step, value))


def _is_step(step):
    return (isinstance(step, dict) and "send" in step
            and all(key in STEP_CHECKS and STEP_CHECKS[key](value) for key, value in step.items())
            and step["send"].count(" ") == 1)


def request_of(step, results):
    """The request that a step stands for, with the ids that earlier steps have answered."""
    method, path = step["send"].split(" ")
    parts = path.split("/")
    if len(parts) > 2:
        parts[2] = _resolve(parts[2], results)
    headers = {"If-Match": '"%d"' % step["version"]} if "version" in step else {}
    raw_body = json.dumps(step["body"]).encode() if "body" in step else b""
    return make_request(method, "/".join(parts), headers, raw_body)


def _resolve(part, results):
    match = REFERENCE.match(part)
    if match and int(match.group(1)) <= len(results):
        return results[int(match.group(1)) - 1]["body"]["id"]
    return part
