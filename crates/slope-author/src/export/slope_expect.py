"""Placeholders and expectations of declarative cases (slope's docs/problems.md)."""

import base64
import copy
import json
import math
import re


class Wrong(Exception):
    """The program did something else than is expected."""


# Placeholders

def replaced(source, values, shown):
    parts, rest = [], source
    while (at := rest.find("${")) >= 0:
        before, after = rest[:at], rest[at + 2:]
        if before.endswith("$"):
            parts.append(before[:-1] + "${")
            rest = after
            continue
        name, closed, rest = after.partition("}")
        if not closed or name not in values:
            raise Wrong(f"`${{{name}}}` has no value here")
        parts += [before, shown(as_text(values[name]))]
    return "".join(parts) + rest


def as_text(value):
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def filled(value, values):
    """A JSON value with its placeholders replaced; a text that is nothing but one becomes the value."""
    if isinstance(value, str):
        whole = re.fullmatch(r"\$\{([^$}]*)\}", value)
        if whole and whole[1] in values:
            return values[whole[1]]
        return replaced(value, values, str)
    if isinstance(value, list):
        return [filled(item, values) for item in value]
    if isinstance(value, dict):
        return {replaced(key, values, str): filled(item, values) for key, item in value.items()}
    return value


def filled_texts(value, values):
    """Like `filled`, where only texts can stand."""
    if isinstance(value, str):
        return replaced(value, values, str)
    if isinstance(value, list):
        return [filled_texts(item, values) for item in value]
    return {key: filled_texts(item, values) for key, item in value.items()}


def changed(record, how):
    """The record with its keys of `how` changed, where they have values."""
    return {**record, **{key: change(record[key]) for key, change in how.items() if record.get(key) is not None}}


def filled_text(expect, values):
    texts = dict.fromkeys(("equals", "contains", "not_contains"), lambda value: filled_texts(value, values))
    patterns = dict.fromkeys(("matches", "not_matches"), lambda value: replaced(value, values, re.escape))
    whole = dict.fromkeys(("json", "json_lines"), lambda value: filled(value, values))
    by_path = dict.fromkeys(("json_at", "json_includes"),
                            lambda value: {path: filled(item, values) for path, item in value.items()})
    return changed(expect, {**texts, **patterns, **whole, **by_path})


def filled_response(expect, values):
    def each(texts):
        return {name: filled_text(text, values) for name, text in texts.items()}

    return changed(expect, {"headers": each, "body": lambda body: filled_text(body, values)})


def filled_request(request, values):
    texts = dict.fromkeys(("send", "headers", "text"), lambda value: filled_texts(value, values))
    return changed(request, {**texts, "json": lambda value: filled(value, values),
                             "expect": lambda expect: filled_response(expect, values)})


def filled_file(wanted, values):
    if isinstance(wanted, dict) and "text" in wanted:
        return {"text": filled_text(wanted["text"], values)}
    return wanted


def filled_expect(expect, values):
    def files(wanted):
        return {path: filled_file(item, values) for path, item in wanted.items()}

    streams = dict.fromkeys(("stdout", "stderr"), lambda value: filled_text(value, values))
    return changed(expect, {**streams, "files": files})


def filled_step(step, values):
    def ends(stop):
        return changed(stop, {"expect": lambda expect: filled_expect(expect, values)})

    def counts(kinds):
        return [{**kind, "expect": filled_response(kind["expect"], values)} for kind in kinds]

    # Requests at once are filled in one by one, since ${n} differs; a start needs its port.
    def whole(together):
        return changed(together, {"expect": lambda expect: changed(expect, {"counts": counts})})

    texts = dict.fromkeys(("write", "args", "stdin", "env"), lambda value: filled_texts(value, values))
    return changed(step, {**texts, "expect": lambda expect: filled_expect(expect, values),
                          "request": lambda request: filled_request(request, values),
                          "together": whole, "stop": ends, "restart": ends})


# Expectations

def is_file(place):
    return place.is_file() and not place.is_symlink()


def file(path, wanted, place):
    there = place.is_symlink() or place.exists()
    if wanted == "absent":
        if there:
            raise Wrong(f"file {path}: expected no such file, there is one")
        return
    if not is_file(place):
        raise Wrong(f"file {path}: " + ("expected a regular file" if there else "expected, but not there"))
    if "text" in wanted:
        return text(f"file {path}", wanted["text"], place.read_bytes())
    if place.read_bytes() != base64.b64decode(wanted["bytes"]):
        raise Wrong(f"file {path}: other bytes than expected")


def text(name, expected, got):
    try:
        try:
            got = got.decode()
        except UnicodeDecodeError:
            raise Wrong("not UTF-8") from None
        plain(expected, got)
        of_json(expected, got)
    except Wrong as why:
        raise Wrong(f"{name}: {why}") from None


def plain(expected, got):
    if expected.get("equals") is not None and expected["equals"].rstrip() != got.rstrip():
        raise Wrong(f"expected {expected['equals'].rstrip()!r}, got {got.rstrip()!r}")
    for part in expected.get("contains") or []:
        if part not in got:
            raise Wrong(f"does not contain {part!r}; it is {got[:500]!r}")
    for part in expected.get("not_contains") or []:
        if part in got:
            raise Wrong(f"contains {part!r}; it is {got[:500]!r}")
    def found(pattern):
        return re.search(translated(pattern), got, re.MULTILINE)

    if expected.get("matches") is not None and not found(expected["matches"]):
        raise Wrong(f"does not match {expected['matches']!r}; it is {got[:500]!r}")
    if expected.get("not_matches") is not None and found(expected["not_matches"]):
        raise Wrong(f"matches {expected['not_matches']!r}; it is {got[:500]!r}")


def translated(pattern):
    """The pattern as Python's `re` writes it: the end of the text is `\\Z`, and `\\\\z` is still a backslash and a z."""
    return re.sub(r"\\(.)", lambda pair: r"\Z" if pair[1] == "z" else pair[0], pattern, flags=re.DOTALL)


def parsed(source):
    def no_constant(name):
        raise ValueError(name)
    try:
        return json.loads(source, parse_constant=no_constant)
    except ValueError as why:
        raise Wrong(f"not JSON ({why}); it is {source[:500]!r}") from None


def of_json(expected, got):
    comparison = Comparison(expected.get("compare") or {})
    if expected.get("json_lines") is not None:
        # Only `\n` ends a line; `splitlines` knows ten other ends.
        lines = (line.removesuffix("\r") for line in got.split("\n"))
        have = [parsed(line) for line in lines if line.strip()]
        comparison.below((), *map(comparison.normalised, (expected["json_lines"], have)))
    if any(key in expected for key in ("json", "schema", *PARTS)):
        of_value(expected, comparison, parsed(got))


def of_value(expected, comparison, have):
    if expected.get("schema") is not None:
        import jsonschema
        complaint = next(jsonschema.Draft202012Validator(expected["schema"]).iter_errors(have), None)
        if complaint is not None:
            raise Wrong(f"not valid: {complaint.message}")
    have = comparison.normalised(have)
    if "json" in expected:
        comparison.below((), comparison.normalised(expected["json"]), have)
    for key, check in PARTS.items():
        for path, wanted in (expected.get(key) or {}).items():
            check(comparison, path, wanted, *only(path, have))


def part_at(comparison, path, wanted, at, there):
    comparison.below(at, wanted, there)


def part_length(comparison, path, wanted, at, there):
    if not isinstance(there, (list, dict)) or len(there) != wanted:
        raise Wrong(f"{path} has not {wanted} entries; it is {there!r}")


def part_includes(comparison, path, wanted, at, there):
    if not isinstance(there, list):
        raise Wrong(f"{path} is {there!r}, expected a list")
    comparison.among(at, wanted, there)


PARTS = {"json_at": part_at, "json_length": part_length, "json_includes": part_includes}
PART = re.compile(r'(?P<every>\.\*|\[\*\])|(?P<deep>\.\.)(?P<any>[\w-]+)|\.(?P<key>[\w-]+)'
                  r'|\[(?P<index>\d+)\]|\[(?P<quoted>"(?:[^"\\]|\\.)*")\]')


def steps_of(path):
    found = list(PART.finditer(path, 1))
    assert path.startswith("$") and 1 + sum(len(match[0]) for match in found) == len(path), f"`{path}` is no path"
    for match in found:
        if match["every"]:
            yield "every", None
        elif match["deep"]:
            yield "anywhere", match["any"]
        elif match["index"]:
            yield "at", int(match["index"])
        else:
            yield "at", match["key"] or json.loads(match["quoted"])


def children(value):
    return list(enumerate(value)) if isinstance(value, list) else list(value.items()) if isinstance(value, dict) else []


def select(path, value):
    """Places that the path leads to, and what lies there."""
    found = [((), value)]
    for kind, key in steps_of(path):
        found = [deeper for at, here in found for deeper in step_down(kind, key, at, here)]
    return found


def step_down(kind, key, at, here):
    for place, child in children(here):
        if kind == "every" or (type(place) is type(key) and place == key):
            yield (*at, place), child
        if kind == "anywhere":
            yield from step_down(kind, key, (*at, place), child)


def only(path, value):
    found = select(path, value)
    if len(found) != 1:
        raise Wrong(f"{len(found)} values are at {path}, expected one")
    return found[0]


def leads(steps, at):
    """Whether a path leads to a place, in whatever value."""
    if not steps:
        return not at
    (kind, key), rest = steps[0], steps[1:]
    if kind == "anywhere":
        return any(at[index] == key and leads(rest, at[index + 1:]) for index in range(len(at)))
    return bool(at) and (kind == "every" or (type(at[0]) is type(key) and at[0] == key)) and leads(rest, at[1:])


def kind_of(value):
    numbers = isinstance(value, (int, float)) and not isinstance(value, bool)
    return "number" if numbers else type(value)


def same_kind(one, other):
    return kind_of(one) == kind_of(other)


class Comparison:
    """How two JSON values are compared, the first as it is expected."""

    def __init__(self, compare):
        self.subset, self.tolerance = compare.get("subset", False), compare.get("tolerance", 0.0)
        self.unordered = [list(steps_of(path)) for path in compare.get("unordered") or []]
        self.sort_by, self.ignore = compare.get("sort_by") or {}, compare.get("ignore") or []

    def normalised(self, value):
        value = copy.deepcopy(value)
        places = {at for path in self.ignore for at, _ in select(path, value)}
        # From the end, so that no removal moves what is still to be removed.
        for at in sorted(places, key=lambda at: [(isinstance(place, int), place) for place in at], reverse=True):
            if not at:
                return None
            parent = value
            for place in at[:-1]:
                parent = parent[place]
            del parent[at[-1]]
        for path, key in self.sort_by.items():
            for _, there in select(path, value):
                if isinstance(there, list):
                    there.sort(key=lambda item: order(dotted(item, key)))
        return value

    def equal(self, at, want, have):
        try:
            self.below(at, want, have)
        except Wrong:
            return False
        return True

    def below(self, at, want, have):
        if isinstance(want, dict) and isinstance(have, dict):
            self.objects(at, want, have)
        elif isinstance(want, list) and isinstance(have, list):
            self.arrays(at, want, have)
        elif not (same_kind(want, have) and self.same_value(want, have)):
            raise Wrong(f"{at} is {have!r}, expected {want!r}")

    def objects(self, at, want, have):
        missing, extra = want.keys() - have.keys(), have.keys() - want.keys()
        if missing or (extra and not self.subset):
            raise Wrong(f"{at}: missing {sorted(missing)}, not expected {sorted(extra)}")
        for key, value in want.items():
            self.below((*at, key), value, have[key])

    def arrays(self, at, want, have):
        if len(want) != len(have):
            raise Wrong(f"{at} has {len(have)} items, expected {len(want)}")
        if any(leads(steps, at) for steps in self.unordered):
            self.among(at, want, have)
            return
        for index, (one, other) in enumerate(zip(want, have)):
            self.below((*at, index), one, other)

    def same_value(self, want, have):
        if want == have or kind_of(want) != "number" or not self.tolerance:
            return want == have
        rounding = math.ulp(1.0) * (abs(want) + abs(have))
        return abs(want - have) <= self.tolerance + rounding

    def among(self, at, wanted, items):
        """Each wanted value has an item of its own; partners are moved along, since tolerance is not transitive."""
        fits = [[other for other, item in enumerate(items) if self.equal((*at, other), want, item)] for want in wanted]
        partner = [None] * len(items)
        for index, want in enumerate(wanted):
            if not place(index, fits, partner):
                raise Wrong(f"{at} has no item {want!r}")


def place(first, fits, partner):
    """Finds a partner for `first`, moving others along; whether there is one."""
    came_from = [None] * len(partner)
    waiting = [first]
    while waiting:
        index = waiting.pop()
        for other in fits[index]:
            if came_from[other] is not None:
                continue
            came_from[other] = index
            if partner[other] is None:
                move_along(other, first, came_from, partner)
                return True
            waiting.append(partner[other])
    return False


def move_along(free, first, came_from, partner):
    """Gives `free` to whom it was found for, what that one had to the one before, and so on up to `first`."""
    while True:
        index = came_from[free]
        before = partner.index(index) if index != first else None
        partner[free] = index
        if before is None:
            return
        free = before


def dotted(value, path):
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def order(value):
    """Numbers by value, texts by code point, everything else by how it is written."""
    ranks = {type(None): 0, bool: 1, "number": 2, str: 3, list: 4, dict: 5}
    rank = ranks[kind_of(value)]
    return (rank, value) if rank in (2, 3) else (rank, json.dumps(value))
