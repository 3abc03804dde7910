#!/usr/bin/env python3
"""Cuebook - reads the settings of a theatre."""

import os
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


def parse_item(text, pos):
    """Parse an item and return the item and the new position."""
    if pos < len(text) and text[pos] == '"':
        pos += 1
        chars = ""
        while True:
            if pos >= len(text):
                raise BadValueException()
            if text[pos] == '"':
                pos += 1
                break
            elif text[pos] == "\\":
                if pos + 1 < len(text) and text[pos + 1] in ['"', "\\"]:
                    chars = chars + text[pos + 1]
                    pos += 2
                else:
                    raise BadValueException()
            else:
                chars = chars + text[pos]
                pos += 1
        if len(chars) > 60:
            raise BadValueException()
        return ["text", chars], pos
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
    return value


def format_value(value):
    """Format the value for printing."""
    if value[0] == "number":
        return str(value[1])
    elif value[0] == "truth":
        if value[1]:
            return "yes"
        else:
            return "no"
    elif value[0] == "text":
        return '"' + value[1].replace("\\", "\\\\").replace('"', '\\"') + '"'
    else:
        result = ""
        for i in range(len(value[1])):
            if i > 0:
                result = result + ", "
            result = result + format_value(value[1][i])
        return "[" + result + "]"


def load(folder):
    """Load all the layers and return the data, or None if there are faults."""
    layers = []
    for name in LAYERS:
        if os.path.exists(os.path.join(folder, name)):
            layers.append(name)
    if len(layers) == 0:
        print("error: no layers in " + folder, file=sys.stderr)
        return None
    texts = []
    for name in layers:
        try:
            with open(os.path.join(folder, name), "r", encoding="utf-8", newline="") as f:
                texts.append(f.read())
        except Exception:
            print("error: cannot read " + name, file=sys.stderr)
            return None
    faults = []
    data = {}
    for i in range(len(layers)):
        name = layers[i]
        seen = {}
        line_no = 0
        for line in texts[i].split("\n"):
            line_no += 1
            if line.endswith("\r"):
                line = line[:-1]
            line = line.strip(" \t")
            # Skip the empty lines and the comments
            if line == "" or line.startswith("#"):
                continue
            place = name + ":" + str(line_no)
            if "=" not in line:
                faults.append(place + ": bad line")
                continue
            key = line.split("=", 1)[0].strip(" \t")
            rest = line.split("=", 1)[1].strip(" \t")
            if not check_key(key):
                faults.append(place + ": bad key '" + key + "'")
                continue
            try:
                value = parse_value(rest)
            except BadValueException:
                faults.append(place + ": bad value for " + key)
                continue
            if key in seen:
                faults.append(place + ": " + key + " is set twice, first in line " + str(seen[key]))
                continue
            seen[key] = line_no
            if key in data:
                # Check if the kind is the same
                if data[key][0]["value"][0] != value[0]:
                    faults.append(place + ": " + key + " is " + data[key][0]["value"][0] + " in " + data[key][0]["place"] + ", not " + value[0])
                data[key].append({"place": place, "value": value})
            else:
                data[key] = [{"place": place, "value": value}]
    if len(faults) > 0:
        for fault in faults:
            print(fault, file=sys.stderr)
        return None
    return data, layers


def sort_keys(keys):
    """Sort the keys part by part."""
    result = []
    for key in keys:
        result.append(key.split("."))
    result.sort()
    return [".".join(parts) for parts in result]


def do_get(folder, key):
    """Print the value of the key."""
    result = load(folder)
    if result is None:
        return 1
    data, layers = result
    if key not in data:
        print("error: no key " + key, file=sys.stderr)
        return 1
    entry = data[key][len(data[key]) - 1]
    print(format_value(entry["value"]))
    return 0


def do_origin(folder, key):
    """Print the origin of the key."""
    result = load(folder)
    if result is None:
        return 1
    data, layers = result
    if key not in data:
        print("error: no key " + key, file=sys.stderr)
        return 1
    entry = data[key][len(data[key]) - 1]
    print(entry["place"])
    return 0


def do_table(folder, group):
    """Print the table of all the keys."""
    result = load(folder)
    if result is None:
        return 1
    data, layers = result
    for key in sort_keys(data.keys()):
        if group is None:
            entry = data[key][len(data[key]) - 1]
            print(key + " = " + format_value(entry["value"]) + " # " + entry["place"])
        elif key == group or key.startswith(group + "."):
            entry = data[key][len(data[key]) - 1]
            print(key + " = " + format_value(entry["value"]) + " # " + entry["place"])
    return 0


def do_check(folder):
    """Print the counts."""
    result = load(folder)
    if result is None:
        return 1
    data, layers = result
    unused = 0
    for key in data:
        unused += len(data[key]) - 1
    print("keys: " + str(len(data)) + ", layers: " + str(len(layers)) + ", unused: " + str(unused))
    return 0


def usage():
    """Print the usage."""
    print("usage: cuebook COMMAND FOLDER [ARGUMENT]", file=sys.stderr)
    return 2


def main():
    """Run the program."""
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    sys.stderr.reconfigure(encoding="utf-8", newline="\n")
    args = sys.argv[1:]
    for arg in args:
        if arg.startswith("--"):
            return usage()
    if len(args) < 2:
        return usage()
    if args[0] == "get":
        if len(args) != 3:
            return usage()
        return do_get(args[1], args[2])
    elif args[0] == "origin":
        if len(args) != 3:
            return usage()
        return do_origin(args[1], args[2])
    elif args[0] == "table":
        if len(args) == 2:
            return do_table(args[1], None)
        elif len(args) == 3:
            return do_table(args[1], args[2])
        else:
            return usage()
    elif args[0] == "check":
        if len(args) != 2:
            return usage()
        return do_check(args[1])
    else:
        return usage()


if __name__ == "__main__":
    sys.exit(main())
