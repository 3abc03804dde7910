#!/usr/bin/env python3
"""Cuebook - reads the settings of a theatre."""

import io
import os
import posixpath
import re
import sys

LAYERS = ["house.cue", "tour.cue", "piece.cue", "night.cue"]


class BadValueException(Exception):
    """Exception for bad values."""
    pass


def check_key(key):
    """Check if the key is valid."""
    # Split the key into its parts
    parts = key.split(".")
    if len(parts) < 1:
        return False
    if len(parts) > 4:
        return False
    for part in parts:
        # Check each of the parts
        if re.match(r"^[a-z][a-z0-9-]{0,15}\Z", part) is None:
            return False
    return True


def check_star_key(key):
    """Check if the key is a valid key with stars."""
    parts = key.split(".")
    if len(parts) > 4:
        return False
    stars = 0
    for i in range(len(parts)):
        if parts[i] == "*":
            stars += 1
            # The last part may not be a star
            if i == len(parts) - 1:
                return False
        else:
            if re.match(r"^[a-z][a-z0-9-]{0,15}\Z", parts[i]) is None:
                return False
    return stars > 0


def parse_item(text, pos):
    """Parse an item and return the item and the new position."""
    if pos < len(text) and text[pos] == '"':
        pos += 1
        chars = ""
        pieces = []
        while True:
            if pos >= len(text):
                raise BadValueException()
            if text[pos] == '"':
                pos += 1
                break
            elif text[pos] == "\\":
                if pos + 1 < len(text) and text[pos + 1] in ['"', "\\", "$"]:
                    pieces.append(text[pos + 1])
                    chars = chars + text[pos + 1]
                    pos += 2
                else:
                    raise BadValueException()
            elif text[pos:pos + 2] == "${":
                # Parse the reference in the text
                close = text.find("}", pos)
                if close == -1:
                    raise BadValueException()
                target = text[pos + 2:close]
                if target != "^" and not check_key(target):
                    raise BadValueException()
                pieces.append(["ref", target])
                pos = close + 1
            else:
                pieces.append(text[pos])
                chars = chars + text[pos]
                pos += 1
        if len(chars) > 60:
            raise BadValueException()
        return ["text", pieces], pos
    if text[pos:pos + 2] == "${":
        # Parse the reference
        close = text.find("}", pos)
        if close == -1:
            raise BadValueException()
        target = text[pos + 2:close]
        if target != "^" and not check_key(target):
            raise BadValueException()
        return ["ref", target], close + 1
    end = pos
    while end < len(text) and text[end] not in " \t,]#":
        end += 1
    word = text[pos:end]
    if word == "yes":
        return ["truth", True], end
    elif word == "no":
        return ["truth", False], end
    elif re.match(r"^-?[0-9]{1,9}\Z", word) is not None:
        return ["number", int(word)], end
    elif re.match(r"^-?[0-9]{1,9}mm\Z", word) is not None:
        return ["length", int(word[:-2])], end
    elif re.match(r"^-?[0-9]{1,9}cm\Z", word) is not None:
        return ["length", int(word[:-2]) * 10], end
    elif re.match(r"^-?[0-9]{1,9}m\Z", word) is not None:
        return ["length", int(word[:-1]) * 1000], end
    elif re.match(r"^-?[0-9]{1,9}s\Z", word) is not None:
        return ["time", int(word[:-1])], end
    elif re.match(r"^-?[0-9]{1,9}min\Z", word) is not None:
        return ["time", int(word[:-3]) * 60], end
    elif re.match(r"^-?[0-9]{1,9}h\Z", word) is not None:
        return ["time", int(word[:-1]) * 3600], end
    else:
        raise BadValueException()


def parse_value(text):
    """Parse the value."""
    pos = 0
    if text[:1] == "[":
        pos = 1
        items = []
        while pos < len(text) and text[pos] in " \t":
            pos += 1
        if pos < len(text) and text[pos] == "]":
            pos += 1
        else:
            while True:
                while pos < len(text) and text[pos] in " \t":
                    pos += 1
                item, pos = parse_item(text, pos)
                items.append(item)
                while pos < len(text) and text[pos] in " \t":
                    pos += 1
                if pos < len(text) and text[pos] == "]":
                    pos += 1
                    break
                elif pos < len(text) and text[pos] == ",":
                    pos += 1
                else:
                    raise BadValueException()
        if len(items) > 12:
            raise BadValueException()
        value = ["list", items]
    else:
        value, pos = parse_item(text, pos)
    # Check that only a comment follows
    rest = text[pos:].strip(" \t")
    if rest != "" and not rest.startswith("#"):
        raise BadValueException()
    return value, text[:pos]


def format_value(value):
    """Format the value for printing."""
    if value[0] == "number":
        return str(value[1])
    elif value[0] == "length":
        if value[1] % 1000 == 0:
            return str(value[1] // 1000) + "m"
        elif value[1] % 10 == 0:
            return str(value[1] // 10) + "cm"
        else:
            return str(value[1]) + "mm"
    elif value[0] == "time":
        if value[1] % 3600 == 0:
            return str(value[1] // 3600) + "h"
        elif value[1] % 60 == 0:
            return str(value[1] // 60) + "min"
        else:
            return str(value[1]) + "s"
    elif value[0] == "truth":
        if value[1]:
            return "yes"
        else:
            return "no"
    elif value[0] == "text":
        return '"' + value[1].replace("\\", "\\\\").replace('"', '\\"').replace("${", "\\${") + '"'
    else:
        result = ""
        for i in range(len(value[1])):
            if i > 0:
                result = result + ", "
            result = result + format_value(value[1][i])
        return "[" + result + "]"


def rename_value(value, renames, used):
    """Rename all the references in the value."""
    if value[0] == "ref":
        target = value[1]
        used.append(target)
        while target in renames:
            target = renames[target]
        return ["ref", target]
    elif value[0] == "text":
        pieces = []
        for piece in value[1]:
            if isinstance(piece, str):
                pieces.append(piece)
            else:
                target = piece[1]
                used.append(target)
                while target in renames:
                    target = renames[target]
                pieces.append(["ref", target])
        return ["text", pieces]
    elif value[0] == "list":
        items = []
        for item in value[1]:
            items.append(rename_value(item, renames, used))
        return ["list", items]
    else:
        return value


def load_file(folder, name, text, chain, data, venue, profiles):
    """Load the file and all the files which it includes."""
    include_faults = []
    other = False
    line_no = 0
    # Find the includes first, they are weaker
    for line in text.split("\n"):
        line_no += 1
        if line.endswith("\r"):
            line = line[:-1]
        line = line.strip(" \t")
        if line == "" or line.startswith("#"):
            continue
        m = re.match(r'include[ \t]*(".*)\Z', line)
        if m is None:
            if re.match(r"at[ \t]+[^ \t=+-]", line) is None:
                other = True
            continue
        try:
            value, raw = parse_value(m.group(1))
        except BadValueException:
            include_faults.append([line_no, "bad include"])
            continue
        if value[0] != "text":
            include_faults.append([line_no, "bad include"])
            continue
        path = ""
        bad = False
        for piece in value[1]:
            if isinstance(piece, str):
                path = path + piece
            else:
                bad = True
        if bad or path == "" or path.startswith("/"):
            include_faults.append([line_no, "bad include"])
            continue
        if other:
            include_faults.append([line_no, "include must come first"])
            continue
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
        if path in chain:
            include_faults.append([line_no, "include goes round: " + " -> ".join(chain[chain.index(path):] + [path])])
            continue
        try:
            if path in data["changes"]:
                included = data["changes"][path]
            else:
                with open(os.path.join(folder, path), "r", encoding="utf-8", newline="") as f:
                    included = f.read()
        except Exception:
            include_faults.append([line_no, "cannot read " + path])
            continue
        load_file(folder, path, included, chain + [path], data, venue, profiles)
    no = data["count"]
    data["count"] += 1
    data["files"].append(name)
    for line_no, message in include_faults:
        data["faults"].append([no, line_no, [], message, name + ":" + str(line_no)])
    # Now the lines of the file itself
    some_line = False
    section_no = 0
    header = ""
    applies = True
    rank = [0, 0]
    seen = {}
    changed = {}
    line_no = 0
    for line in text.split("\n"):
        line_no += 1
        if line.endswith("\r"):
            line = line[:-1]
        line = line.strip(" \t")
        # Skip the empty lines and the comments
        if line == "" or line.startswith("#"):
            continue
        place = name + ":" + str(line_no)
        first_line = not some_line
        some_line = True
        if re.match(r'include[ \t]*"', line) is not None:
            continue
        if re.match(r"at[ \t]+[^ \t=+-]", line) is not None:
            # Check the at line
            if len(chain) > 1 or name != data["night_file"]:
                data["faults"].append([no, line_no, [], "at is for nights", place])
                continue
            if not first_line:
                data["faults"].append([no, line_no, [], "at must come first", place])
                continue
            names = []
            for word in line.split("#")[0].replace("\t", " ").split(" ")[1:]:
                if word != "":
                    names.append(word)
            bad = len(names) == 0
            for i in range(len(names)):
                if re.match(r"^[a-z][a-z0-9-]{0,15}\Z", names[i]) is None:
                    bad = True
                if i > 0 and names[i] in names[1:i]:
                    bad = True
            if bad:
                data["faults"].append([no, line_no, [], "bad at", place])
            continue
        if line.startswith("["):
            section_no += 1
            header = ""
            applies = False
            rank = [0, 0]
            m = re.match(r"\[([^\]]*)\][ \t]*(#.*)?\Z", line)
            if m is None:
                data["faults"].append([no, line_no, [], "bad section", place])
                continue
            words = []
            for word in m.group(1).replace("\t", " ").split(" "):
                if word != "":
                    words.append(word)
            if len(words) == 1 and words[0] == "always":
                applies = True
            elif len(words) > 1 and words[0] == "venue":
                bad = False
                for word in words[1:]:
                    if re.match(r"^[a-z*][a-z0-9*-]{0,15}\Z", word) is None:
                        bad = True
                if bad:
                    data["faults"].append([no, line_no, [], "bad section", place])
                    continue
                header = "[" + " ".join(words) + "] "
                rank = [1, 0]
                if venue is not None:
                    for word in words[1:]:
                        if re.match("^" + word.replace("*", ".*") + r"\Z", venue) is not None:
                            applies = True
            elif len(words) == 2 and words[0] == "profile" and re.match(r"^[a-z][a-z0-9-]{0,15}\Z", words[1]) is not None:
                header = "[" + " ".join(words) + "] "
                if words[1] in profiles:
                    applies = True
                    rank = [2, profiles.index(words[1])]
                else:
                    rank = [2, -1]
            else:
                data["faults"].append([no, line_no, [], "bad section", place])
            continue
        if "=" not in line:
            data["faults"].append([no, line_no, [], "bad line", place])
            continue
        key = line.split("=", 1)[0]
        sign = "="
        if key.endswith("+"):
            sign = "+="
            key = key[:-1]
        elif key.endswith("-"):
            sign = "-="
            key = key[:-1]
        key = key.strip(" \t")
        rest = line.split("=", 1)[1]
        if sign == "=" and rest.startswith("!"):
            # The line locks the key
            sign = "=!"
            rest = rest[1:]
        rest = rest.strip(" \t")
        star = False
        if not check_key(key):
            if sign in ["=", "=!"] and check_star_key(key):
                star = True
            else:
                data["faults"].append([no, line_no, [], "bad key '" + key + "'", place])
                continue
        try:
            value, raw = parse_value(rest)
        except BadValueException:
            data["faults"].append([no, line_no, [], "bad value for " + key, place])
            continue
        # Rename the key and the references
        written_key = key
        used = [key]
        while key in data["renames"]:
            key = data["renames"][key]
        value = rename_value(value, data["renames"], used)
        if sign == "=" or sign == "=!":
            if str(section_no) + key in seen:
                data["faults"].append([no, line_no, [], key + " is set twice, first in line " + str(seen[str(section_no) + key]), place])
                continue
            if str(section_no) + key in changed:
                data["faults"].append([no, line_no, [], key + " is changed before it is set, in line " + str(changed[str(section_no) + key]), place])
                continue
            seen[str(section_no) + key] = line_no
        else:
            if str(section_no) + key not in changed:
                changed[str(section_no) + key] = line_no
        # Find the kind of the line
        if sign != "=" and sign != "=!":
            kind = "list"
        elif value[0] == "ref":
            kind = None
        else:
            kind = value[0]
        data["settings"].append({"no": len(data["settings"]), "raw": raw, "header": header, "applies": applies, "rank": rank, "written": written_key, "used": used, "section_no": section_no, "file": name, "file_no": no, "line_no": line_no, "place": place, "key": key, "sign": sign, "value": value, "star": star, "kind": kind})


def load_schema(folder, faults, changes, renames, arrows):
    """Load the schema and return its declarations in order."""
    try:
        if "schema.cue" in changes:
            text = changes["schema.cue"]
        else:
            with open(os.path.join(folder, "schema.cue"), "r", encoding="utf-8", newline="") as f:
                text = f.read()
    except Exception:
        print("error: cannot read schema.cue", file=sys.stderr)
        return None
    schema = []
    line_no = 0
    for line in text.split("\n"):
        line_no += 1
        if line.endswith("\r"):
            line = line[:-1]
        line = line.split("#")[0].strip(" \t")
        if line == "":
            continue
        place = "schema.cue:" + str(line_no)
        if "->" in line and ":" not in line:
            # Parse the renamed key
            sides = line.split("->")
            if len(sides) > 2:
                faults.append([-1, line_no, [], "bad line", place])
                continue
            old = sides[0].strip(" \t")
            new = sides[1].strip(" \t")
            if not check_key(old):
                faults.append([-1, line_no, [], "bad key '" + old + "'", place])
                continue
            if not check_key(new):
                faults.append([-1, line_no, [], "bad key '" + new + "'", place])
                continue
            if old in renames:
                for arrow in arrows:
                    if arrow[1] == old:
                        faults.append([-1, line_no, [], old + " is renamed twice, first in line " + str(arrow[0]), place])
                continue
            way = [old, new]
            while way[len(way) - 1] in renames:
                way.append(renames[way[len(way) - 1]])
            if way[len(way) - 1] == old:
                faults.append([-1, line_no, [], "renames go round: " + " -> ".join(way), place])
                continue
            renames[old] = new
            arrows.append([line_no, old, new])
            continue
        if ":" not in line:
            faults.append([-1, line_no, [], "bad line", place])
            continue
        key = line.split(":", 1)[0].strip(" \t")
        words = []
        for word in line.split(":", 1)[1].replace("\t", " ").split(" "):
            if word != "":
                words.append(word)
        if len(words) == 0:
            faults.append([-1, line_no, [], "bad line", place])
            continue
        # Check the key, all its parts may be stars
        parts = key.split(".")
        bad = len(parts) > 4
        for part in parts:
            if part != "*" and re.match(r"^[a-z][a-z0-9-]{0,15}\Z", part) is None:
                bad = True
        if bad:
            faults.append([-1, line_no, [], "bad key '" + key + "'", place])
            continue
        kind = words[0]
        if kind not in ["number", "truth", "text", "list", "length", "time"]:
            faults.append([-1, line_no, [], "bad kind '" + kind + "'", place])
            continue
        limits = None
        required = False
        message = None
        for word in words[1:]:
            if ".." in word:
                low = None
                high = None
                unit = "number"
                if kind == "length" or kind == "time":
                    unit = kind
                try:
                    low, raw = parse_value(word.split("..", 1)[0])
                    high, raw = parse_value(word.split("..", 1)[1])
                except BadValueException:
                    message = "bad range '" + word + "'"
                    break
                if kind == "truth" or low[0] != unit or high[0] != unit or low[1] > high[1]:
                    message = "bad range '" + word + "'"
                    break
                if limits is not None:
                    message = "bad word '" + word + "'"
                    break
                limits = [low, high]
            elif word == "required":
                if required or "*" in key:
                    message = "bad word '" + word + "'"
                    break
                required = True
            else:
                message = "bad word '" + word + "'"
                break
        if message is not None:
            faults.append([-1, line_no, [], message, place])
            continue
        for d in schema:
            if d["key"] == key:
                message = key + " is declared twice, first in line " + str(d["line_no"])
        if message is not None:
            faults.append([-1, line_no, [], message, place])
            continue
        schema.append({"key": key, "kind": kind, "limits": limits, "required": required, "line_no": line_no, "place": place})
    return schema


def load(folder, venue, profiles, night, changes):
    """Load all the layers and return the data, or None if there is an error."""
    layers = []
    names = list(LAYERS)
    if night is not None:
        names[3] = "nights/" + night + ".cue"
        if not os.path.exists(os.path.join(folder, names[3])):
            print("error: no night " + night, file=sys.stderr)
            return None
    for name in names:
        if os.path.exists(os.path.join(folder, name)):
            layers.append(name)
    if len(layers) == 0:
        print("error: no layers in " + folder, file=sys.stderr)
        return None
    faults = []
    schema = None
    renames = {}
    arrows = []
    if os.path.exists(os.path.join(folder, "schema.cue")):
        schema = load_schema(folder, faults, changes, renames, arrows)
        if schema is None:
            return None
        if len(faults) > 0:
            # The schema is bad, do not check with it
            schema = None
    texts = []
    for name in layers:
        try:
            if name in changes:
                texts.append(changes[name])
            else:
                with open(os.path.join(folder, name), "r", encoding="utf-8", newline="") as f:
                    texts.append(f.read())
        except Exception:
            print("error: cannot read " + name, file=sys.stderr)
            return None
    # Look for the at line of the night
    for i in range(len(layers)):
        if layers[i] == names[3]:
            for line in texts[i].split("\n"):
                if line.endswith("\r"):
                    line = line[:-1]
                line = line.strip(" \t")
                if line == "" or line.startswith("#"):
                    continue
                if re.match(r"at[ \t]+[^ \t=+-]", line) is not None:
                    words = []
                    for word in line.split("#")[0].replace("\t", " ").split(" ")[1:]:
                        if word != "":
                            words.append(word)
                    bad = len(words) == 0
                    for word in words:
                        if re.match(r"^[a-z][a-z0-9-]{0,15}\Z", word) is None:
                            bad = True
                    if len(set(words[1:])) != len(words[1:]):
                        bad = True
                    if not bad:
                        if venue is None:
                            venue = words[0]
                        if len(profiles) == 0:
                            profiles = words[1:]
                break
    data = {"count": 0, "files": [], "settings": [], "faults": faults, "night_file": names[3], "changes": changes, "renames": renames, "arrows": arrows}
    for i in range(len(layers)):
        load_file(folder, layers[i], texts[i], [layers[i]], data, venue, profiles)
    return data, layers, schema


def sort_keys(keys):
    """Sort the keys part by part."""
    result = []
    for key in keys:
        result.append(key.split("."))
    result.sort()
    return [".".join(parts) for parts in result]


def to_chars(value):
    """Convert the value to the characters in a text."""
    if value[0] == "text":
        return value[1]
    elif value[0] == "list":
        result = ""
        for i in range(len(value[1])):
            if i > 0:
                result = result + ", "
            result = result + to_chars(value[1][i])
        return result
    else:
        return format_value(value)


def compute(key, count, ctx):
    """Compute the value of the key by the first lines."""
    stack = ctx["stacks"][key]
    s = stack[count - 1]
    if s["no"] not in ctx["says"][key]:
        ctx["says"][key].append(s["no"])
    if s["sign"] == "=" or s["sign"] == "=!":
        if s["value"][0] == "ref":
            if s["value"][1] == "^":
                # The value below
                if count > 1:
                    v = compute(key, count - 1, ctx)
                else:
                    ctx["faults"].append([s["file_no"], s["line_no"], key.split("."), key + " has nothing below", s["place"]])
                    v = None
            else:
                ctx["via"][key] = s
                if s["value"][1] not in ctx["stacks"]:
                    ctx["faults"].append([s["file_no"], s["line_no"], key.split("."), key + " refers to " + s["value"][1] + ", which has no value", s["place"]])
                    v = None
                elif s["value"][1] in ctx["path"]:
                    # Tell the cycle from its first key
                    cycle = ctx["path"][ctx["path"].index(s["value"][1]):]
                    first = sort_keys(cycle)[0]
                    while cycle[0] != first:
                        cycle = cycle[1:] + cycle[:1]
                    f = ctx["via"][first]
                    ctx["faults"].append([f["file_no"], f["line_no"], first.split("."), "cycle: " + " -> ".join(cycle + [first]), f["place"]])
                    v = None
                elif s["value"][1] in ctx["values"]:
                    v = ctx["values"][s["value"][1]]
                else:
                    v = compute_key(s["value"][1], ctx)
            if v is None:
                return None
            if ctx["schema"] is not None:
                declared = None
                for d in ctx["schema"]:
                    if d["key"] == key:
                        declared = d
                if declared is None:
                    for d in ctx["schema"]:
                        parts = d["key"].split(".")
                        own_parts = key.split(".")
                        if declared is None and len(parts) == len(own_parts):
                            match = True
                            for n in range(len(parts)):
                                if parts[n] != "*" and parts[n] != own_parts[n]:
                                    match = False
                            if match:
                                declared = d
                if declared["kind"] != v[0]:
                    ctx["faults"].append([s["file_no"], s["line_no"], key.split("."), key + " must be " + declared["kind"] + ", not " + v[0], s["place"]])
                    return None
                return v
            # Check the kind of the value
            for other in stack:
                if other["kind"] is not None:
                    if other["kind"] != v[0]:
                        ctx["faults"].append([s["file_no"], s["line_no"], key.split("."), key + " is " + other["kind"] + " in " + other["place"] + ", not " + v[0], s["place"]])
                        return None
                    break
            return v
        elif s["value"][0] == "text":
            ok = True
            result = ""
            for piece in s["value"][1]:
                if isinstance(piece, str):
                    result = result + piece
                else:
                    if piece[1] == "^":
                        # The value below
                        if count > 1:
                            v = compute(key, count - 1, ctx)
                        else:
                            ctx["faults"].append([s["file_no"], s["line_no"], key.split("."), key + " has nothing below", s["place"]])
                            v = None
                    else:
                        ctx["via"][key] = s
                        if piece[1] not in ctx["stacks"]:
                            ctx["faults"].append([s["file_no"], s["line_no"], key.split("."), key + " refers to " + piece[1] + ", which has no value", s["place"]])
                            v = None
                        elif piece[1] in ctx["path"]:
                            # Tell the cycle from its first key
                            cycle = ctx["path"][ctx["path"].index(piece[1]):]
                            first = sort_keys(cycle)[0]
                            while cycle[0] != first:
                                cycle = cycle[1:] + cycle[:1]
                            f = ctx["via"][first]
                            ctx["faults"].append([f["file_no"], f["line_no"], first.split("."), "cycle: " + " -> ".join(cycle + [first]), f["place"]])
                            v = None
                        elif piece[1] in ctx["values"]:
                            v = ctx["values"][piece[1]]
                        else:
                            v = compute_key(piece[1], ctx)
                    if v is None:
                        ok = False
                    else:
                        result = result + to_chars(v)
            if not ok:
                return None
            return ["text", result]
        elif s["value"][0] == "list":
            items = []
            good = True
            for item in s["value"][1]:
                if item[0] == "ref":
                    if item[1] == "^":
                        # The value below
                        if count > 1:
                            v = compute(key, count - 1, ctx)
                        else:
                            ctx["faults"].append([s["file_no"], s["line_no"], key.split("."), key + " has nothing below", s["place"]])
                            v = None
                    else:
                        ctx["via"][key] = s
                        if item[1] not in ctx["stacks"]:
                            ctx["faults"].append([s["file_no"], s["line_no"], key.split("."), key + " refers to " + item[1] + ", which has no value", s["place"]])
                            v = None
                        elif item[1] in ctx["path"]:
                            # Tell the cycle from its first key
                            cycle = ctx["path"][ctx["path"].index(item[1]):]
                            first = sort_keys(cycle)[0]
                            while cycle[0] != first:
                                cycle = cycle[1:] + cycle[:1]
                            f = ctx["via"][first]
                            ctx["faults"].append([f["file_no"], f["line_no"], first.split("."), "cycle: " + " -> ".join(cycle + [first]), f["place"]])
                            v = None
                        elif item[1] in ctx["values"]:
                            v = ctx["values"][item[1]]
                        else:
                            v = compute_key(item[1], ctx)
                    if v is None:
                        good = False
                    elif v[0] == "list":
                        for one in v[1]:
                            items.append(one)
                    else:
                        items.append(v)
                elif item[0] == "text":
                    ok = True
                    result = ""
                    for piece in item[1]:
                        if isinstance(piece, str):
                            result = result + piece
                        else:
                            if piece[1] == "^":
                                # The value below
                                if count > 1:
                                    v = compute(key, count - 1, ctx)
                                else:
                                    ctx["faults"].append([s["file_no"], s["line_no"], key.split("."), key + " has nothing below", s["place"]])
                                    v = None
                            else:
                                ctx["via"][key] = s
                                if piece[1] not in ctx["stacks"]:
                                    ctx["faults"].append([s["file_no"], s["line_no"], key.split("."), key + " refers to " + piece[1] + ", which has no value", s["place"]])
                                    v = None
                                elif piece[1] in ctx["path"]:
                                    # Tell the cycle from its first key
                                    cycle = ctx["path"][ctx["path"].index(piece[1]):]
                                    first = sort_keys(cycle)[0]
                                    while cycle[0] != first:
                                        cycle = cycle[1:] + cycle[:1]
                                    f = ctx["via"][first]
                                    ctx["faults"].append([f["file_no"], f["line_no"], first.split("."), "cycle: " + " -> ".join(cycle + [first]), f["place"]])
                                    v = None
                                elif piece[1] in ctx["values"]:
                                    v = ctx["values"][piece[1]]
                                else:
                                    v = compute_key(piece[1], ctx)
                            if v is None:
                                ok = False
                            else:
                                result = result + to_chars(v)
                    if ok:
                        items.append(["text", result])
                    else:
                        good = False
                else:
                    items.append(item)
            if not good:
                return None
            return ["list", items]
        else:
            return s["value"]
    else:
        if count > 1:
            base = compute(key, count - 1, ctx)
        else:
            base = ["list", []]
        # Find the items of the change
        if s["value"][0] == "list":
            parts = s["value"][1]
        else:
            parts = [s["value"]]
        items = []
        good = True
        for item in parts:
            if item[0] == "ref":
                if item[1] == "^":
                    # The value below
                    if count > 1:
                        v = compute(key, count - 1, ctx)
                    else:
                        ctx["faults"].append([s["file_no"], s["line_no"], key.split("."), key + " has nothing below", s["place"]])
                        v = None
                else:
                    ctx["via"][key] = s
                    if item[1] not in ctx["stacks"]:
                        ctx["faults"].append([s["file_no"], s["line_no"], key.split("."), key + " refers to " + item[1] + ", which has no value", s["place"]])
                        v = None
                    elif item[1] in ctx["path"]:
                        # Tell the cycle from its first key
                        cycle = ctx["path"][ctx["path"].index(item[1]):]
                        first = sort_keys(cycle)[0]
                        while cycle[0] != first:
                            cycle = cycle[1:] + cycle[:1]
                        f = ctx["via"][first]
                        ctx["faults"].append([f["file_no"], f["line_no"], first.split("."), "cycle: " + " -> ".join(cycle + [first]), f["place"]])
                        v = None
                    elif item[1] in ctx["values"]:
                        v = ctx["values"][item[1]]
                    else:
                        v = compute_key(item[1], ctx)
                if v is None:
                    good = False
                elif v[0] == "list":
                    for one in v[1]:
                        items.append(one)
                else:
                    items.append(v)
            elif item[0] == "text":
                ok = True
                result = ""
                for piece in item[1]:
                    if isinstance(piece, str):
                        result = result + piece
                    else:
                        if piece[1] == "^":
                            # The value below
                            if count > 1:
                                v = compute(key, count - 1, ctx)
                            else:
                                ctx["faults"].append([s["file_no"], s["line_no"], key.split("."), key + " has nothing below", s["place"]])
                                v = None
                        else:
                            ctx["via"][key] = s
                            if piece[1] not in ctx["stacks"]:
                                ctx["faults"].append([s["file_no"], s["line_no"], key.split("."), key + " refers to " + piece[1] + ", which has no value", s["place"]])
                                v = None
                            elif piece[1] in ctx["path"]:
                                # Tell the cycle from its first key
                                cycle = ctx["path"][ctx["path"].index(piece[1]):]
                                first = sort_keys(cycle)[0]
                                while cycle[0] != first:
                                    cycle = cycle[1:] + cycle[:1]
                                f = ctx["via"][first]
                                ctx["faults"].append([f["file_no"], f["line_no"], first.split("."), "cycle: " + " -> ".join(cycle + [first]), f["place"]])
                                v = None
                            elif piece[1] in ctx["values"]:
                                v = ctx["values"][piece[1]]
                            else:
                                v = compute_key(piece[1], ctx)
                        if v is None:
                            ok = False
                        else:
                            result = result + to_chars(v)
                if ok:
                    items.append(["text", result])
                else:
                    good = False
            else:
                items.append(item)
        if base is None or not good:
            return None
        if s["sign"] == "+=":
            return ["list", base[1] + items]
        else:
            left = []
            for item in base[1]:
                if item not in items:
                    left.append(item)
            return ["list", left]


def compute_key(key, ctx):
    """Compute the value of the key."""
    ctx["path"].append(key)
    ctx["says"][key] = []
    value = compute(key, len(ctx["stacks"][key]), ctx)
    ctx["path"].pop()
    if value is not None:
        # Find the strongest line which has a say
        strongest = None
        for s in ctx["stacks"][key]:
            if s["no"] in ctx["says"][key]:
                strongest = s
        if value[0] == "text" and len(value[1]) > 60:
            ctx["faults"].append([strongest["file_no"], strongest["line_no"], key.split("."), key + " is too long", strongest["place"]])
            value = None
        elif value[0] == "list" and len(value[1]) > 12:
            ctx["faults"].append([strongest["file_no"], strongest["line_no"], key.split("."), key + " is too long", strongest["place"]])
            value = None
        elif ctx["schema"] is not None:
            declared = None
            for d in ctx["schema"]:
                if d["key"] == key:
                    declared = d
            if declared is None:
                for d in ctx["schema"]:
                    parts = d["key"].split(".")
                    own_parts = key.split(".")
                    if declared is None and len(parts) == len(own_parts):
                        match = True
                        for n in range(len(parts)):
                            if parts[n] != "*" and parts[n] != own_parts[n]:
                                match = False
                        if match:
                            declared = d
            if declared["limits"] is not None:
                low, high = declared["limits"]
                if value[0] == "text" or value[0] == "list":
                    if len(value[1]) < low[1] or len(value[1]) > high[1]:
                        ctx["faults"].append([strongest["file_no"], strongest["line_no"], key.split("."), key + " has length " + str(len(value[1])) + ", outside " + format_value(low) + ".." + format_value(high), strongest["place"]])
                        value = None
                else:
                    if value[1] < low[1] or value[1] > high[1]:
                        ctx["faults"].append([strongest["file_no"], strongest["line_no"], key.split("."), key + " is " + format_value(value) + ", outside " + format_value(low) + ".." + format_value(high), strongest["place"]])
                        value = None
    ctx["values"][key] = value
    return value


def do_get(folder, key, venue, profiles, night):
    """Print the value of the key."""
    wanted = key
    result = load(folder, venue, profiles, night, {})
    if result is None:
        return 1
    data, layers, schema = result
    faults = data["faults"]
    everything = data["settings"]
    # Sort the lines by strength
    everything.sort(key=lambda s: (not s["star"], s["file_no"], s["rank"], s["line_no"]))
    settings = []
    for s in everything:
        if s["applies"]:
            settings.append(s)
    # Find the written keys
    written = []
    for s in settings:
        if not s["star"] and s["key"] not in written:
            written.append(s["key"])
    # Build the stacks, defaults first
    stacks = {}
    for s in settings:
        if s["star"]:
            parts = s["key"].split(".")
            last = 0
            for i in range(len(parts)):
                if parts[i] == "*":
                    last = i + 1
            for other in written:
                other_parts = other.split(".")
                if len(other_parts) > last:
                    match = True
                    for i in range(last):
                        if parts[i] != "*" and parts[i] != other_parts[i]:
                            match = False
                    if match:
                        new_key = ".".join(other_parts[:last] + parts[last:])
                        if new_key not in stacks:
                            stacks[new_key] = []
                        if s not in stacks[new_key]:
                            stacks[new_key].append(s)
    for s in settings:
        if not s["star"]:
            if s["key"] not in stacks:
                stacks[s["key"]] = []
            stacks[s["key"]].append(s)
    if schema is None:
        # Check the kinds
        for key in stacks:
            first = None
            for s in stacks[key]:
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                if s["kind"] is not None:
                    if first is None:
                        first = s
                    elif s["kind"] != first["kind"] and lock is None:
                        faults.append([s["file_no"], s["line_no"], key.split("."), key + " is " + first["kind"] + " in " + first["place"] + ", not " + s["kind"], s["place"]])
    else:
        # Check the lines with the schema
        for key in stacks:
            declared = None
            for d in schema:
                if d["key"] == key:
                    declared = d
            if declared is None:
                for d in schema:
                    parts = d["key"].split(".")
                    own_parts = key.split(".")
                    if declared is None and len(parts) == len(own_parts):
                        match = True
                        for n in range(len(parts)):
                            if parts[n] != "*" and parts[n] != own_parts[n]:
                                match = False
                        if match:
                            declared = d
            for s in stacks[key]:
                if declared is None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is not in the schema", s["place"]])
                    continue
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                elif s["kind"] is not None and s["kind"] != declared["kind"]:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " must be " + declared["kind"] + ", not " + s["kind"], s["place"]])
    if len(faults) > 0:
        # Print all the faults, the same only once
        faults.sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in faults:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    # Compute all the values
    ctx = {"stacks": stacks, "values": {}, "says": {}, "path": [], "via": {}, "faults": [], "schema": schema}
    for key in sort_keys(stacks.keys()):
        if key not in ctx["values"]:
            compute_key(key, ctx)
    if schema is not None:
        # Check the required keys
        for d in schema:
            if d["required"] and d["key"] not in stacks:
                ctx["faults"].append([-1, d["line_no"], d["key"].split("."), d["key"] + " is required", d["place"]])
    if len(ctx["faults"]) > 0:
        # Print all the faults, the same only once
        ctx["faults"].sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in ctx["faults"]:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    values = ctx["values"]
    says = ctx["says"]
    asked = wanted
    while wanted in data["renames"]:
        wanted = data["renames"][wanted]
    if wanted not in values:
        print("error: no key " + asked, file=sys.stderr)
        return 1
    print(format_value(values[wanted]))
    return 0


def do_origin(folder, key, venue, profiles, night):
    """Print the origin of the key."""
    wanted = key
    result = load(folder, venue, profiles, night, {})
    if result is None:
        return 1
    data, layers, schema = result
    faults = data["faults"]
    everything = data["settings"]
    # Sort the lines by strength
    everything.sort(key=lambda s: (not s["star"], s["file_no"], s["rank"], s["line_no"]))
    settings = []
    for s in everything:
        if s["applies"]:
            settings.append(s)
    # Find the written keys
    written = []
    for s in settings:
        if not s["star"] and s["key"] not in written:
            written.append(s["key"])
    # Build the stacks, defaults first
    stacks = {}
    for s in settings:
        if s["star"]:
            parts = s["key"].split(".")
            last = 0
            for i in range(len(parts)):
                if parts[i] == "*":
                    last = i + 1
            for other in written:
                other_parts = other.split(".")
                if len(other_parts) > last:
                    match = True
                    for i in range(last):
                        if parts[i] != "*" and parts[i] != other_parts[i]:
                            match = False
                    if match:
                        new_key = ".".join(other_parts[:last] + parts[last:])
                        if new_key not in stacks:
                            stacks[new_key] = []
                        if s not in stacks[new_key]:
                            stacks[new_key].append(s)
    for s in settings:
        if not s["star"]:
            if s["key"] not in stacks:
                stacks[s["key"]] = []
            stacks[s["key"]].append(s)
    if schema is None:
        # Check the kinds
        for key in stacks:
            first = None
            for s in stacks[key]:
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                if s["kind"] is not None:
                    if first is None:
                        first = s
                    elif s["kind"] != first["kind"] and lock is None:
                        faults.append([s["file_no"], s["line_no"], key.split("."), key + " is " + first["kind"] + " in " + first["place"] + ", not " + s["kind"], s["place"]])
    else:
        # Check the lines with the schema
        for key in stacks:
            declared = None
            for d in schema:
                if d["key"] == key:
                    declared = d
            if declared is None:
                for d in schema:
                    parts = d["key"].split(".")
                    own_parts = key.split(".")
                    if declared is None and len(parts) == len(own_parts):
                        match = True
                        for n in range(len(parts)):
                            if parts[n] != "*" and parts[n] != own_parts[n]:
                                match = False
                        if match:
                            declared = d
            for s in stacks[key]:
                if declared is None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is not in the schema", s["place"]])
                    continue
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                elif s["kind"] is not None and s["kind"] != declared["kind"]:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " must be " + declared["kind"] + ", not " + s["kind"], s["place"]])
    if len(faults) > 0:
        # Print all the faults, the same only once
        faults.sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in faults:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    # Compute all the values
    ctx = {"stacks": stacks, "values": {}, "says": {}, "path": [], "via": {}, "faults": [], "schema": schema}
    for key in sort_keys(stacks.keys()):
        if key not in ctx["values"]:
            compute_key(key, ctx)
    if schema is not None:
        # Check the required keys
        for d in schema:
            if d["required"] and d["key"] not in stacks:
                ctx["faults"].append([-1, d["line_no"], d["key"].split("."), d["key"] + " is required", d["place"]])
    if len(ctx["faults"]) > 0:
        # Print all the faults, the same only once
        ctx["faults"].sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in ctx["faults"]:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    values = ctx["values"]
    says = ctx["says"]
    asked = wanted
    while wanted in data["renames"]:
        wanted = data["renames"][wanted]
    if wanted not in values:
        print("error: no key " + asked, file=sys.stderr)
        return 1
    for s in stacks[wanted]:
        if s["no"] in says[wanted]:
            print(s["place"])
    return 0


def do_table(folder, group, venue, profiles, night):
    """Print the table of all the keys."""
    result = load(folder, venue, profiles, night, {})
    if result is None:
        return 1
    data, layers, schema = result
    faults = data["faults"]
    everything = data["settings"]
    # Sort the lines by strength
    everything.sort(key=lambda s: (not s["star"], s["file_no"], s["rank"], s["line_no"]))
    settings = []
    for s in everything:
        if s["applies"]:
            settings.append(s)
    # Find the written keys
    written = []
    for s in settings:
        if not s["star"] and s["key"] not in written:
            written.append(s["key"])
    # Build the stacks, defaults first
    stacks = {}
    for s in settings:
        if s["star"]:
            parts = s["key"].split(".")
            last = 0
            for i in range(len(parts)):
                if parts[i] == "*":
                    last = i + 1
            for other in written:
                other_parts = other.split(".")
                if len(other_parts) > last:
                    match = True
                    for i in range(last):
                        if parts[i] != "*" and parts[i] != other_parts[i]:
                            match = False
                    if match:
                        new_key = ".".join(other_parts[:last] + parts[last:])
                        if new_key not in stacks:
                            stacks[new_key] = []
                        if s not in stacks[new_key]:
                            stacks[new_key].append(s)
    for s in settings:
        if not s["star"]:
            if s["key"] not in stacks:
                stacks[s["key"]] = []
            stacks[s["key"]].append(s)
    if schema is None:
        # Check the kinds
        for key in stacks:
            first = None
            for s in stacks[key]:
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                if s["kind"] is not None:
                    if first is None:
                        first = s
                    elif s["kind"] != first["kind"] and lock is None:
                        faults.append([s["file_no"], s["line_no"], key.split("."), key + " is " + first["kind"] + " in " + first["place"] + ", not " + s["kind"], s["place"]])
    else:
        # Check the lines with the schema
        for key in stacks:
            declared = None
            for d in schema:
                if d["key"] == key:
                    declared = d
            if declared is None:
                for d in schema:
                    parts = d["key"].split(".")
                    own_parts = key.split(".")
                    if declared is None and len(parts) == len(own_parts):
                        match = True
                        for n in range(len(parts)):
                            if parts[n] != "*" and parts[n] != own_parts[n]:
                                match = False
                        if match:
                            declared = d
            for s in stacks[key]:
                if declared is None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is not in the schema", s["place"]])
                    continue
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                elif s["kind"] is not None and s["kind"] != declared["kind"]:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " must be " + declared["kind"] + ", not " + s["kind"], s["place"]])
    if len(faults) > 0:
        # Print all the faults, the same only once
        faults.sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in faults:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    # Compute all the values
    ctx = {"stacks": stacks, "values": {}, "says": {}, "path": [], "via": {}, "faults": [], "schema": schema}
    for key in sort_keys(stacks.keys()):
        if key not in ctx["values"]:
            compute_key(key, ctx)
    if schema is not None:
        # Check the required keys
        for d in schema:
            if d["required"] and d["key"] not in stacks:
                ctx["faults"].append([-1, d["line_no"], d["key"].split("."), d["key"] + " is required", d["place"]])
    if len(ctx["faults"]) > 0:
        # Print all the faults, the same only once
        ctx["faults"].sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in ctx["faults"]:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    values = ctx["values"]
    says = ctx["says"]
    for key in sort_keys(values.keys()):
        if group is None:
            places = []
            for s in stacks[key]:
                if s["no"] in says[key]:
                    places.append(s["place"])
            print(key + " = " + format_value(values[key]) + " # " + ", ".join(places))
        elif key == group or key.startswith(group + "."):
            places = []
            for s in stacks[key]:
                if s["no"] in says[key]:
                    places.append(s["place"])
            print(key + " = " + format_value(values[key]) + " # " + ", ".join(places))
    return 0


def do_check(folder, venue, profiles, night):
    """Print the counts."""
    result = load(folder, venue, profiles, night, {})
    if result is None:
        return 1
    data, layers, schema = result
    faults = data["faults"]
    everything = data["settings"]
    # Sort the lines by strength
    everything.sort(key=lambda s: (not s["star"], s["file_no"], s["rank"], s["line_no"]))
    settings = []
    for s in everything:
        if s["applies"]:
            settings.append(s)
    # Find the written keys
    written = []
    for s in settings:
        if not s["star"] and s["key"] not in written:
            written.append(s["key"])
    # Build the stacks, defaults first
    stacks = {}
    for s in settings:
        if s["star"]:
            parts = s["key"].split(".")
            last = 0
            for i in range(len(parts)):
                if parts[i] == "*":
                    last = i + 1
            for other in written:
                other_parts = other.split(".")
                if len(other_parts) > last:
                    match = True
                    for i in range(last):
                        if parts[i] != "*" and parts[i] != other_parts[i]:
                            match = False
                    if match:
                        new_key = ".".join(other_parts[:last] + parts[last:])
                        if new_key not in stacks:
                            stacks[new_key] = []
                        if s not in stacks[new_key]:
                            stacks[new_key].append(s)
    for s in settings:
        if not s["star"]:
            if s["key"] not in stacks:
                stacks[s["key"]] = []
            stacks[s["key"]].append(s)
    if schema is None:
        # Check the kinds
        for key in stacks:
            first = None
            for s in stacks[key]:
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                if s["kind"] is not None:
                    if first is None:
                        first = s
                    elif s["kind"] != first["kind"] and lock is None:
                        faults.append([s["file_no"], s["line_no"], key.split("."), key + " is " + first["kind"] + " in " + first["place"] + ", not " + s["kind"], s["place"]])
    else:
        # Check the lines with the schema
        for key in stacks:
            declared = None
            for d in schema:
                if d["key"] == key:
                    declared = d
            if declared is None:
                for d in schema:
                    parts = d["key"].split(".")
                    own_parts = key.split(".")
                    if declared is None and len(parts) == len(own_parts):
                        match = True
                        for n in range(len(parts)):
                            if parts[n] != "*" and parts[n] != own_parts[n]:
                                match = False
                        if match:
                            declared = d
            for s in stacks[key]:
                if declared is None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is not in the schema", s["place"]])
                    continue
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                elif s["kind"] is not None and s["kind"] != declared["kind"]:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " must be " + declared["kind"] + ", not " + s["kind"], s["place"]])
    if len(faults) > 0:
        # Print all the faults, the same only once
        faults.sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in faults:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    # Compute all the values
    ctx = {"stacks": stacks, "values": {}, "says": {}, "path": [], "via": {}, "faults": [], "schema": schema}
    for key in sort_keys(stacks.keys()):
        if key not in ctx["values"]:
            compute_key(key, ctx)
    if schema is not None:
        # Check the required keys
        for d in schema:
            if d["required"] and d["key"] not in stacks:
                ctx["faults"].append([-1, d["line_no"], d["key"].split("."), d["key"] + " is required", d["place"]])
    if len(ctx["faults"]) > 0:
        # Print all the faults, the same only once
        ctx["faults"].sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in ctx["faults"]:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    values = ctx["values"]
    says = ctx["says"]
    unused = 0
    for s in settings:
        used = False
        for key in says:
            if s["no"] in says[key]:
                used = True
        if not used:
            unused += 1
    print("keys: " + str(len(values)) + ", layers: " + str(len(layers)) + ", unused: " + str(unused))
    # Print the old names
    everything.sort(key=lambda s: (s["file_no"], s["line_no"]))
    printed = []
    for s in everything:
        for name in s["used"]:
            if name in data["renames"]:
                last = name
                while last in data["renames"]:
                    last = data["renames"][last]
                line = s["place"] + ": " + name + " is now " + last
                if line not in printed:
                    printed.append(line)
                    print(line)
    return 0


def do_explain(folder, key, venue, profiles, night):
    """Explain the value of the key."""
    wanted = key
    result = load(folder, venue, profiles, night, {})
    if result is None:
        return 1
    data, layers, schema = result
    faults = data["faults"]
    everything = data["settings"]
    # Sort the lines by strength
    everything.sort(key=lambda s: (not s["star"], s["file_no"], s["rank"], s["line_no"]))
    settings = []
    for s in everything:
        if s["applies"]:
            settings.append(s)
    # Find the written keys
    written = []
    for s in settings:
        if not s["star"] and s["key"] not in written:
            written.append(s["key"])
    # Build the stacks, defaults first
    stacks = {}
    for s in settings:
        if s["star"]:
            parts = s["key"].split(".")
            last = 0
            for i in range(len(parts)):
                if parts[i] == "*":
                    last = i + 1
            for other in written:
                other_parts = other.split(".")
                if len(other_parts) > last:
                    match = True
                    for i in range(last):
                        if parts[i] != "*" and parts[i] != other_parts[i]:
                            match = False
                    if match:
                        new_key = ".".join(other_parts[:last] + parts[last:])
                        if new_key not in stacks:
                            stacks[new_key] = []
                        if s not in stacks[new_key]:
                            stacks[new_key].append(s)
    for s in settings:
        if not s["star"]:
            if s["key"] not in stacks:
                stacks[s["key"]] = []
            stacks[s["key"]].append(s)
    if schema is None:
        # Check the kinds
        for key in stacks:
            first = None
            for s in stacks[key]:
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                if s["kind"] is not None:
                    if first is None:
                        first = s
                    elif s["kind"] != first["kind"] and lock is None:
                        faults.append([s["file_no"], s["line_no"], key.split("."), key + " is " + first["kind"] + " in " + first["place"] + ", not " + s["kind"], s["place"]])
    else:
        # Check the lines with the schema
        for key in stacks:
            declared = None
            for d in schema:
                if d["key"] == key:
                    declared = d
            if declared is None:
                for d in schema:
                    parts = d["key"].split(".")
                    own_parts = key.split(".")
                    if declared is None and len(parts) == len(own_parts):
                        match = True
                        for n in range(len(parts)):
                            if parts[n] != "*" and parts[n] != own_parts[n]:
                                match = False
                        if match:
                            declared = d
            for s in stacks[key]:
                if declared is None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is not in the schema", s["place"]])
                    continue
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                elif s["kind"] is not None and s["kind"] != declared["kind"]:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " must be " + declared["kind"] + ", not " + s["kind"], s["place"]])
    if len(faults) > 0:
        # Print all the faults, the same only once
        faults.sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in faults:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    # Compute all the values
    ctx = {"stacks": stacks, "values": {}, "says": {}, "path": [], "via": {}, "faults": [], "schema": schema}
    for key in sort_keys(stacks.keys()):
        if key not in ctx["values"]:
            compute_key(key, ctx)
    if schema is not None:
        # Check the required keys
        for d in schema:
            if d["required"] and d["key"] not in stacks:
                ctx["faults"].append([-1, d["line_no"], d["key"].split("."), d["key"] + " is required", d["place"]])
    if len(ctx["faults"]) > 0:
        # Print all the faults, the same only once
        ctx["faults"].sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in ctx["faults"]:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    values = ctx["values"]
    says = ctx["says"]
    asked = wanted
    while wanted in data["renames"]:
        wanted = data["renames"][wanted]
    # Find the lines which say something of the key
    about = []
    for s in everything:
        parts = s["key"].split(".")
        own_parts = wanted.split(".")
        if len(parts) == len(own_parts):
            match = True
            for n in range(len(parts)):
                if parts[n] != "*" and parts[n] != own_parts[n]:
                    match = False
            if match:
                about.append(s)
    if len(about) == 0 or "*" in wanted:
        print("error: no key " + asked, file=sys.stderr)
        return 1
    if wanted in values:
        print(wanted + " = " + format_value(values[wanted]))
    else:
        print(wanted + " has no value")
    for s in about:
        start = "  " + s["place"] + " " + s["header"] + s["written"] + " " + s["sign"] + " " + s["raw"]
        if not s["applies"]:
            print(start + " (does not apply)")
        elif wanted not in stacks or s not in stacks[wanted]:
            print(start + " (no group)")
        elif s["no"] not in says[wanted]:
            print(start + " (overruled)")
        else:
            print(start + " (used)")
            # Print the references
            targets = []
            if s["value"][0] == "ref":
                if s["value"][1] != "^" and s["value"][1] not in targets:
                    targets.append(s["value"][1])
            elif s["value"][0] == "text":
                for piece in s["value"][1]:
                    if not isinstance(piece, str) and piece[1] != "^" and piece[1] not in targets:
                        targets.append(piece[1])
            elif s["value"][0] == "list":
                for item in s["value"][1]:
                    if item[0] == "ref":
                        if item[1] != "^" and item[1] not in targets:
                            targets.append(item[1])
                    elif item[0] == "text":
                        for piece in item[1]:
                            if not isinstance(piece, str) and piece[1] != "^" and piece[1] not in targets:
                                targets.append(piece[1])
            for target in targets:
                print("    " + target + " = " + format_value(values[target]))
    return 0


def do_diff(folder, first, second, venue, profiles):
    """Print the difference of the nights."""
    night = first
    result = load(folder, venue, profiles, night, {})
    if result is None:
        return 1
    data, layers, schema = result
    faults = data["faults"]
    everything = data["settings"]
    # Sort the lines by strength
    everything.sort(key=lambda s: (not s["star"], s["file_no"], s["rank"], s["line_no"]))
    settings = []
    for s in everything:
        if s["applies"]:
            settings.append(s)
    # Find the written keys
    written = []
    for s in settings:
        if not s["star"] and s["key"] not in written:
            written.append(s["key"])
    # Build the stacks, defaults first
    stacks = {}
    for s in settings:
        if s["star"]:
            parts = s["key"].split(".")
            last = 0
            for i in range(len(parts)):
                if parts[i] == "*":
                    last = i + 1
            for other in written:
                other_parts = other.split(".")
                if len(other_parts) > last:
                    match = True
                    for i in range(last):
                        if parts[i] != "*" and parts[i] != other_parts[i]:
                            match = False
                    if match:
                        new_key = ".".join(other_parts[:last] + parts[last:])
                        if new_key not in stacks:
                            stacks[new_key] = []
                        if s not in stacks[new_key]:
                            stacks[new_key].append(s)
    for s in settings:
        if not s["star"]:
            if s["key"] not in stacks:
                stacks[s["key"]] = []
            stacks[s["key"]].append(s)
    if schema is None:
        # Check the kinds
        for key in stacks:
            first = None
            for s in stacks[key]:
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                if s["kind"] is not None:
                    if first is None:
                        first = s
                    elif s["kind"] != first["kind"] and lock is None:
                        faults.append([s["file_no"], s["line_no"], key.split("."), key + " is " + first["kind"] + " in " + first["place"] + ", not " + s["kind"], s["place"]])
    else:
        # Check the lines with the schema
        for key in stacks:
            declared = None
            for d in schema:
                if d["key"] == key:
                    declared = d
            if declared is None:
                for d in schema:
                    parts = d["key"].split(".")
                    own_parts = key.split(".")
                    if declared is None and len(parts) == len(own_parts):
                        match = True
                        for n in range(len(parts)):
                            if parts[n] != "*" and parts[n] != own_parts[n]:
                                match = False
                        if match:
                            declared = d
            for s in stacks[key]:
                if declared is None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is not in the schema", s["place"]])
                    continue
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                elif s["kind"] is not None and s["kind"] != declared["kind"]:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " must be " + declared["kind"] + ", not " + s["kind"], s["place"]])
    if len(faults) > 0:
        # Print all the faults, the same only once
        faults.sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in faults:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    # Compute all the values
    ctx = {"stacks": stacks, "values": {}, "says": {}, "path": [], "via": {}, "faults": [], "schema": schema}
    for key in sort_keys(stacks.keys()):
        if key not in ctx["values"]:
            compute_key(key, ctx)
    if schema is not None:
        # Check the required keys
        for d in schema:
            if d["required"] and d["key"] not in stacks:
                ctx["faults"].append([-1, d["line_no"], d["key"].split("."), d["key"] + " is required", d["place"]])
    if len(ctx["faults"]) > 0:
        # Print all the faults, the same only once
        ctx["faults"].sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in ctx["faults"]:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    values = ctx["values"]
    says = ctx["says"]
    old_values = values
    night = second
    result = load(folder, venue, profiles, night, {})
    if result is None:
        return 1
    data, layers, schema = result
    faults = data["faults"]
    everything = data["settings"]
    # Sort the lines by strength
    everything.sort(key=lambda s: (not s["star"], s["file_no"], s["rank"], s["line_no"]))
    settings = []
    for s in everything:
        if s["applies"]:
            settings.append(s)
    # Find the written keys
    written = []
    for s in settings:
        if not s["star"] and s["key"] not in written:
            written.append(s["key"])
    # Build the stacks, defaults first
    stacks = {}
    for s in settings:
        if s["star"]:
            parts = s["key"].split(".")
            last = 0
            for i in range(len(parts)):
                if parts[i] == "*":
                    last = i + 1
            for other in written:
                other_parts = other.split(".")
                if len(other_parts) > last:
                    match = True
                    for i in range(last):
                        if parts[i] != "*" and parts[i] != other_parts[i]:
                            match = False
                    if match:
                        new_key = ".".join(other_parts[:last] + parts[last:])
                        if new_key not in stacks:
                            stacks[new_key] = []
                        if s not in stacks[new_key]:
                            stacks[new_key].append(s)
    for s in settings:
        if not s["star"]:
            if s["key"] not in stacks:
                stacks[s["key"]] = []
            stacks[s["key"]].append(s)
    if schema is None:
        # Check the kinds
        for key in stacks:
            first = None
            for s in stacks[key]:
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                if s["kind"] is not None:
                    if first is None:
                        first = s
                    elif s["kind"] != first["kind"] and lock is None:
                        faults.append([s["file_no"], s["line_no"], key.split("."), key + " is " + first["kind"] + " in " + first["place"] + ", not " + s["kind"], s["place"]])
    else:
        # Check the lines with the schema
        for key in stacks:
            declared = None
            for d in schema:
                if d["key"] == key:
                    declared = d
            if declared is None:
                for d in schema:
                    parts = d["key"].split(".")
                    own_parts = key.split(".")
                    if declared is None and len(parts) == len(own_parts):
                        match = True
                        for n in range(len(parts)):
                            if parts[n] != "*" and parts[n] != own_parts[n]:
                                match = False
                        if match:
                            declared = d
            for s in stacks[key]:
                if declared is None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is not in the schema", s["place"]])
                    continue
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                elif s["kind"] is not None and s["kind"] != declared["kind"]:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " must be " + declared["kind"] + ", not " + s["kind"], s["place"]])
    if len(faults) > 0:
        # Print all the faults, the same only once
        faults.sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in faults:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    # Compute all the values
    ctx = {"stacks": stacks, "values": {}, "says": {}, "path": [], "via": {}, "faults": [], "schema": schema}
    for key in sort_keys(stacks.keys()):
        if key not in ctx["values"]:
            compute_key(key, ctx)
    if schema is not None:
        # Check the required keys
        for d in schema:
            if d["required"] and d["key"] not in stacks:
                ctx["faults"].append([-1, d["line_no"], d["key"].split("."), d["key"] + " is required", d["place"]])
    if len(ctx["faults"]) > 0:
        # Print all the faults, the same only once
        ctx["faults"].sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in ctx["faults"]:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    values = ctx["values"]
    says = ctx["says"]
    all_keys = list(old_values.keys())
    for key in values:
        if key not in all_keys:
            all_keys.append(key)
    different = False
    for key in sort_keys(all_keys):
        if key not in old_values:
            print(key + ": none -> " + format_value(values[key]))
            different = True
        elif key not in values:
            print(key + ": " + format_value(old_values[key]) + " -> none")
            different = True
        elif old_values[key] != values[key]:
            print(key + ": " + format_value(old_values[key]) + " -> " + format_value(values[key]))
            different = True
    if not different:
        print("no difference")
    return 0


def do_set(folder, key, text, where, lock_it, venue, profiles, night):
    """Set the key to the value."""
    wanted = key
    key_text = key
    result = load(folder, venue, profiles, night, {})
    if result is None:
        return 1
    data, layers, schema = result
    faults = data["faults"]
    everything = data["settings"]
    # Sort the lines by strength
    everything.sort(key=lambda s: (not s["star"], s["file_no"], s["rank"], s["line_no"]))
    settings = []
    for s in everything:
        if s["applies"]:
            settings.append(s)
    # Find the written keys
    written = []
    for s in settings:
        if not s["star"] and s["key"] not in written:
            written.append(s["key"])
    # Build the stacks, defaults first
    stacks = {}
    for s in settings:
        if s["star"]:
            parts = s["key"].split(".")
            last = 0
            for i in range(len(parts)):
                if parts[i] == "*":
                    last = i + 1
            for other in written:
                other_parts = other.split(".")
                if len(other_parts) > last:
                    match = True
                    for i in range(last):
                        if parts[i] != "*" and parts[i] != other_parts[i]:
                            match = False
                    if match:
                        new_key = ".".join(other_parts[:last] + parts[last:])
                        if new_key not in stacks:
                            stacks[new_key] = []
                        if s not in stacks[new_key]:
                            stacks[new_key].append(s)
    for s in settings:
        if not s["star"]:
            if s["key"] not in stacks:
                stacks[s["key"]] = []
            stacks[s["key"]].append(s)
    if schema is None:
        # Check the kinds
        for key in stacks:
            first = None
            for s in stacks[key]:
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                if s["kind"] is not None:
                    if first is None:
                        first = s
                    elif s["kind"] != first["kind"] and lock is None:
                        faults.append([s["file_no"], s["line_no"], key.split("."), key + " is " + first["kind"] + " in " + first["place"] + ", not " + s["kind"], s["place"]])
    else:
        # Check the lines with the schema
        for key in stacks:
            declared = None
            for d in schema:
                if d["key"] == key:
                    declared = d
            if declared is None:
                for d in schema:
                    parts = d["key"].split(".")
                    own_parts = key.split(".")
                    if declared is None and len(parts) == len(own_parts):
                        match = True
                        for n in range(len(parts)):
                            if parts[n] != "*" and parts[n] != own_parts[n]:
                                match = False
                        if match:
                            declared = d
            for s in stacks[key]:
                if declared is None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is not in the schema", s["place"]])
                    continue
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                elif s["kind"] is not None and s["kind"] != declared["kind"]:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " must be " + declared["kind"] + ", not " + s["kind"], s["place"]])
    if len(faults) > 0:
        # Print all the faults, the same only once
        faults.sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in faults:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    # Compute all the values
    ctx = {"stacks": stacks, "values": {}, "says": {}, "path": [], "via": {}, "faults": [], "schema": schema}
    for key in sort_keys(stacks.keys()):
        if key not in ctx["values"]:
            compute_key(key, ctx)
    if schema is not None:
        # Check the required keys
        for d in schema:
            if d["required"] and d["key"] not in stacks:
                ctx["faults"].append([-1, d["line_no"], d["key"].split("."), d["key"] + " is required", d["place"]])
    if len(ctx["faults"]) > 0:
        # Print all the faults, the same only once
        ctx["faults"].sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in ctx["faults"]:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    values = ctx["values"]
    says = ctx["says"]
    if not check_key(wanted):
        print("error: bad key '" + wanted + "'", file=sys.stderr)
        return 1
    text = text.strip(" \t")
    bad = False
    try:
        value, raw = parse_value(text)
        if raw != text or "\n" in text:
            bad = True
    except BadValueException:
        bad = True
    if bad:
        print("error: bad value for " + key_text, file=sys.stderr)
        return 1
    while wanted in data["renames"]:
        wanted = data["renames"][wanted]
    if where is not None and where not in data["files"]:
        print("error: " + where + " is not in use", file=sys.stderr)
        return 1
    # Find the spot of the change
    spot = None
    for s in settings:
        if s["key"] == wanted:
            if where is None:
                if s["no"] in says[wanted]:
                    spot = s
            elif s["file"] == where:
                spot = s
    lines = []
    if spot is not None:
        for s in settings:
            if s["key"] == wanted and s["file_no"] == spot["file_no"] and s["section_no"] == spot["section_no"]:
                lines.append(s)
        file = spot["file"]
    elif where is not None:
        file = where
    else:
        file = layers[len(layers) - 1]
    with open(os.path.join(folder, file), "r", encoding="utf-8", newline="") as f:
        old_text = f.read()
    # Split the text into lines and keep their ends
    rows = []
    for row in old_text.split("\n"):
        rows.append(row + "\n")
    rows[len(rows) - 1] = rows[len(rows) - 1][:-1]
    if rows[len(rows) - 1] == "":
        rows.pop()
    new_sign = "="
    if lock_it:
        new_sign = "=!"
    if len(lines) > 0:
        # Replace the first line and remove the others
        row = rows[lines[0]["line_no"] - 1]
        eq = row.index("=")
        start = eq + 1
        if lines[0]["sign"] == "=!":
            start += 1
        while row[start] == " " or row[start] == "\t":
            start += 1
        end = start + len(lines[0]["raw"])
        if lines[0]["sign"] == "=!":
            new_sign = "=!"
            row = row[:eq] + "=!" + row[eq + 2:start] + text + row[end:]
        elif lines[0]["sign"] == "=":
            row = row[:eq] + new_sign + row[eq + 1:start] + text + row[end:]
        else:
            row = row[:eq - 1] + new_sign + row[eq + 1:start] + text + row[end:]
        rows[lines[0]["line_no"] - 1] = row
        number = lines[0]["line_no"]
        for s in reversed(lines[1:]):
            del rows[s["line_no"] - 1]
    else:
        # Find the place of the new line
        best = 0
        after = 0
        for i in range(len(rows)):
            row = rows[i]
            if row.endswith("\n"):
                row = row[:-1]
            if row.endswith("\r"):
                row = row[:-1]
            row = row.strip(" \t")
            if row == "" or row.startswith("#"):
                continue
            if row.startswith("["):
                break
            common = 0
            if re.match(r'include[ \t]*"', row) is None and re.match(r"at[ \t]+[^ \t=+-]", row) is None:
                before = row.split("=", 1)[0]
                if before.endswith("+") or before.endswith("-"):
                    before = before[:-1]
                parts = before.strip(" \t").split(".")
                own_parts = wanted.split(".")
                while common < len(parts) and common < len(own_parts) and parts[common] == own_parts[common]:
                    common += 1
            if common >= best:
                best = common
                after = i + 1
        eol = "\n"
        if len(rows) > 0 and rows[0].endswith("\r\n"):
            eol = "\r\n"
        if after > 0 and not rows[after - 1].endswith("\n"):
            rows[after - 1] = rows[after - 1] + eol
        rows.insert(after, wanted + " " + new_sign + " " + text + eol)
        number = after + 1
    changes = {file: "".join(rows)}
    result = load(folder, venue, profiles, night, changes)
    if result is None:
        return 1
    data, layers, schema = result
    faults = data["faults"]
    everything = data["settings"]
    # Sort the lines by strength
    everything.sort(key=lambda s: (not s["star"], s["file_no"], s["rank"], s["line_no"]))
    settings = []
    for s in everything:
        if s["applies"]:
            settings.append(s)
    # Find the written keys
    written = []
    for s in settings:
        if not s["star"] and s["key"] not in written:
            written.append(s["key"])
    # Build the stacks, defaults first
    stacks = {}
    for s in settings:
        if s["star"]:
            parts = s["key"].split(".")
            last = 0
            for i in range(len(parts)):
                if parts[i] == "*":
                    last = i + 1
            for other in written:
                other_parts = other.split(".")
                if len(other_parts) > last:
                    match = True
                    for i in range(last):
                        if parts[i] != "*" and parts[i] != other_parts[i]:
                            match = False
                    if match:
                        new_key = ".".join(other_parts[:last] + parts[last:])
                        if new_key not in stacks:
                            stacks[new_key] = []
                        if s not in stacks[new_key]:
                            stacks[new_key].append(s)
    for s in settings:
        if not s["star"]:
            if s["key"] not in stacks:
                stacks[s["key"]] = []
            stacks[s["key"]].append(s)
    if schema is None:
        # Check the kinds
        for key in stacks:
            first = None
            for s in stacks[key]:
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                if s["kind"] is not None:
                    if first is None:
                        first = s
                    elif s["kind"] != first["kind"] and lock is None:
                        faults.append([s["file_no"], s["line_no"], key.split("."), key + " is " + first["kind"] + " in " + first["place"] + ", not " + s["kind"], s["place"]])
    else:
        # Check the lines with the schema
        for key in stacks:
            declared = None
            for d in schema:
                if d["key"] == key:
                    declared = d
            if declared is None:
                for d in schema:
                    parts = d["key"].split(".")
                    own_parts = key.split(".")
                    if declared is None and len(parts) == len(own_parts):
                        match = True
                        for n in range(len(parts)):
                            if parts[n] != "*" and parts[n] != own_parts[n]:
                                match = False
                        if match:
                            declared = d
            for s in stacks[key]:
                if declared is None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is not in the schema", s["place"]])
                    continue
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                elif s["kind"] is not None and s["kind"] != declared["kind"]:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " must be " + declared["kind"] + ", not " + s["kind"], s["place"]])
    if len(faults) > 0:
        # Print all the faults, the same only once
        faults.sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in faults:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    # Compute all the values
    ctx = {"stacks": stacks, "values": {}, "says": {}, "path": [], "via": {}, "faults": [], "schema": schema}
    for key in sort_keys(stacks.keys()):
        if key not in ctx["values"]:
            compute_key(key, ctx)
    if schema is not None:
        # Check the required keys
        for d in schema:
            if d["required"] and d["key"] not in stacks:
                ctx["faults"].append([-1, d["line_no"], d["key"].split("."), d["key"] + " is required", d["place"]])
    if len(ctx["faults"]) > 0:
        # Print all the faults, the same only once
        ctx["faults"].sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in ctx["faults"]:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    values = ctx["values"]
    says = ctx["says"]
    # Write the changed files
    for name in changes:
        try:
            with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as f:
                f.write(changes[name])
        except Exception:
            print("error: cannot write " + name, file=sys.stderr)
            return 1
    print(file + ":" + str(number) + " " + wanted + " " + new_sign + " " + text)
    print(wanted + " = " + format_value(values[wanted]))
    return 0


def do_unset(folder, key, where, venue, profiles, night):
    """Unset the key."""
    wanted = key
    result = load(folder, venue, profiles, night, {})
    if result is None:
        return 1
    data, layers, schema = result
    faults = data["faults"]
    everything = data["settings"]
    # Sort the lines by strength
    everything.sort(key=lambda s: (not s["star"], s["file_no"], s["rank"], s["line_no"]))
    settings = []
    for s in everything:
        if s["applies"]:
            settings.append(s)
    # Find the written keys
    written = []
    for s in settings:
        if not s["star"] and s["key"] not in written:
            written.append(s["key"])
    # Build the stacks, defaults first
    stacks = {}
    for s in settings:
        if s["star"]:
            parts = s["key"].split(".")
            last = 0
            for i in range(len(parts)):
                if parts[i] == "*":
                    last = i + 1
            for other in written:
                other_parts = other.split(".")
                if len(other_parts) > last:
                    match = True
                    for i in range(last):
                        if parts[i] != "*" and parts[i] != other_parts[i]:
                            match = False
                    if match:
                        new_key = ".".join(other_parts[:last] + parts[last:])
                        if new_key not in stacks:
                            stacks[new_key] = []
                        if s not in stacks[new_key]:
                            stacks[new_key].append(s)
    for s in settings:
        if not s["star"]:
            if s["key"] not in stacks:
                stacks[s["key"]] = []
            stacks[s["key"]].append(s)
    if schema is None:
        # Check the kinds
        for key in stacks:
            first = None
            for s in stacks[key]:
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                if s["kind"] is not None:
                    if first is None:
                        first = s
                    elif s["kind"] != first["kind"] and lock is None:
                        faults.append([s["file_no"], s["line_no"], key.split("."), key + " is " + first["kind"] + " in " + first["place"] + ", not " + s["kind"], s["place"]])
    else:
        # Check the lines with the schema
        for key in stacks:
            declared = None
            for d in schema:
                if d["key"] == key:
                    declared = d
            if declared is None:
                for d in schema:
                    parts = d["key"].split(".")
                    own_parts = key.split(".")
                    if declared is None and len(parts) == len(own_parts):
                        match = True
                        for n in range(len(parts)):
                            if parts[n] != "*" and parts[n] != own_parts[n]:
                                match = False
                        if match:
                            declared = d
            for s in stacks[key]:
                if declared is None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is not in the schema", s["place"]])
                    continue
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                elif s["kind"] is not None and s["kind"] != declared["kind"]:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " must be " + declared["kind"] + ", not " + s["kind"], s["place"]])
    if len(faults) > 0:
        # Print all the faults, the same only once
        faults.sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in faults:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    # Compute all the values
    ctx = {"stacks": stacks, "values": {}, "says": {}, "path": [], "via": {}, "faults": [], "schema": schema}
    for key in sort_keys(stacks.keys()):
        if key not in ctx["values"]:
            compute_key(key, ctx)
    if schema is not None:
        # Check the required keys
        for d in schema:
            if d["required"] and d["key"] not in stacks:
                ctx["faults"].append([-1, d["line_no"], d["key"].split("."), d["key"] + " is required", d["place"]])
    if len(ctx["faults"]) > 0:
        # Print all the faults, the same only once
        ctx["faults"].sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in ctx["faults"]:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    values = ctx["values"]
    says = ctx["says"]
    if not check_key(wanted):
        print("error: bad key '" + wanted + "'", file=sys.stderr)
        return 1
    while wanted in data["renames"]:
        wanted = data["renames"][wanted]
    if where is not None and where not in data["files"]:
        print("error: " + where + " is not in use", file=sys.stderr)
        return 1
    # Find the spot of the change
    spot = None
    for s in settings:
        if s["key"] == wanted:
            if where is None:
                if s["no"] in says[wanted]:
                    spot = s
            elif s["file"] == where:
                spot = s
    lines = []
    if spot is not None:
        for s in settings:
            if s["key"] == wanted and s["file_no"] == spot["file_no"] and s["section_no"] == spot["section_no"]:
                lines.append(s)
        file = spot["file"]
    elif where is not None:
        file = where
    else:
        file = layers[len(layers) - 1]
    if len(lines) == 0:
        if where is not None:
            print("error: " + wanted + " is not set in " + where, file=sys.stderr)
        else:
            print("error: " + wanted + " is set nowhere", file=sys.stderr)
        return 1
    with open(os.path.join(folder, file), "r", encoding="utf-8", newline="") as f:
        old_text = f.read()
    # Split the text into lines and keep their ends
    rows = []
    for row in old_text.split("\n"):
        rows.append(row + "\n")
    rows[len(rows) - 1] = rows[len(rows) - 1][:-1]
    if rows[len(rows) - 1] == "":
        rows.pop()
    numbers = []
    for s in lines:
        numbers.append(s["line_no"])
    for number in reversed(numbers):
        del rows[number - 1]
    changes = {file: "".join(rows)}
    result = load(folder, venue, profiles, night, changes)
    if result is None:
        return 1
    data, layers, schema = result
    faults = data["faults"]
    everything = data["settings"]
    # Sort the lines by strength
    everything.sort(key=lambda s: (not s["star"], s["file_no"], s["rank"], s["line_no"]))
    settings = []
    for s in everything:
        if s["applies"]:
            settings.append(s)
    # Find the written keys
    written = []
    for s in settings:
        if not s["star"] and s["key"] not in written:
            written.append(s["key"])
    # Build the stacks, defaults first
    stacks = {}
    for s in settings:
        if s["star"]:
            parts = s["key"].split(".")
            last = 0
            for i in range(len(parts)):
                if parts[i] == "*":
                    last = i + 1
            for other in written:
                other_parts = other.split(".")
                if len(other_parts) > last:
                    match = True
                    for i in range(last):
                        if parts[i] != "*" and parts[i] != other_parts[i]:
                            match = False
                    if match:
                        new_key = ".".join(other_parts[:last] + parts[last:])
                        if new_key not in stacks:
                            stacks[new_key] = []
                        if s not in stacks[new_key]:
                            stacks[new_key].append(s)
    for s in settings:
        if not s["star"]:
            if s["key"] not in stacks:
                stacks[s["key"]] = []
            stacks[s["key"]].append(s)
    if schema is None:
        # Check the kinds
        for key in stacks:
            first = None
            for s in stacks[key]:
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                if s["kind"] is not None:
                    if first is None:
                        first = s
                    elif s["kind"] != first["kind"] and lock is None:
                        faults.append([s["file_no"], s["line_no"], key.split("."), key + " is " + first["kind"] + " in " + first["place"] + ", not " + s["kind"], s["place"]])
    else:
        # Check the lines with the schema
        for key in stacks:
            declared = None
            for d in schema:
                if d["key"] == key:
                    declared = d
            if declared is None:
                for d in schema:
                    parts = d["key"].split(".")
                    own_parts = key.split(".")
                    if declared is None and len(parts) == len(own_parts):
                        match = True
                        for n in range(len(parts)):
                            if parts[n] != "*" and parts[n] != own_parts[n]:
                                match = False
                        if match:
                            declared = d
            for s in stacks[key]:
                if declared is None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is not in the schema", s["place"]])
                    continue
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                elif s["kind"] is not None and s["kind"] != declared["kind"]:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " must be " + declared["kind"] + ", not " + s["kind"], s["place"]])
    if len(faults) > 0:
        # Print all the faults, the same only once
        faults.sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in faults:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    # Compute all the values
    ctx = {"stacks": stacks, "values": {}, "says": {}, "path": [], "via": {}, "faults": [], "schema": schema}
    for key in sort_keys(stacks.keys()):
        if key not in ctx["values"]:
            compute_key(key, ctx)
    if schema is not None:
        # Check the required keys
        for d in schema:
            if d["required"] and d["key"] not in stacks:
                ctx["faults"].append([-1, d["line_no"], d["key"].split("."), d["key"] + " is required", d["place"]])
    if len(ctx["faults"]) > 0:
        # Print all the faults, the same only once
        ctx["faults"].sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in ctx["faults"]:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    values = ctx["values"]
    says = ctx["says"]
    # Write the changed files
    for name in changes:
        try:
            with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as f:
                f.write(changes[name])
        except Exception:
            print("error: cannot write " + name, file=sys.stderr)
            return 1
    for number in numbers:
        print(file + ":" + str(number) + " taken out")
    if wanted in values:
        print(wanted + " = " + format_value(values[wanted]))
    else:
        print(wanted + " has no value")
    return 0


def do_move(folder, key, target_key, venue, profiles, night):
    """Move the key to the new key."""
    wanted = key
    result = load(folder, venue, profiles, night, {})
    if result is None:
        return 1
    data, layers, schema = result
    faults = data["faults"]
    everything = data["settings"]
    # Sort the lines by strength
    everything.sort(key=lambda s: (not s["star"], s["file_no"], s["rank"], s["line_no"]))
    settings = []
    for s in everything:
        if s["applies"]:
            settings.append(s)
    # Find the written keys
    written = []
    for s in settings:
        if not s["star"] and s["key"] not in written:
            written.append(s["key"])
    # Build the stacks, defaults first
    stacks = {}
    for s in settings:
        if s["star"]:
            parts = s["key"].split(".")
            last = 0
            for i in range(len(parts)):
                if parts[i] == "*":
                    last = i + 1
            for other in written:
                other_parts = other.split(".")
                if len(other_parts) > last:
                    match = True
                    for i in range(last):
                        if parts[i] != "*" and parts[i] != other_parts[i]:
                            match = False
                    if match:
                        new_key = ".".join(other_parts[:last] + parts[last:])
                        if new_key not in stacks:
                            stacks[new_key] = []
                        if s not in stacks[new_key]:
                            stacks[new_key].append(s)
    for s in settings:
        if not s["star"]:
            if s["key"] not in stacks:
                stacks[s["key"]] = []
            stacks[s["key"]].append(s)
    if schema is None:
        # Check the kinds
        for key in stacks:
            first = None
            for s in stacks[key]:
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                if s["kind"] is not None:
                    if first is None:
                        first = s
                    elif s["kind"] != first["kind"] and lock is None:
                        faults.append([s["file_no"], s["line_no"], key.split("."), key + " is " + first["kind"] + " in " + first["place"] + ", not " + s["kind"], s["place"]])
    else:
        # Check the lines with the schema
        for key in stacks:
            declared = None
            for d in schema:
                if d["key"] == key:
                    declared = d
            if declared is None:
                for d in schema:
                    parts = d["key"].split(".")
                    own_parts = key.split(".")
                    if declared is None and len(parts) == len(own_parts):
                        match = True
                        for n in range(len(parts)):
                            if parts[n] != "*" and parts[n] != own_parts[n]:
                                match = False
                        if match:
                            declared = d
            for s in stacks[key]:
                if declared is None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is not in the schema", s["place"]])
                    continue
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                elif s["kind"] is not None and s["kind"] != declared["kind"]:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " must be " + declared["kind"] + ", not " + s["kind"], s["place"]])
    if len(faults) > 0:
        # Print all the faults, the same only once
        faults.sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in faults:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    # Compute all the values
    ctx = {"stacks": stacks, "values": {}, "says": {}, "path": [], "via": {}, "faults": [], "schema": schema}
    for key in sort_keys(stacks.keys()):
        if key not in ctx["values"]:
            compute_key(key, ctx)
    if schema is not None:
        # Check the required keys
        for d in schema:
            if d["required"] and d["key"] not in stacks:
                ctx["faults"].append([-1, d["line_no"], d["key"].split("."), d["key"] + " is required", d["place"]])
    if len(ctx["faults"]) > 0:
        # Print all the faults, the same only once
        ctx["faults"].sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in ctx["faults"]:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    values = ctx["values"]
    says = ctx["says"]
    if not check_key(wanted):
        print("error: bad key '" + wanted + "'", file=sys.stderr)
        return 1
    if not check_key(target_key):
        print("error: bad key '" + target_key + "'", file=sys.stderr)
        return 1
    for name in [wanted, target_key]:
        for arrow in data["arrows"]:
            if arrow[1] == name:
                print("error: " + name + " is renamed in schema.cue:" + str(arrow[0]), file=sys.stderr)
                return 1
    # Find all the files
    waiting = ["schema.cue"] + LAYERS
    if os.path.isdir(os.path.join(folder, "nights")):
        for name in os.listdir(os.path.join(folder, "nights")):
            if name.endswith(".cue"):
                waiting.append("nights/" + name)
    all_texts = {}
    while len(waiting) > 0:
        name = waiting.pop()
        if name in all_texts:
            continue
        try:
            with open(os.path.join(folder, name), "r", encoding="utf-8", newline="") as f:
                all_texts[name] = f.read()
        except Exception:
            continue
        if name == "schema.cue":
            continue
        for line in all_texts[name].split("\n"):
            if line.endswith("\r"):
                line = line[:-1]
            line = line.strip(" \t")
            if line == "" or line.startswith("#"):
                continue
            m = re.match(r'include[ \t]*(".*)\Z', line)
            if m is None:
                if re.match(r"at[ \t]+[^ \t=+-]", line) is None:
                    break
                continue
            try:
                value, raw = parse_value(m.group(1))
            except BadValueException:
                continue
            path = ""
            bad = value[0] != "text"
            if not bad:
                for piece in value[1]:
                    if isinstance(piece, str):
                        path = path + piece
                    else:
                        bad = True
            if bad or path == "" or path.startswith("/"):
                continue
            waiting.append(posixpath.normpath(posixpath.join(posixpath.dirname(name), path)))
    # Find all the lines of the files
    found = []
    for name in sorted(all_texts.keys()):
        if name == "schema.cue":
            continue
        line_no = 0
        for line in all_texts[name].split("\n"):
            line_no += 1
            if line.endswith("\r"):
                line = line[:-1]
            line = line.strip(" \t")
            if line == "" or line.startswith("#") or line.startswith("[") or "=" not in line:
                continue
            if re.match(r'include[ \t]*"', line) is not None:
                continue
            if re.match(r"at[ \t]+[^ \t=+-]", line) is not None:
                continue
            before = line.split("=", 1)[0]
            sign = "="
            if before.endswith("+") or before.endswith("-"):
                sign = before[-1] + "="
                before = before[:-1]
            before = before.strip(" \t")
            rest = line.split("=", 1)[1]
            if sign == "=" and rest.startswith("!"):
                sign = "=!"
                rest = rest[1:]
            if not check_key(before):
                if sign not in ["=", "=!"] or not check_star_key(before):
                    continue
            try:
                value, raw = parse_value(rest.strip(" \t"))
            except BadValueException:
                continue
            found.append({"file": name, "line_no": line_no, "key": before, "raw": raw})
    some = False
    for s in found:
        if s["key"] == wanted:
            some = True
    if not some:
        print("error: " + wanted + " is set nowhere", file=sys.stderr)
        return 1
    for s in found:
        if s["key"] == target_key:
            print("error: " + target_key + " is set in " + s["file"] + ":" + str(s["line_no"]), file=sys.stderr)
            return 1
    mapping = {wanted: target_key}
    # Rename in the lines
    changes = {}
    counts = {}
    for name in sorted(all_texts.keys()):
        rows = []
        for row in all_texts[name].split("\n"):
            rows.append(row + "\n")
        rows[len(rows) - 1] = rows[len(rows) - 1][:-1]
        count = 0
        if name == "schema.cue":
            arrows = []
            schema_faults = []
            declarations = load_schema(folder, schema_faults, {}, {}, arrows)
            for d in declarations:
                if d["key"] in mapping:
                    row = rows[d["line_no"] - 1]
                    rows[d["line_no"] - 1] = row.replace(d["key"], mapping[d["key"]], 1)
                    count += 1
            for arrow in arrows:
                if arrow[2] in mapping:
                    row = rows[arrow[0] - 1]
                    start = row.index("->")
                    rows[arrow[0] - 1] = row[:start] + row[start:].replace(arrow[2], mapping[arrow[2]], 1)
                    count += 1
        for s in found:
            if s["file"] != name:
                continue
            row = rows[s["line_no"] - 1]
            start = row.index("=") + 1
            if row[start] == "!":
                start += 1
            while row[start] == " " or row[start] == "\t":
                start += 1
            raw = s["raw"]
            # Rename the references
            renamed = ""
            pos = 0
            while pos < len(raw):
                if raw[pos] == "\\":
                    renamed = renamed + raw[pos:pos + 2]
                    pos += 2
                elif raw[pos:pos + 2] == "${":
                    close = raw.index("}", pos)
                    target = raw[pos + 2:close]
                    if target in mapping:
                        target = mapping[target]
                    renamed = renamed + "${" + target + "}"
                    pos = close + 1
                else:
                    renamed = renamed + raw[pos]
                    pos += 1
            new_row = row[:start] + renamed + row[start + len(raw):]
            if s["key"] in mapping:
                new_row = new_row.replace(s["key"], mapping[s["key"]], 1)
            if new_row != row:
                rows[s["line_no"] - 1] = new_row
                count += 1
        if count > 0:
            changes[name] = "".join(rows)
            counts[name] = count
    result = load(folder, venue, profiles, night, changes)
    if result is None:
        return 1
    data, layers, schema = result
    faults = data["faults"]
    everything = data["settings"]
    # Sort the lines by strength
    everything.sort(key=lambda s: (not s["star"], s["file_no"], s["rank"], s["line_no"]))
    settings = []
    for s in everything:
        if s["applies"]:
            settings.append(s)
    # Find the written keys
    written = []
    for s in settings:
        if not s["star"] and s["key"] not in written:
            written.append(s["key"])
    # Build the stacks, defaults first
    stacks = {}
    for s in settings:
        if s["star"]:
            parts = s["key"].split(".")
            last = 0
            for i in range(len(parts)):
                if parts[i] == "*":
                    last = i + 1
            for other in written:
                other_parts = other.split(".")
                if len(other_parts) > last:
                    match = True
                    for i in range(last):
                        if parts[i] != "*" and parts[i] != other_parts[i]:
                            match = False
                    if match:
                        new_key = ".".join(other_parts[:last] + parts[last:])
                        if new_key not in stacks:
                            stacks[new_key] = []
                        if s not in stacks[new_key]:
                            stacks[new_key].append(s)
    for s in settings:
        if not s["star"]:
            if s["key"] not in stacks:
                stacks[s["key"]] = []
            stacks[s["key"]].append(s)
    if schema is None:
        # Check the kinds
        for key in stacks:
            first = None
            for s in stacks[key]:
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                if s["kind"] is not None:
                    if first is None:
                        first = s
                    elif s["kind"] != first["kind"] and lock is None:
                        faults.append([s["file_no"], s["line_no"], key.split("."), key + " is " + first["kind"] + " in " + first["place"] + ", not " + s["kind"], s["place"]])
    else:
        # Check the lines with the schema
        for key in stacks:
            declared = None
            for d in schema:
                if d["key"] == key:
                    declared = d
            if declared is None:
                for d in schema:
                    parts = d["key"].split(".")
                    own_parts = key.split(".")
                    if declared is None and len(parts) == len(own_parts):
                        match = True
                        for n in range(len(parts)):
                            if parts[n] != "*" and parts[n] != own_parts[n]:
                                match = False
                        if match:
                            declared = d
            for s in stacks[key]:
                if declared is None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is not in the schema", s["place"]])
                    continue
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                elif s["kind"] is not None and s["kind"] != declared["kind"]:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " must be " + declared["kind"] + ", not " + s["kind"], s["place"]])
    if len(faults) > 0:
        # Print all the faults, the same only once
        faults.sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in faults:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    # Compute all the values
    ctx = {"stacks": stacks, "values": {}, "says": {}, "path": [], "via": {}, "faults": [], "schema": schema}
    for key in sort_keys(stacks.keys()):
        if key not in ctx["values"]:
            compute_key(key, ctx)
    if schema is not None:
        # Check the required keys
        for d in schema:
            if d["required"] and d["key"] not in stacks:
                ctx["faults"].append([-1, d["line_no"], d["key"].split("."), d["key"] + " is required", d["place"]])
    if len(ctx["faults"]) > 0:
        # Print all the faults, the same only once
        ctx["faults"].sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in ctx["faults"]:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    values = ctx["values"]
    says = ctx["says"]
    # Write the changed files
    for name in changes:
        try:
            with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as f:
                f.write(changes[name])
        except Exception:
            print("error: cannot write " + name, file=sys.stderr)
            return 1
    for name in sorted(counts.keys()):
        print(name + ": " + str(counts[name]))
    return 0


def do_migrate(folder, venue, profiles, night):
    """Write the last names in all the files."""
    result = load(folder, venue, profiles, night, {})
    if result is None:
        return 1
    data, layers, schema = result
    faults = data["faults"]
    everything = data["settings"]
    # Sort the lines by strength
    everything.sort(key=lambda s: (not s["star"], s["file_no"], s["rank"], s["line_no"]))
    settings = []
    for s in everything:
        if s["applies"]:
            settings.append(s)
    # Find the written keys
    written = []
    for s in settings:
        if not s["star"] and s["key"] not in written:
            written.append(s["key"])
    # Build the stacks, defaults first
    stacks = {}
    for s in settings:
        if s["star"]:
            parts = s["key"].split(".")
            last = 0
            for i in range(len(parts)):
                if parts[i] == "*":
                    last = i + 1
            for other in written:
                other_parts = other.split(".")
                if len(other_parts) > last:
                    match = True
                    for i in range(last):
                        if parts[i] != "*" and parts[i] != other_parts[i]:
                            match = False
                    if match:
                        new_key = ".".join(other_parts[:last] + parts[last:])
                        if new_key not in stacks:
                            stacks[new_key] = []
                        if s not in stacks[new_key]:
                            stacks[new_key].append(s)
    for s in settings:
        if not s["star"]:
            if s["key"] not in stacks:
                stacks[s["key"]] = []
            stacks[s["key"]].append(s)
    if schema is None:
        # Check the kinds
        for key in stacks:
            first = None
            for s in stacks[key]:
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                if s["kind"] is not None:
                    if first is None:
                        first = s
                    elif s["kind"] != first["kind"] and lock is None:
                        faults.append([s["file_no"], s["line_no"], key.split("."), key + " is " + first["kind"] + " in " + first["place"] + ", not " + s["kind"], s["place"]])
    else:
        # Check the lines with the schema
        for key in stacks:
            declared = None
            for d in schema:
                if d["key"] == key:
                    declared = d
            if declared is None:
                for d in schema:
                    parts = d["key"].split(".")
                    own_parts = key.split(".")
                    if declared is None and len(parts) == len(own_parts):
                        match = True
                        for n in range(len(parts)):
                            if parts[n] != "*" and parts[n] != own_parts[n]:
                                match = False
                        if match:
                            declared = d
            for s in stacks[key]:
                if declared is None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is not in the schema", s["place"]])
                    continue
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                elif s["kind"] is not None and s["kind"] != declared["kind"]:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " must be " + declared["kind"] + ", not " + s["kind"], s["place"]])
    if len(faults) > 0:
        # Print all the faults, the same only once
        faults.sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in faults:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    # Compute all the values
    ctx = {"stacks": stacks, "values": {}, "says": {}, "path": [], "via": {}, "faults": [], "schema": schema}
    for key in sort_keys(stacks.keys()):
        if key not in ctx["values"]:
            compute_key(key, ctx)
    if schema is not None:
        # Check the required keys
        for d in schema:
            if d["required"] and d["key"] not in stacks:
                ctx["faults"].append([-1, d["line_no"], d["key"].split("."), d["key"] + " is required", d["place"]])
    if len(ctx["faults"]) > 0:
        # Print all the faults, the same only once
        ctx["faults"].sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in ctx["faults"]:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    values = ctx["values"]
    says = ctx["says"]
    # Find all the files
    waiting = ["schema.cue"] + LAYERS
    if os.path.isdir(os.path.join(folder, "nights")):
        for name in os.listdir(os.path.join(folder, "nights")):
            if name.endswith(".cue"):
                waiting.append("nights/" + name)
    all_texts = {}
    while len(waiting) > 0:
        name = waiting.pop()
        if name in all_texts:
            continue
        try:
            with open(os.path.join(folder, name), "r", encoding="utf-8", newline="") as f:
                all_texts[name] = f.read()
        except Exception:
            continue
        if name == "schema.cue":
            continue
        for line in all_texts[name].split("\n"):
            if line.endswith("\r"):
                line = line[:-1]
            line = line.strip(" \t")
            if line == "" or line.startswith("#"):
                continue
            m = re.match(r'include[ \t]*(".*)\Z', line)
            if m is None:
                if re.match(r"at[ \t]+[^ \t=+-]", line) is None:
                    break
                continue
            try:
                value, raw = parse_value(m.group(1))
            except BadValueException:
                continue
            path = ""
            bad = value[0] != "text"
            if not bad:
                for piece in value[1]:
                    if isinstance(piece, str):
                        path = path + piece
                    else:
                        bad = True
            if bad or path == "" or path.startswith("/"):
                continue
            waiting.append(posixpath.normpath(posixpath.join(posixpath.dirname(name), path)))
    # Find all the lines of the files
    found = []
    for name in sorted(all_texts.keys()):
        if name == "schema.cue":
            continue
        line_no = 0
        for line in all_texts[name].split("\n"):
            line_no += 1
            if line.endswith("\r"):
                line = line[:-1]
            line = line.strip(" \t")
            if line == "" or line.startswith("#") or line.startswith("[") or "=" not in line:
                continue
            if re.match(r'include[ \t]*"', line) is not None:
                continue
            if re.match(r"at[ \t]+[^ \t=+-]", line) is not None:
                continue
            before = line.split("=", 1)[0]
            sign = "="
            if before.endswith("+") or before.endswith("-"):
                sign = before[-1] + "="
                before = before[:-1]
            before = before.strip(" \t")
            rest = line.split("=", 1)[1]
            if sign == "=" and rest.startswith("!"):
                sign = "=!"
                rest = rest[1:]
            if not check_key(before):
                if sign not in ["=", "=!"] or not check_star_key(before):
                    continue
            try:
                value, raw = parse_value(rest.strip(" \t"))
            except BadValueException:
                continue
            found.append({"file": name, "line_no": line_no, "key": before, "raw": raw})
    mapping = {}
    for name in data["renames"]:
        last = name
        while last in data["renames"]:
            last = data["renames"][last]
        mapping[name] = last
    # Rename in the lines
    changes = {}
    counts = {}
    for name in sorted(all_texts.keys()):
        rows = []
        for row in all_texts[name].split("\n"):
            rows.append(row + "\n")
        rows[len(rows) - 1] = rows[len(rows) - 1][:-1]
        count = 0
        for s in found:
            if s["file"] != name:
                continue
            row = rows[s["line_no"] - 1]
            start = row.index("=") + 1
            if row[start] == "!":
                start += 1
            while row[start] == " " or row[start] == "\t":
                start += 1
            raw = s["raw"]
            # Rename the references
            renamed = ""
            pos = 0
            while pos < len(raw):
                if raw[pos] == "\\":
                    renamed = renamed + raw[pos:pos + 2]
                    pos += 2
                elif raw[pos:pos + 2] == "${":
                    close = raw.index("}", pos)
                    target = raw[pos + 2:close]
                    if target in mapping:
                        target = mapping[target]
                    renamed = renamed + "${" + target + "}"
                    pos = close + 1
                else:
                    renamed = renamed + raw[pos]
                    pos += 1
            new_row = row[:start] + renamed + row[start + len(raw):]
            if s["key"] in mapping:
                new_row = new_row.replace(s["key"], mapping[s["key"]], 1)
            if new_row != row:
                rows[s["line_no"] - 1] = new_row
                count += 1
        if count > 0:
            changes[name] = "".join(rows)
            counts[name] = count
    result = load(folder, venue, profiles, night, changes)
    if result is None:
        return 1
    data, layers, schema = result
    faults = data["faults"]
    everything = data["settings"]
    # Sort the lines by strength
    everything.sort(key=lambda s: (not s["star"], s["file_no"], s["rank"], s["line_no"]))
    settings = []
    for s in everything:
        if s["applies"]:
            settings.append(s)
    # Find the written keys
    written = []
    for s in settings:
        if not s["star"] and s["key"] not in written:
            written.append(s["key"])
    # Build the stacks, defaults first
    stacks = {}
    for s in settings:
        if s["star"]:
            parts = s["key"].split(".")
            last = 0
            for i in range(len(parts)):
                if parts[i] == "*":
                    last = i + 1
            for other in written:
                other_parts = other.split(".")
                if len(other_parts) > last:
                    match = True
                    for i in range(last):
                        if parts[i] != "*" and parts[i] != other_parts[i]:
                            match = False
                    if match:
                        new_key = ".".join(other_parts[:last] + parts[last:])
                        if new_key not in stacks:
                            stacks[new_key] = []
                        if s not in stacks[new_key]:
                            stacks[new_key].append(s)
    for s in settings:
        if not s["star"]:
            if s["key"] not in stacks:
                stacks[s["key"]] = []
            stacks[s["key"]].append(s)
    if schema is None:
        # Check the kinds
        for key in stacks:
            first = None
            for s in stacks[key]:
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                if s["kind"] is not None:
                    if first is None:
                        first = s
                    elif s["kind"] != first["kind"] and lock is None:
                        faults.append([s["file_no"], s["line_no"], key.split("."), key + " is " + first["kind"] + " in " + first["place"] + ", not " + s["kind"], s["place"]])
    else:
        # Check the lines with the schema
        for key in stacks:
            declared = None
            for d in schema:
                if d["key"] == key:
                    declared = d
            if declared is None:
                for d in schema:
                    parts = d["key"].split(".")
                    own_parts = key.split(".")
                    if declared is None and len(parts) == len(own_parts):
                        match = True
                        for n in range(len(parts)):
                            if parts[n] != "*" and parts[n] != own_parts[n]:
                                match = False
                        if match:
                            declared = d
            for s in stacks[key]:
                if declared is None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is not in the schema", s["place"]])
                    continue
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                elif s["kind"] is not None and s["kind"] != declared["kind"]:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " must be " + declared["kind"] + ", not " + s["kind"], s["place"]])
    if len(faults) > 0:
        # Print all the faults, the same only once
        faults.sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in faults:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    # Compute all the values
    ctx = {"stacks": stacks, "values": {}, "says": {}, "path": [], "via": {}, "faults": [], "schema": schema}
    for key in sort_keys(stacks.keys()):
        if key not in ctx["values"]:
            compute_key(key, ctx)
    if schema is not None:
        # Check the required keys
        for d in schema:
            if d["required"] and d["key"] not in stacks:
                ctx["faults"].append([-1, d["line_no"], d["key"].split("."), d["key"] + " is required", d["place"]])
    if len(ctx["faults"]) > 0:
        # Print all the faults, the same only once
        ctx["faults"].sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in ctx["faults"]:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    values = ctx["values"]
    says = ctx["says"]
    # Write the changed files
    for name in changes:
        try:
            with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as f:
                f.write(changes[name])
        except Exception:
            print("error: cannot write " + name, file=sys.stderr)
            return 1
    for name in sorted(counts.keys()):
        print(name + ": " + str(counts[name]))
    if len(counts) == 0:
        print("nothing to do")
    return 0


def night_values(folder, night, changes):
    """Get the values of the night."""
    venue = None
    profiles = []
    result = load(folder, venue, profiles, night, changes)
    if result is None:
        return 1
    data, layers, schema = result
    faults = data["faults"]
    everything = data["settings"]
    # Sort the lines by strength
    everything.sort(key=lambda s: (not s["star"], s["file_no"], s["rank"], s["line_no"]))
    settings = []
    for s in everything:
        if s["applies"]:
            settings.append(s)
    # Find the written keys
    written = []
    for s in settings:
        if not s["star"] and s["key"] not in written:
            written.append(s["key"])
    # Build the stacks, defaults first
    stacks = {}
    for s in settings:
        if s["star"]:
            parts = s["key"].split(".")
            last = 0
            for i in range(len(parts)):
                if parts[i] == "*":
                    last = i + 1
            for other in written:
                other_parts = other.split(".")
                if len(other_parts) > last:
                    match = True
                    for i in range(last):
                        if parts[i] != "*" and parts[i] != other_parts[i]:
                            match = False
                    if match:
                        new_key = ".".join(other_parts[:last] + parts[last:])
                        if new_key not in stacks:
                            stacks[new_key] = []
                        if s not in stacks[new_key]:
                            stacks[new_key].append(s)
    for s in settings:
        if not s["star"]:
            if s["key"] not in stacks:
                stacks[s["key"]] = []
            stacks[s["key"]].append(s)
    if schema is None:
        # Check the kinds
        for key in stacks:
            first = None
            for s in stacks[key]:
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                if s["kind"] is not None:
                    if first is None:
                        first = s
                    elif s["kind"] != first["kind"] and lock is None:
                        faults.append([s["file_no"], s["line_no"], key.split("."), key + " is " + first["kind"] + " in " + first["place"] + ", not " + s["kind"], s["place"]])
    else:
        # Check the lines with the schema
        for key in stacks:
            declared = None
            for d in schema:
                if d["key"] == key:
                    declared = d
            if declared is None:
                for d in schema:
                    parts = d["key"].split(".")
                    own_parts = key.split(".")
                    if declared is None and len(parts) == len(own_parts):
                        match = True
                        for n in range(len(parts)):
                            if parts[n] != "*" and parts[n] != own_parts[n]:
                                match = False
                        if match:
                            declared = d
            for s in stacks[key]:
                if declared is None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is not in the schema", s["place"]])
                    continue
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                elif s["kind"] is not None and s["kind"] != declared["kind"]:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " must be " + declared["kind"] + ", not " + s["kind"], s["place"]])
    if len(faults) > 0:
        # Print all the faults, the same only once
        faults.sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in faults:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    # Compute all the values
    ctx = {"stacks": stacks, "values": {}, "says": {}, "path": [], "via": {}, "faults": [], "schema": schema}
    for key in sort_keys(stacks.keys()):
        if key not in ctx["values"]:
            compute_key(key, ctx)
    if schema is not None:
        # Check the required keys
        for d in schema:
            if d["required"] and d["key"] not in stacks:
                ctx["faults"].append([-1, d["line_no"], d["key"].split("."), d["key"] + " is required", d["place"]])
    if len(ctx["faults"]) > 0:
        # Print all the faults, the same only once
        ctx["faults"].sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in ctx["faults"]:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    values = ctx["values"]
    says = ctx["says"]
    return values


def do_plan(folder, key, text, where, lock_it, venue, profiles, night):
    """Plan to set the key to the value."""
    wanted = key
    key_text = key
    result = load(folder, venue, profiles, night, {})
    if result is None:
        return 1
    data, layers, schema = result
    faults = data["faults"]
    everything = data["settings"]
    # Sort the lines by strength
    everything.sort(key=lambda s: (not s["star"], s["file_no"], s["rank"], s["line_no"]))
    settings = []
    for s in everything:
        if s["applies"]:
            settings.append(s)
    # Find the written keys
    written = []
    for s in settings:
        if not s["star"] and s["key"] not in written:
            written.append(s["key"])
    # Build the stacks, defaults first
    stacks = {}
    for s in settings:
        if s["star"]:
            parts = s["key"].split(".")
            last = 0
            for i in range(len(parts)):
                if parts[i] == "*":
                    last = i + 1
            for other in written:
                other_parts = other.split(".")
                if len(other_parts) > last:
                    match = True
                    for i in range(last):
                        if parts[i] != "*" and parts[i] != other_parts[i]:
                            match = False
                    if match:
                        new_key = ".".join(other_parts[:last] + parts[last:])
                        if new_key not in stacks:
                            stacks[new_key] = []
                        if s not in stacks[new_key]:
                            stacks[new_key].append(s)
    for s in settings:
        if not s["star"]:
            if s["key"] not in stacks:
                stacks[s["key"]] = []
            stacks[s["key"]].append(s)
    if schema is None:
        # Check the kinds
        for key in stacks:
            first = None
            for s in stacks[key]:
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                if s["kind"] is not None:
                    if first is None:
                        first = s
                    elif s["kind"] != first["kind"] and lock is None:
                        faults.append([s["file_no"], s["line_no"], key.split("."), key + " is " + first["kind"] + " in " + first["place"] + ", not " + s["kind"], s["place"]])
    else:
        # Check the lines with the schema
        for key in stacks:
            declared = None
            for d in schema:
                if d["key"] == key:
                    declared = d
            if declared is None:
                for d in schema:
                    parts = d["key"].split(".")
                    own_parts = key.split(".")
                    if declared is None and len(parts) == len(own_parts):
                        match = True
                        for n in range(len(parts)):
                            if parts[n] != "*" and parts[n] != own_parts[n]:
                                match = False
                        if match:
                            declared = d
            for s in stacks[key]:
                if declared is None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is not in the schema", s["place"]])
                    continue
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                elif s["kind"] is not None and s["kind"] != declared["kind"]:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " must be " + declared["kind"] + ", not " + s["kind"], s["place"]])
    if len(faults) > 0:
        # Print all the faults, the same only once
        faults.sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in faults:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    # Compute all the values
    ctx = {"stacks": stacks, "values": {}, "says": {}, "path": [], "via": {}, "faults": [], "schema": schema}
    for key in sort_keys(stacks.keys()):
        if key not in ctx["values"]:
            compute_key(key, ctx)
    if schema is not None:
        # Check the required keys
        for d in schema:
            if d["required"] and d["key"] not in stacks:
                ctx["faults"].append([-1, d["line_no"], d["key"].split("."), d["key"] + " is required", d["place"]])
    if len(ctx["faults"]) > 0:
        # Print all the faults, the same only once
        ctx["faults"].sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in ctx["faults"]:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    values = ctx["values"]
    says = ctx["says"]
    if not check_key(wanted):
        print("error: bad key '" + wanted + "'", file=sys.stderr)
        return 1
    text = text.strip(" \t")
    bad = False
    try:
        value, raw = parse_value(text)
        if raw != text or "\n" in text:
            bad = True
    except BadValueException:
        bad = True
    if bad:
        print("error: bad value for " + key_text, file=sys.stderr)
        return 1
    while wanted in data["renames"]:
        wanted = data["renames"][wanted]
    if where is not None and where not in data["files"]:
        print("error: " + where + " is not in use", file=sys.stderr)
        return 1
    # Find the spot of the change
    spot = None
    for s in settings:
        if s["key"] == wanted:
            if where is None:
                if s["no"] in says[wanted]:
                    spot = s
            elif s["file"] == where:
                spot = s
    lines = []
    if spot is not None:
        for s in settings:
            if s["key"] == wanted and s["file_no"] == spot["file_no"] and s["section_no"] == spot["section_no"]:
                lines.append(s)
        file = spot["file"]
    elif where is not None:
        file = where
    else:
        file = layers[len(layers) - 1]
    with open(os.path.join(folder, file), "r", encoding="utf-8", newline="") as f:
        old_text = f.read()
    # Split the text into lines and keep their ends
    rows = []
    for row in old_text.split("\n"):
        rows.append(row + "\n")
    rows[len(rows) - 1] = rows[len(rows) - 1][:-1]
    if rows[len(rows) - 1] == "":
        rows.pop()
    new_sign = "="
    if lock_it:
        new_sign = "=!"
    if len(lines) > 0:
        # Replace the first line and remove the others
        row = rows[lines[0]["line_no"] - 1]
        eq = row.index("=")
        start = eq + 1
        if lines[0]["sign"] == "=!":
            start += 1
        while row[start] == " " or row[start] == "\t":
            start += 1
        end = start + len(lines[0]["raw"])
        if lines[0]["sign"] == "=!":
            new_sign = "=!"
            row = row[:eq] + "=!" + row[eq + 2:start] + text + row[end:]
        elif lines[0]["sign"] == "=":
            row = row[:eq] + new_sign + row[eq + 1:start] + text + row[end:]
        else:
            row = row[:eq - 1] + new_sign + row[eq + 1:start] + text + row[end:]
        rows[lines[0]["line_no"] - 1] = row
        number = lines[0]["line_no"]
        for s in reversed(lines[1:]):
            del rows[s["line_no"] - 1]
    else:
        # Find the place of the new line
        best = 0
        after = 0
        for i in range(len(rows)):
            row = rows[i]
            if row.endswith("\n"):
                row = row[:-1]
            if row.endswith("\r"):
                row = row[:-1]
            row = row.strip(" \t")
            if row == "" or row.startswith("#"):
                continue
            if row.startswith("["):
                break
            common = 0
            if re.match(r'include[ \t]*"', row) is None and re.match(r"at[ \t]+[^ \t=+-]", row) is None:
                before = row.split("=", 1)[0]
                if before.endswith("+") or before.endswith("-"):
                    before = before[:-1]
                parts = before.strip(" \t").split(".")
                own_parts = wanted.split(".")
                while common < len(parts) and common < len(own_parts) and parts[common] == own_parts[common]:
                    common += 1
            if common >= best:
                best = common
                after = i + 1
        eol = "\n"
        if len(rows) > 0 and rows[0].endswith("\r\n"):
            eol = "\r\n"
        if after > 0 and not rows[after - 1].endswith("\n"):
            rows[after - 1] = rows[after - 1] + eol
        rows.insert(after, wanted + " " + new_sign + " " + text + eol)
        number = after + 1
    changes = {file: "".join(rows)}
    result = load(folder, venue, profiles, night, changes)
    if result is None:
        return 1
    data, layers, schema = result
    faults = data["faults"]
    everything = data["settings"]
    # Sort the lines by strength
    everything.sort(key=lambda s: (not s["star"], s["file_no"], s["rank"], s["line_no"]))
    settings = []
    for s in everything:
        if s["applies"]:
            settings.append(s)
    # Find the written keys
    written = []
    for s in settings:
        if not s["star"] and s["key"] not in written:
            written.append(s["key"])
    # Build the stacks, defaults first
    stacks = {}
    for s in settings:
        if s["star"]:
            parts = s["key"].split(".")
            last = 0
            for i in range(len(parts)):
                if parts[i] == "*":
                    last = i + 1
            for other in written:
                other_parts = other.split(".")
                if len(other_parts) > last:
                    match = True
                    for i in range(last):
                        if parts[i] != "*" and parts[i] != other_parts[i]:
                            match = False
                    if match:
                        new_key = ".".join(other_parts[:last] + parts[last:])
                        if new_key not in stacks:
                            stacks[new_key] = []
                        if s not in stacks[new_key]:
                            stacks[new_key].append(s)
    for s in settings:
        if not s["star"]:
            if s["key"] not in stacks:
                stacks[s["key"]] = []
            stacks[s["key"]].append(s)
    if schema is None:
        # Check the kinds
        for key in stacks:
            first = None
            for s in stacks[key]:
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                if s["kind"] is not None:
                    if first is None:
                        first = s
                    elif s["kind"] != first["kind"] and lock is None:
                        faults.append([s["file_no"], s["line_no"], key.split("."), key + " is " + first["kind"] + " in " + first["place"] + ", not " + s["kind"], s["place"]])
    else:
        # Check the lines with the schema
        for key in stacks:
            declared = None
            for d in schema:
                if d["key"] == key:
                    declared = d
            if declared is None:
                for d in schema:
                    parts = d["key"].split(".")
                    own_parts = key.split(".")
                    if declared is None and len(parts) == len(own_parts):
                        match = True
                        for n in range(len(parts)):
                            if parts[n] != "*" and parts[n] != own_parts[n]:
                                match = False
                        if match:
                            declared = d
            for s in stacks[key]:
                if declared is None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is not in the schema", s["place"]])
                    continue
                lock = None
                for other in stacks[key]:
                    if other is s:
                        break
                    if lock is None and other["sign"] == "=!":
                        lock = other
                if lock is not None:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " is locked in " + lock["place"], s["place"]])
                elif s["kind"] is not None and s["kind"] != declared["kind"]:
                    faults.append([s["file_no"], s["line_no"], key.split("."), key + " must be " + declared["kind"] + ", not " + s["kind"], s["place"]])
    if len(faults) > 0:
        # Print all the faults, the same only once
        faults.sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in faults:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    # Compute all the values
    ctx = {"stacks": stacks, "values": {}, "says": {}, "path": [], "via": {}, "faults": [], "schema": schema}
    for key in sort_keys(stacks.keys()):
        if key not in ctx["values"]:
            compute_key(key, ctx)
    if schema is not None:
        # Check the required keys
        for d in schema:
            if d["required"] and d["key"] not in stacks:
                ctx["faults"].append([-1, d["line_no"], d["key"].split("."), d["key"] + " is required", d["place"]])
    if len(ctx["faults"]) > 0:
        # Print all the faults, the same only once
        ctx["faults"].sort(key=lambda x: (x[0], x[1], x[2], x[3]))
        printed = []
        for fault in ctx["faults"]:
            line = fault[4] + ": " + fault[3]
            if line not in printed:
                printed.append(line)
                print(line, file=sys.stderr)
        return 1
    values = ctx["values"]
    says = ctx["says"]
    print(file + ":" + str(number) + " " + wanted + " " + new_sign + " " + text)
    names = []
    if os.path.isdir(os.path.join(folder, "nights")):
        for name in os.listdir(os.path.join(folder, "nights")):
            if name.endswith(".cue") and re.match(r"^[a-z][a-z0-9-]{0,15}\Z", name[:-4]) is not None:
                names.append(name[:-4])
    code = 0
    for name in sorted(names):
        # Catch the faults of the night
        real = sys.stderr
        sys.stderr = io.StringIO()
        old_values = night_values(folder, name, {})
        sys.stderr = io.StringIO()
        values = night_values(folder, name, changes)
        message = sys.stderr.getvalue().split("\n")[0]
        sys.stderr = real
        if old_values == 1:
            print(name + ": faulty")
            continue
        if values == 1:
            print(name + ": breaks, " + message)
            code = 1
            continue
        all_keys = list(old_values.keys())
        for key in values:
            if key not in all_keys:
                all_keys.append(key)
        different = False
        for key in sort_keys(all_keys):
            if key not in old_values:
                print(name + ": " + key + ": none -> " + format_value(values[key]))
                different = True
            elif key not in values:
                print(name + ": " + key + ": " + format_value(old_values[key]) + " -> none")
                different = True
            elif old_values[key] != values[key]:
                print(name + ": " + key + ": " + format_value(old_values[key]) + " -> " + format_value(values[key]))
                different = True
        if not different:
            print(name + ": no change")
    return code


def usage():
    """Print the usage."""
    print("usage: cuebook COMMAND FOLDER [ARGUMENT]", file=sys.stderr)
    return 2


def main():
    """Run the program."""
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    sys.stderr.reconfigure(encoding="utf-8", newline="\n")
    args = []
    venue = None
    profiles = []
    night = None
    where = None
    lock_it = False
    i = 1
    while i < len(sys.argv):
        arg = sys.argv[i]
        if arg == "--venue" and i > 1:
            # Parse the venue
            i += 1
            if i >= len(sys.argv):
                return usage()
            if venue is not None:
                return usage()
            if re.match(r"^[a-z][a-z0-9-]{0,15}\Z", sys.argv[i]) is None:
                return usage()
            venue = sys.argv[i]
        elif arg == "--profile" and i > 1:
            # Parse the profile
            i += 1
            if i >= len(sys.argv):
                return usage()
            if sys.argv[i] in profiles:
                return usage()
            if re.match(r"^[a-z][a-z0-9-]{0,15}\Z", sys.argv[i]) is None:
                return usage()
            profiles.append(sys.argv[i])
        elif arg == "--night" and i > 1:
            # Parse the night
            i += 1
            if i >= len(sys.argv):
                return usage()
            if night is not None:
                return usage()
            if re.match(r"^[a-z][a-z0-9-]{0,15}\Z", sys.argv[i]) is None:
                return usage()
            night = sys.argv[i]
        elif arg == "--in" and i > 1:
            # Parse the file
            i += 1
            if i >= len(sys.argv):
                return usage()
            if where is not None:
                return usage()
            where = sys.argv[i]
        elif arg == "--lock" and i > 1:
            if lock_it:
                return usage()
            lock_it = True
        elif arg.startswith("--"):
            return usage()
        else:
            args.append(arg)
        i += 1
    if len(args) < 2:
        return usage()
    if where is not None and args[0] not in ["set", "unset", "plan"]:
        return usage()
    if lock_it and args[0] not in ["set", "plan"]:
        return usage()
    if args[0] == "get":
        if len(args) != 3:
            return usage()
        return do_get(args[1], args[2], venue, profiles, night)
    elif args[0] == "origin":
        if len(args) != 3:
            return usage()
        return do_origin(args[1], args[2], venue, profiles, night)
    elif args[0] == "table":
        if len(args) == 2:
            return do_table(args[1], None, venue, profiles, night)
        elif len(args) == 3:
            return do_table(args[1], args[2], venue, profiles, night)
        else:
            return usage()
    elif args[0] == "check":
        if len(args) != 2:
            return usage()
        return do_check(args[1], venue, profiles, night)
    elif args[0] == "explain":
        if len(args) != 3:
            return usage()
        return do_explain(args[1], args[2], venue, profiles, night)
    elif args[0] == "diff":
        if len(args) != 4 or night is not None:
            return usage()
        return do_diff(args[1], args[2], args[3], venue, profiles)
    elif args[0] == "set":
        if len(args) != 4:
            return usage()
        return do_set(args[1], args[2], args[3], where, lock_it, venue, profiles, night)
    elif args[0] == "unset":
        if len(args) != 3:
            return usage()
        return do_unset(args[1], args[2], where, venue, profiles, night)
    elif args[0] == "move":
        if len(args) != 4:
            return usage()
        return do_move(args[1], args[2], args[3], venue, profiles, night)
    elif args[0] == "migrate":
        if len(args) != 2:
            return usage()
        return do_migrate(args[1], venue, profiles, night)
    elif args[0] == "plan":
        if len(args) != 4:
            return usage()
        return do_plan(args[1], args[2], args[3], where, lock_it, venue, profiles, night)
    else:
        return usage()


if __name__ == "__main__":
    sys.setrecursionlimit(20000)
    sys.exit(main())
