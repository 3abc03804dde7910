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


def find_sources(memory):
    """Find the files that patterns can match."""
    sources = []
    for folder, folders, files in os.walk("."):
        for name in files:
            path = os.path.join(folder, name)[2:]
            if len(path) > 40 or re.match(r"^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\Z", path) is None:
                continue
            if path in memory:
                continue
            sources.append(path)
    return sources


def parse_card(memory):
    """Parse the card and return the cloths."""
    sources = find_sources(memory)
    names = {}
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
                # Hide the braces so that no names are replaced in quoted words
                words.append(word.replace("{", "\x01"))
            else:
                word = ""
                while i < len(line) and line[i] != " " and line[i] != "\t":
                    word += line[i]
                    i += 1
                words.append(word)
        if len(words) == 0:
            continue
        words[0] = words[0].replace("\x01", "{")
        if words[0] != "cloth" and words[0] != "from" and words[0] != "do" and words[0] != "let":
            raise WeaveException(where + "unknown word '" + words[0] + "'")
        # A cloth or let ends the cloth above
        if words[0] == "cloth":
            if current is not None:
                if "*" in current["path"]:
                    leading = None
                    for t in current["threads"]:
                        if "*" in t:
                            leading = t
                            break
                    if leading is None:
                        raise WeaveException(current["where"] + "no thread with '*'")
                    found = []
                    before = leading[:leading.index("*")]
                    after = leading[leading.index("*") + 1:]
                    for p in list(sources) + list(cloths):
                        if p not in found and p.startswith(before) and p.endswith(after):
                            if len(p) > len(before) + len(after):
                                stem = p[len(before):len(p) - len(after)]
                                if "/" not in stem:
                                    found.append(p)
                    found.sort()
                    for p in found:
                        stem = p[len(before):len(p) - len(after)]
                        new_path = current["path"].replace("*", stem)
                        if len(new_path) > 40 or re.match(r"^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\Z", new_path) is None:
                            raise WeaveException(current["where"] + "bad path '" + new_path + "'")
                        new_threads = []
                        for t in current["threads"]:
                            new_thread = t.replace("*", stem)
                            if len(new_thread) > 40 or re.match(r"^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\Z", new_thread) is None:
                                raise WeaveException(current["where"] + "bad path '" + new_thread + "'")
                            new_threads.append(new_thread)
                        if new_path not in cloths:
                            cloths[new_path] = {"path": new_path, "threads": new_threads, "actions": current["actions"]}
                else:
                    new_threads = []
                    for t in current["threads"]:
                        if "*" in t:
                            found = []
                            before = t[:t.index("*")]
                            after = t[t.index("*") + 1:]
                            for p in list(sources) + list(cloths):
                                if p not in found and p.startswith(before) and p.endswith(after):
                                    if len(p) > len(before) + len(after):
                                        stem = p[len(before):len(p) - len(after)]
                                        if "/" not in stem:
                                            found.append(p)
                            found.sort()
                            for p in found:
                                new_threads.append(p)
                        else:
                            new_threads.append(t)
                    cloths[current["path"]] = {"path": current["path"], "threads": new_threads, "actions": current["actions"]}
                current = None
        elif words[0] == "let":
            if current is not None:
                if "*" in current["path"]:
                    leading = None
                    for t in current["threads"]:
                        if "*" in t:
                            leading = t
                            break
                    if leading is None:
                        raise WeaveException(current["where"] + "no thread with '*'")
                    found = []
                    before = leading[:leading.index("*")]
                    after = leading[leading.index("*") + 1:]
                    for p in list(sources) + list(cloths):
                        if p not in found and p.startswith(before) and p.endswith(after):
                            if len(p) > len(before) + len(after):
                                stem = p[len(before):len(p) - len(after)]
                                if "/" not in stem:
                                    found.append(p)
                    found.sort()
                    for p in found:
                        stem = p[len(before):len(p) - len(after)]
                        new_path = current["path"].replace("*", stem)
                        if len(new_path) > 40 or re.match(r"^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\Z", new_path) is None:
                            raise WeaveException(current["where"] + "bad path '" + new_path + "'")
                        new_threads = []
                        for t in current["threads"]:
                            new_thread = t.replace("*", stem)
                            if len(new_thread) > 40 or re.match(r"^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\Z", new_thread) is None:
                                raise WeaveException(current["where"] + "bad path '" + new_thread + "'")
                            new_threads.append(new_thread)
                        if new_path not in cloths:
                            cloths[new_path] = {"path": new_path, "threads": new_threads, "actions": current["actions"]}
                else:
                    new_threads = []
                    for t in current["threads"]:
                        if "*" in t:
                            found = []
                            before = t[:t.index("*")]
                            after = t[t.index("*") + 1:]
                            for p in list(sources) + list(cloths):
                                if p not in found and p.startswith(before) and p.endswith(after):
                                    if len(p) > len(before) + len(after):
                                        stem = p[len(before):len(p) - len(after)]
                                        if "/" not in stem:
                                            found.append(p)
                            found.sort()
                            for p in found:
                                new_threads.append(p)
                        else:
                            new_threads.append(t)
                    cloths[current["path"]] = {"path": current["path"], "threads": new_threads, "actions": current["actions"]}
                current = None
        elif words[0] == "from":
            if current is None:
                raise WeaveException(where + "'from' outside of a cloth")
        elif words[0] == "do":
            if current is None:
                raise WeaveException(where + "'do' outside of a cloth")
        # Replace the names in the words
        new_words = [words[0]]
        for word in words[1:]:
            results = [""]
            pieces = re.split(r"\{([a-z][a-z0-9]{0,15})\}", word)
            k = 0
            for piece in pieces:
                if k % 2 == 0:
                    if "{" in piece:
                        raise WeaveException(where + "bad reference in '" + word + "'")
                k += 1
            k = 0
            for piece in pieces:
                if k % 2 == 0:
                    new_results = []
                    for r in results:
                        new_results.append(r + piece)
                    results = new_results
                else:
                    if piece not in names:
                        raise WeaveException(where + "no name '" + piece + "'")
                    new_results = []
                    for r in results:
                        for value in names[piece]:
                            new_results.append(r + value)
                    results = new_results
                k += 1
            for r in results:
                new_words.append(r.replace("\x01", "{"))
        words = new_words
        # Handle the different kinds of lines
        if words[0] == "cloth":
            if len(words) < 2:
                raise WeaveException(where + "too few words")
            if len(words) > 2:
                raise WeaveException(where + "too many words")
            path = words[1]
            plain = path.replace("*", "x", 1)
            if len(plain) > 40 or re.match(r"^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\Z", plain) is None:
                raise WeaveException(where + "bad path '" + path + "'")
            if path in cloths:
                raise WeaveException(where + "'" + path + "' is there already")
            current = {"path": path, "threads": [], "actions": [], "where": where}
        elif words[0] == "let":
            if len(words) < 2:
                raise WeaveException(where + "too few words")
            if re.match(r"^[a-z][a-z0-9]{0,15}\Z", words[1]) is None:
                raise WeaveException(where + "bad name '" + words[1] + "'")
            if len(words) - 2 > 20:
                raise WeaveException(where + "too many words")
            names[words[1]] = words[2:]
        elif words[0] == "from":
            if current is None:
                raise WeaveException(where + "'from' outside of a cloth")
            if len(words) < 2:
                raise WeaveException(where + "too few words")
            for path in words[1:]:
                plain = path.replace("*", "x", 1)
                if len(plain) > 40 or re.match(r"^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\Z", plain) is None:
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
    # The end of the card ends the last cloth
    if current is not None:
        if "*" in current["path"]:
            leading = None
            for t in current["threads"]:
                if "*" in t:
                    leading = t
                    break
            if leading is None:
                raise WeaveException(current["where"] + "no thread with '*'")
            found = []
            before = leading[:leading.index("*")]
            after = leading[leading.index("*") + 1:]
            for p in list(sources) + list(cloths):
                if p not in found and p.startswith(before) and p.endswith(after):
                    if len(p) > len(before) + len(after):
                        stem = p[len(before):len(p) - len(after)]
                        if "/" not in stem:
                            found.append(p)
            found.sort()
            for p in found:
                stem = p[len(before):len(p) - len(after)]
                new_path = current["path"].replace("*", stem)
                if len(new_path) > 40 or re.match(r"^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\Z", new_path) is None:
                    raise WeaveException(current["where"] + "bad path '" + new_path + "'")
                new_threads = []
                for t in current["threads"]:
                    new_thread = t.replace("*", stem)
                    if len(new_thread) > 40 or re.match(r"^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\Z", new_thread) is None:
                        raise WeaveException(current["where"] + "bad path '" + new_thread + "'")
                    new_threads.append(new_thread)
                if new_path not in cloths:
                    cloths[new_path] = {"path": new_path, "threads": new_threads, "actions": current["actions"]}
        else:
            new_threads = []
            for t in current["threads"]:
                if "*" in t:
                    found = []
                    before = t[:t.index("*")]
                    after = t[t.index("*") + 1:]
                    for p in list(sources) + list(cloths):
                        if p not in found and p.startswith(before) and p.endswith(after):
                            if len(p) > len(before) + len(after):
                                stem = p[len(before):len(p) - len(after)]
                                if "/" not in stem:
                                    found.append(p)
                    found.sort()
                    for p in found:
                        new_threads.append(p)
                else:
                    new_threads.append(t)
            cloths[current["path"]] = {"path": current["path"], "threads": new_threads, "actions": current["actions"]}
        current = None
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
    memory = load_memory()
    cloths = parse_card(memory)
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
                # A stale file is no thread
                if thread in memory:
                    with open(thread, "rb") as f:
                        content = f.read()
                    if hashlib.sha256(content).hexdigest() == memory[thread]["output"]:
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
    # Remove what is stale
    removed = 0
    if len(targets) == 0:
        for path in sorted(memory):
            if path not in cloths:
                if os.path.isfile(path):
                    with open(path, "rb") as f:
                        content = f.read()
                    if hashlib.sha256(content).hexdigest() == memory[path]["output"]:
                        os.remove(path)
                        folder = os.path.dirname(path)
                        while folder != "" and len(os.listdir(folder)) == 0:
                            os.rmdir(folder)
                            folder = os.path.dirname(folder)
                        removed += 1
                        print("removed " + path)
                    else:
                        print("left " + path)
                del memory[path]
                save_memory(memory)
    if removed > 0:
        print(str(woven) + " woven, " + str(kept) + " kept, " + str(removed) + " removed")
    else:
        print(str(woven) + " woven, " + str(kept) + " kept")


def cmd_list(targets):
    """List the cloths."""
    memory = load_memory()
    cloths = parse_card(memory)
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
                # A stale file is no thread
                if thread in memory:
                    with open(thread, "rb") as f:
                        content = f.read()
                    if hashlib.sha256(content).hexdigest() == memory[thread]["output"]:
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
