"""Bundles: lines of JSON, each of them a sheet."""
import base64
import hashlib
import hmac
import zlib
import unicodedata

from inputs import MOST_BYTES, has_surrogate, is_too_deep, parse_object
from paths import Taken, normal_path
from refusal import Refusal

MOST_CHARACTERS = 20000
MOST_UNPACKED = 65536
MOST_SHEETS = 500
MOST_IN_BUNDLE = 1000000


def read_bundle(text, present):
    """The sheets of a bundle, of which none clashes with those that are present."""
    sheets = {}
    taken = Taken(present)
    total = 0
    for number, line in enumerate(text.split("\n"), 1):
        if not line:
            continue
        try:
            path, sheet = _read_line(line)
            if path in sheets:
                raise Refusal("repeated")
            if taken.clashes(path):
                raise Refusal("clash")
            if "lock" in present.get(path, ()):
                raise Refusal("locked")
            if len(sheets) == MOST_SHEETS:
                raise Refusal("too many")
            total += len(sheet.encode())
            if total > MOST_IN_BUNDLE:
                raise Refusal("bundle too large")
        except Refusal as refusal:
            raise Refusal("line {}: {}".format(number, refusal)) from None
        sheets[path] = {"text": sheet}
        taken.add(path)
    return sheets


def _read_line(line):
    if len(line.encode()) > MOST_BYTES:
        raise Refusal("too long")
    if is_too_deep(line):
        raise Refusal("too deep")
    try:
        value = parse_object(line)
    except ValueError:
        raise Refusal("not a sheet") from None
    if set(value) not in ({"path", "text"}, {"path", "gzip"}) or not all(isinstance(part, str) for part in value.values()):
        raise Refusal("not a sheet")
    return normal_path(value["path"]), _checked_text(value["text"] if "text" in value else _unpacked(value["gzip"]))


def _checked_text(text):
    if len(text) > MOST_CHARACTERS or has_surrogate(text) or any(map(_is_control, text)):
        raise Refusal("bad text")
    return text


def _is_control(character):
    return character not in "\t\n" and unicodedata.category(character) == "Cc"


def _unpacked(packed):
    """The text in gzip in Base64. It never unpacks more than one byte too much."""
    try:
        unpacker = zlib.decompressobj(wbits=31)
        content = unpacker.decompress(base64.b64decode(packed, validate=True), MOST_UNPACKED + 1)
    except (ValueError, zlib.error):
        raise Refusal("bad gzip") from None
    if len(content) > MOST_UNPACKED:
        raise Refusal("too large")
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise Refusal("bad gzip") from None
    if not unpacker.eof:
        raise Refusal("bad gzip")
    return text


def sealed(text, key):
    """A bundle with the seal that belongs to it."""
    if text and not text.endswith("\n"):
        text += "\n"
    return '{}{{"seal": "{}"}}\n'.format(text, _seal(text, key))


def accept_seal(text, key):
    """What comes before the seal in the last line, if it is right."""
    body = text[:-1] if text.endswith("\n") else text
    start = body.rfind("\n") + 1
    last = body[start:]
    if len(last.encode()) > MOST_BYTES or is_too_deep(last):
        raise Refusal("no seal")
    try:
        value = parse_object(last)
    except ValueError:
        raise Refusal("no seal") from None
    if set(value) != {"seal"} or not isinstance(value["seal"], str):
        raise Refusal("no seal")
    given = value["seal"].encode("utf-8", "replace")
    if not hmac.compare_digest(given, _seal(text[:start], key).encode()):
        raise Refusal("wrong seal")
    return text[:start]


def _seal(text, key):
    return hmac.new(key.encode("utf-8", "surrogateescape"), text.encode(), hashlib.sha256).hexdigest()
