"""Letters: sheets with gaps, filled from a record."""
import re
import unicodedata

from inputs import MOST_BYTES, has_surrogate, is_too_deep, parse_object, read_bytes
from refusal import Refusal

GAP = re.compile(r"\{\{([a-z][a-z0-9_]{0,19})\}\}|(\{\{)")
ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}


def _plain(value):
    return value


def _html(value):
    return "".join(ENTITIES.get(character, character) for character in value)


def _line(value):
    breaks = ("Cc", "Zl", "Zp")
    return "".join(" " if unicodedata.category(character) in breaks else character for character in value)


def _csv(value):
    if value.startswith(("=", "+", "-", "@", "\t", "\r")):
        value = "'" + value
    return '"{}"'.format(value.replace('"', '""'))


def _shell(value):
    return "'{}'".format(value.replace("'", "'\\''"))


FORMS = {"plain": _plain, "html": _html, "line": _line, "csv": _csv, "shell": _shell}


def read_record(path):
    raw = read_bytes(path)
    try:
        text = raw.decode()
        if len(raw) > MOST_BYTES or is_too_deep(text):
            raise ValueError
        record = parse_object(text)
    except ValueError:
        raise Refusal("not a record") from None
    if any(not isinstance(value, str) or has_surrogate(name + value) for name, value in record.items()):
        raise Refusal("not a record")
    return record


def fill_gaps(text, record, form):
    """All gaps are looked for before the first is filled, so a bad one comes before a missing value."""
    gaps = list(GAP.finditer(text))
    if any(gap[2] for gap in gaps):
        raise Refusal("bad gap")
    if any(gap[1] not in record for gap in gaps):
        raise Refusal("no value")
    return GAP.sub(lambda gap: form(record[gap[1]]), text)
