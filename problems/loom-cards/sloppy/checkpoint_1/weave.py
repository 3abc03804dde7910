#!/usr/bin/env python3
"""Weave - an incremental builder for card files."""

import hashlib
import json
import os
import re
import sys


class WeaveException(Exception):
    """Exception for errors of the weave program."""
    pass


def parse_card():
    """Parse the card and return the cloths."""
    try:
        with open("main.card", "rb") as f:
            text = f.read().decode("utf-8")
    except Exception:
        raise WeaveException("cannot read main.card")
    cloths = {}
    current = None
    number = 0
    for line in text.split("\n"):
        number += 1
        where = "main.card:" + str(number) + ": "
        # Split the line into words
        words = []
        i = 0
        while i < len(line):
            c = line[i]
            if c == " " or c == "\t":
                i += 1
            elif c == "#":
                break
            elif c == '"':
                word = ""
                i += 1
                closed = False
                while i < len(line):
                    if line[i] == '"':
                        closed = True
                        break
                    elif line[i] == "\\":
                        if i + 1 >= len(line):
                            raise WeaveException(where + "quote not closed")
                        if line[i + 1] == "n":
                            word += "\n"
                        elif line[i + 1] == "\\":
                            word += "\\"
                        elif line[i + 1] == '"':
                            word += '"'
                        else:
                            raise WeaveException(where + "bad escape '\\" + line[i + 1] + "'")
                        i += 2
                    else:
                        word += line[i]
                        i += 1
                if not closed:
                    raise WeaveException(where + "quote not closed")
                i += 1
                if i < len(line):
                    if line[i] != " " and line[i] != "\t":
                        raise WeaveException(where + "text after a quote")
                words.append(word)
            else:
                word = ""
                while i < len(line) and line[i] != " " and line[i] != "\t":
                    word += line[i]
                    i += 1
                words.append(word)
        if len(words) == 0:
            continue
        # Handle the different kinds of lines
        if words[0] == "cloth":
            if len(words) < 2:
                raise WeaveException(where + "too few words")
            if len(words) > 2:
                raise WeaveException(where + "too many words")
            path = words[1]
            if len(path) > 40 or re.match(r"^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\Z", path) is None:
                raise WeaveException(where + "bad path '" + path + "'")
            if path in cloths:
                raise WeaveException(where + "'" + path + "' is there already")
            current = {"path": path, "threads": [], "actions": []}
            cloths[path] = current
        elif words[0] == "from":
            if current is None:
                raise WeaveException(where + "'from' outside of a cloth")
            if len(words) < 2:
                raise WeaveException(where + "too few words")
            for path in words[1:]:
                if len(path) > 40 or re.match(r"^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\Z", path) is None:
                    raise WeaveException(where + "bad path '" + path + "'")
            for path in words[1:]:
                current["threads"].append(path)
            if len(current["threads"]) > 12:
                raise WeaveException(where + "too many threads")
        elif words[0] == "do":
            if current is None:
                raise WeaveException(where + "'do' outside of a cloth")
            if len(words) < 2:
                raise WeaveException(where + "too few words")
            if words[1] == "upper":
                if len(words) > 2:
                    raise WeaveException(where + "too many words")
                current["actions"].append(["upper"])
            elif words[1] == "lower":
                if len(words) > 2:
                    raise WeaveException(where + "too many words")
                current["actions"].append(["lower"])
            elif words[1] == "sort":
                if len(words) > 2:
                    raise WeaveException(where + "too many words")
                current["actions"].append(["sort"])
            elif words[1] == "number":
                if len(words) > 2:
                    raise WeaveException(where + "too many words")
                current["actions"].append(["number"])
            elif words[1] == "first":
                if len(words) < 3:
                    raise WeaveException(where + "too few words")
                if len(words) > 3:
                    raise WeaveException(where + "too many words")
                if re.match(r"^[0-9]{1,4}\Z", words[2]) is None:
                    raise WeaveException(where + "bad number '" + words[2] + "'")
                if int(words[2]) < 1 or int(words[2]) > 500:
                    raise WeaveException(where + "bad number '" + words[2] + "'")
                current["actions"].append(["first", words[2]])
            elif words[1] == "title":
                if len(words) < 3:
                    raise WeaveException(where + "too few words")
                if len(words) > 3:
                    raise WeaveException(where + "too many words")
                current["actions"].append(["title", words[2]])
            elif words[1] == "replace":
                if len(words) < 4:
                    raise WeaveException(where + "too few words")
                if len(words) > 4:
                    raise WeaveException(where + "too many words")
                if words[2] == "":
                    raise WeaveException(where + "nothing to replace")
                current["actions"].append(["replace", words[2], words[3]])
            else:
                raise WeaveException(where + "unknown action '" + words[1] + "'")
        else:
            raise WeaveException(where + "unknown word '" + words[0] + "'")
    return cloths


def load_memory():
    """Load what is remembered."""
    try:
        with open(".loom/state.json", "r") as f:
            return json.load(f)
    except Exception:
        return {}


def save_memory(memory):
    """Save what is remembered."""
    if not os.path.isdir(".loom"):
        os.makedirs(".loom")
    with open(".loom/state.json.tmp", "w") as f:
        json.dump(memory, f)
    os.replace(".loom/state.json.tmp", ".loom/state.json")


def cmd_build(targets):
    """Build the cloths."""
    cloths = parse_card()
    memory = load_memory()
    for t in targets:
        if t not in cloths:
            raise WeaveException("no cloth '" + t + "'")
    # Find the order of the cloths
    order = []
    way = []

    def visit(path):
        way.append(path)
        for thread in cloths[path]["threads"]:
            if thread in cloths:
                if thread in way:
                    loop = way[way.index(thread):]
                    loop.append(thread)
                    raise WeaveException("cycle: " + " > ".join(loop))
                if thread not in order:
                    visit(thread)
            else:
                if not os.path.isfile(thread):
                    raise WeaveException("no cloth and no file '" + thread + "' for '" + path + "'")
        way.pop()
        order.append(path)

    if len(targets) > 0:
        for t in targets:
            if t not in order:
                visit(t)
    else:
        for t in cloths:
            if t not in order:
                visit(t)
    woven = 0
    kept = 0
    for path in order:
        cloth = cloths[path]
        data = b""
        inputs = []
        for thread in cloth["threads"]:
            with open(thread, "rb") as f:
                content = f.read()
            data += content
            inputs.append([thread, hashlib.sha256(content).hexdigest()])
        # Check if it is up to date
        up_to_date = False
        if path in memory:
            old = memory[path]
            if old["inputs"] == inputs:
                if old["actions"] == cloth["actions"]:
                    if os.path.isfile(path):
                        with open(path, "rb") as f:
                            content = f.read()
                        if hashlib.sha256(content).hexdigest() == old["output"]:
                            up_to_date = True
        if up_to_date:
            kept += 1
            print("kept " + path)
        else:
            for action in cloth["actions"]:
                if action[0] == "upper":
                    data = data.upper()
                elif action[0] == "lower":
                    data = data.lower()
                elif action[0] == "sort":
                    lines = data.split(b"\n")
                    if lines[-1] == b"":
                        lines.pop()
                    lines.sort()
                    data = b""
                    for line in lines:
                        data += line + b"\n"
                elif action[0] == "number":
                    lines = data.split(b"\n")
                    if lines[-1] == b"":
                        lines.pop()
                    data = b""
                    n = 0
                    for line in lines:
                        n += 1
                        data += str(n).encode("utf-8") + b" " + line + b"\n"
                elif action[0] == "first":
                    lines = data.split(b"\n")
                    if lines[-1] == b"":
                        lines.pop()
                    data = b""
                    n = 0
                    for line in lines:
                        n += 1
                        if n <= int(action[1]):
                            data += line + b"\n"
                elif action[0] == "title":
                    data = action[1].encode("utf-8") + b"\n" + data
                elif action[0] == "replace":
                    data = data.replace(action[1].encode("utf-8"), action[2].encode("utf-8"))
            folder = os.path.dirname(path)
            if folder != "":
                if not os.path.isdir(folder):
                    os.makedirs(folder)
            with open(path, "wb") as f:
                f.write(data)
            memory[path] = {"inputs": inputs, "actions": cloth["actions"], "output": hashlib.sha256(data).hexdigest()}
            save_memory(memory)
            woven += 1
            print("woven " + path)
    print(str(woven) + " woven, " + str(kept) + " kept")


def cmd_list(targets):
    """List the cloths."""
    cloths = parse_card()
    for t in targets:
        if t not in cloths:
            raise WeaveException("no cloth '" + t + "'")
    # Find the order of the cloths
    order = []
    way = []

    def visit(path):
        way.append(path)
        for thread in cloths[path]["threads"]:
            if thread in cloths:
                if thread in way:
                    loop = way[way.index(thread):]
                    loop.append(thread)
                    raise WeaveException("cycle: " + " > ".join(loop))
                if thread not in order:
                    visit(thread)
            else:
                if not os.path.isfile(thread):
                    raise WeaveException("no cloth and no file '" + thread + "' for '" + path + "'")
        way.pop()
        order.append(path)

    if len(targets) > 0:
        for t in targets:
            if t not in order:
                visit(t)
    else:
        for t in cloths:
            if t not in order:
                visit(t)
    for path in order:
        line = path + ":"
        for thread in cloths[path]["threads"]:
            line += " " + thread
        print(line)


def main():
    args = sys.argv[1:]
    if len(args) == 0:
        sys.stderr.write("usage: weave COMMAND ...\n")
        return 2
    if args[0] != "build" and args[0] != "list":
        sys.stderr.write("unknown command " + args[0] + "\n")
        return 2
    for a in args[1:]:
        if a.startswith("-"):
            sys.stderr.write("unknown option " + a + "\n")
            return 2
    try:
        if args[0] == "build":
            cmd_build(args[1:])
        elif args[0] == "list":
            cmd_list(args[1:])
    except WeaveException as e:
        sys.stdout.flush()
        sys.stderr.write("error: " + str(e) + "\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
