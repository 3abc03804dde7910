"""The commands: their words, and what they do to a folder."""
from typing import Callable, FrozenSet, NamedTuple

import checks
from errors import NotUnderstood, Refused
from records import Selection


class Arguments(NamedTuple):
    words: list
    options: dict


class Command(NamedTuple):
    run: Callable
    words: int
    options: FrozenSet[str] = frozenset()
    flags: FrozenSet[str] = frozenset()
    last_is_text: bool = False


def put(folder, arguments):
    key, value = checks.key(arguments.words[0]), checks.value(arguments.words[1])
    known = folder.store.get(key) is not None
    folder.store.put(key, value)
    return [f"replaced {key}" if known else f"stored {key}"]


def get(folder, arguments):
    key = checks.key(arguments.words[0])
    return [_present(_source(folder, arguments.options), key)]


def delete(folder, arguments):
    key = checks.key(arguments.words[0])
    _present(folder.store, key)
    folder.store.delete(key)
    return [f"deleted {key}"]


def scan(folder, arguments):
    options = arguments.options
    selection = _selection(options)
    limit = _limit(options)
    found = _source(folder, options).select(selection)
    if "--reverse" in options:
        found.reverse()
    return record_lines(found[:limit])


def count(folder, arguments):
    selection = _selection(arguments.options)
    found = _source(folder, arguments.options).select(selection)
    return [f"records: {len(found)}"]


def record_lines(records):
    lines = [f"{key}\t{value}" for key, value in records]
    return lines + [f"records: {len(lines)}"]


def _present(store, key):
    value = store.get(key)
    if value is None:
        raise Refused(f"no record {key}")
    return value


def _selection(options):
    checked = {}
    for field, option, check in (
        ("prefix", "--prefix", checks.prefix),
        ("low", "--from", checks.key),
        ("high", "--to", checks.key),
    ):
        if option in options:
            checked[field] = check(options[option])
    selection = Selection(**checked)
    if selection.high is not None and selection.low > selection.high:
        raise Refused("bad range")
    return selection


def migrate(folder, arguments):
    return [f"migrated {folder.migrate()} records"]


def verify(folder, arguments):
    reading = folder.verify()
    return [f"sound: {len(reading.entries)} records, last {reading.last}"]


def repair(folder, arguments):
    reading = folder.repair()
    if reading.damaged_line is None:
        return ["nothing to repair"]
    kept, dropped = len(reading.entries), reading.excess_bytes
    return [f"repaired: kept {kept} records, dropped {dropped} bytes"]


def version(folder, arguments):
    return [f"version {folder.log_store.last}"]


def history(folder, arguments):
    key = checks.key(arguments.words[0])
    limit = _limit(arguments.options)
    changes = folder.log_store.history(key)
    if not changes:
        raise Refused(f"no record {key}")
    lines = [_change_line(change) for change in changes]
    if limit is not None:
        lines = lines[-limit:]
    return lines + [f"versions: {len(lines)}"]


def diff(folder, arguments):
    old, new = map(checks.version, arguments.words)
    differences = folder.log_store.differences(old, new)
    lines = [_difference_line(*difference) for difference in differences]
    return lines + [f"changes: {len(lines)}"]


def restore(folder, arguments):
    key = checks.key(arguments.words[0])
    sequence = checks.version(arguments.words[1])
    store = folder.log_store
    value = store.as_of(sequence).get(key)
    if value is None:
        raise Refused(f"no record {key} at {sequence}")
    if value == store.get(key):
        return [f"unchanged {key}"]
    store.put(key, value)
    return [f"restored {key}"]


def _source(folder, options):
    """What to read from: the store, or a version of it."""
    if "--as-of" not in options:
        return folder.store
    sequence = checks.version(options["--as-of"])
    return folder.log_store.as_of(sequence)


def _limit(options):
    return checks.limit(options["--limit"]) if "--limit" in options else None


def _change_line(change):
    if change.value is None:
        return f"{change.sequence} del"
    return f"{change.sequence} put {change.value}"


def _difference_line(key, before, after):
    if before is None:
        return f"+ {key}\t{after}"
    if after is None:
        return f"- {key}\t{before}"
    return f"~ {key}\t{after}"


LIMIT = frozenset({"--limit"})
AS_OF = frozenset({"--as-of"})
RANGE = frozenset({"--prefix", "--from", "--to"})

COMMANDS = {
    "put": Command(put, 2, last_is_text=True),
    "get": Command(get, 1, AS_OF),
    "delete": Command(delete, 1),
    "scan": Command(scan, 0, RANGE | AS_OF | LIMIT, frozenset({"--reverse"})),
    "count": Command(count, 0, RANGE | AS_OF),
    "migrate": Command(migrate, 0),
    "verify": Command(verify, 0),
    "repair": Command(repair, 0),
    "version": Command(version, 0),
    "history": Command(history, 1, LIMIT),
    "diff": Command(diff, 2),
    "restore": Command(restore, 2),
}


def understand(words):
    """The command that the words name, and its arguments."""
    command = COMMANDS.get(words[0]) if words else None
    if command is None:
        raise NotUnderstood("unknown command")
    arguments = _arguments(command, words[1:])
    if len(arguments.words) != command.words:
        raise NotUnderstood(f"{words[0]} takes {command.words} arguments")
    return command, arguments


def understand_line(line):
    """As `understand`, for a line whose last argument may hold spaces."""
    words = line.split(" ")
    command = COMMANDS.get(words[0])
    if command is not None and command.last_is_text:
        words = line.split(" ", command.words)
    return understand(words)


def _arguments(command, words):
    if command.last_is_text:
        return Arguments(words, {})
    plain, options = [], {}
    rest = iter(words)
    for word in rest:
        if not word.startswith("--"):
            plain.append(word)
            continue
        if word in options or word not in command.options | command.flags:
            raise NotUnderstood(f"{word} does not belong here")
        options[word] = next(rest, None) if word in command.options else ""
        if options[word] is None:
            raise NotUnderstood(f"{word} needs a value")
    return Arguments(plain, options)
