"""The commands: their words, and what they do in a session."""
from typing import Callable, FrozenSet, NamedTuple

import checks
from errors import NotUnderstood, Refused
from records import Selection
from versions import differences


class Arguments(NamedTuple):
    words: list
    options: dict


class Command(NamedTuple):
    run: Callable
    words: int
    options: FrozenSet[str] = frozenset()
    flags: FrozenSet[str] = frozenset()
    last_is_text: bool = False
    in_batch_only: bool = False


def put(session, arguments):
    key, value = checks.key(arguments.words[0]), checks.value(arguments.words[1])
    known = session.store.get(key) is not None
    session.store.put(key, value)
    return [f"replaced {key}" if known else f"stored {key}"]


def get(session, arguments):
    key = checks.key(arguments.words[0])
    return [_present(_source(session, arguments.options), key)]


def delete(session, arguments):
    key = checks.key(arguments.words[0])
    _present(session.store, key)
    session.store.delete(key)
    return [f"deleted {key}"]


def scan(session, arguments):
    options = arguments.options
    selection = _selection(options)
    limit = _limit(options)
    found = _source(session, options).select(selection)
    if "--reverse" in options:
        found.reverse()
    return record_lines(found[:limit])


def count(session, arguments):
    selection = _selection(arguments.options)
    found = _source(session, arguments.options).select(selection)
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


def migrate(session, arguments):
    return [f"migrated {session.folder.migrate()} records"]


def verify(session, arguments):
    reading = session.folder.verify()
    return [f"sound: {len(reading.changes)} records, last {reading.last}"]


def repair(session, arguments):
    reading = session.folder.repair()
    if reading.damaged_line is None:
        return ["nothing to repair"]
    kept, dropped = len(reading.changes), reading.excess_bytes
    return [f"repaired: kept {kept} records, dropped {dropped} bytes"]


def version(session, arguments):
    return [f"version {session.log_store.last}"]


def history(session, arguments):
    key = checks.key(arguments.words[0])
    limit = _limit(arguments.options)
    changes = session.log_store.history(key)
    if not changes:
        raise Refused(f"no record {key}")
    lines = [_change_line(change) for change in changes]
    if limit is not None:
        lines = lines[-limit:]
    return lines + [f"versions: {len(lines)}"]


def diff(session, arguments):
    old, new = map(checks.version, arguments.words)
    store = session.log_store
    found = differences(store.as_of(old), store.as_of(new))
    lines = [_difference_line(*difference) for difference in found]
    return lines + [f"changes: {len(lines)}"]


def restore(session, arguments):
    key = checks.key(arguments.words[0])
    sequence = checks.version(arguments.words[1])
    value = session.log_store.as_of(sequence).get(key)
    if value is None:
        raise Refused(f"no record {key} at {sequence}")
    if value == session.store.get(key):
        return [f"unchanged {key}"]
    session.store.put(key, value)
    return [f"restored {key}"]


def revert(session, arguments):
    sequence = checks.version(arguments.words[0])
    wanted = session.log_store.as_of(sequence)
    found = differences(session.store, wanted)
    if found:
        session.store.write([(key, after) for key, _, after in found])
    return [f"reverted to {sequence}: {len(found)} changes"]


def note(word, check, said):
    """The command that sets or undoes a mark or an index."""

    def run(session, arguments):
        name = check(arguments.words[0])
        sequence = session.log_store.note(word, name)
        return [said.format(name=name, sequence=sequence)]

    return run


def marks(session, arguments):
    notes = session.log_store.catalog.of_kind("mark")
    lines = [f"{note.name} at {note.sequence}" for note in notes]
    return lines + [f"marks: {len(lines)}"]


def indexes(session, arguments):
    lines = [note.name for note in session.log_store.catalog.of_kind("index")]
    return lines + [f"indexes: {len(lines)}"]


def find(session, arguments):
    path, wanted = arguments.words
    return record_lines(session.find(checks.path(path), wanted))


def find_at(session, arguments):
    sequence = checks.version(arguments.words[0])
    path = checks.path(arguments.words[1])
    return record_lines(session.find_at(sequence, path, arguments.words[2]))


def compact(session, arguments):
    kept, dropped = session.log_store.compact()
    return [f"compacted: kept {kept} changes, dropped {dropped}"]


def begin(session, arguments):
    return [f"begun at {session.begin()}"]


def commit(session, arguments):
    sequence = session.commit()
    return ["committed nothing" if sequence is None else f"committed at {sequence}"]


def rollback(session, arguments):
    session.rollback()
    return ["rolled back"]


def _source(session, options):
    """What to read from: the store, or a version of it."""
    if "--as-of" not in options:
        return session.store
    sequence = checks.version(options["--as-of"])
    return session.log_store.as_of(sequence)


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
    "revert": Command(revert, 1),
    "mark": Command(note("mark", checks.mark, "marked {name} at {sequence}"), 1),
    "unmark": Command(note("unmark", checks.mark, "unmarked {name}"), 1),
    "marks": Command(marks, 0),
    "index": Command(note("index", checks.path, "indexed {name}"), 1),
    "unindex": Command(note("unindex", checks.path, "unindexed {name}"), 1),
    "indexes": Command(indexes, 0),
    "find": Command(find, 2, last_is_text=True),
    "find-at": Command(find_at, 3, last_is_text=True),
    "compact": Command(compact, 0),
    "begin": Command(begin, 0, in_batch_only=True),
    "commit": Command(commit, 0, in_batch_only=True),
    "rollback": Command(rollback, 0, in_batch_only=True),
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
