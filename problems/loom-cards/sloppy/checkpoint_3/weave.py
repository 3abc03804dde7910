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


def parse_card(st, name, data, cloths, names, within):
    """Parse the card and add its cloths."""
    sources = st["sources"]
    memory = st["memory"]
    try:
        text = data.decode("utf-8")
    except Exception:
        if len(within) == 0:
            raise WeaveException("cannot read main.card")
        raise WeaveException(within[-1] + "cannot read " + name)
    current = None
    number = 0
    for line in text.split("\n"):
        number += 1
        where = name + ":" + str(number) + ": "
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
        if words[0] != "cloth" and words[0] != "from" and words[0] != "do" and words[0] != "let" and words[0] != "use":
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
        elif words[0] == "use":
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
        elif words[0] == "use":
            if len(words) < 2:
                raise WeaveException(where + "too few words")
            if len(words) > 2:
                raise WeaveException(where + "too many words")
            path = words[1]
            if len(path) > 40 or re.match(r"^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\Z", path) is None:
                raise WeaveException(where + "bad path '" + path + "'")
            if path == name or path + ":" in [w[:len(path) + 1] for w in within]:
                raise WeaveException(where + "'" + path + "' uses itself")
            if path in cloths:
                if path not in st["done"]:
                    # Check what it needs before anything of it is woven
                    order = []
                    way = list(st["way"])

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
                                if not file_there(thread, st):
                                    raise WeaveException("no cloth and no file '" + thread + "' for '" + path + "'")
                                # A stale file is no thread
                                if thread in memory:
                                    content = read_file(thread, st)
                                    if hashlib.sha256(content).hexdigest() == memory[thread]["output"]:
                                        raise WeaveException("no cloth and no file '" + thread + "' for '" + path + "'")
                        way.pop()
                        order.append(path)

                    if path in way:
                        loop = way[way.index(path):]
                        loop.append(path)
                        raise WeaveException("cycle: " + " > ".join(loop))
                    visit(path)
                    bring_up(path, cloths, st)
                used = read_file(path, st)
            else:
                if not file_there(path, st):
                    raise WeaveException(where + "no card '" + path + "'")
                used = read_file(path, st)
                # A stale file is no card
                if path in memory:
                    if hashlib.sha256(used).hexdigest() == memory[path]["output"]:
                        raise WeaveException(where + "no card '" + path + "'")
            parse_card(st, path, used, cloths, names, within + [where])
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
            elif words[1] == "unfold":
                if len(words) > 2:
                    raise WeaveException(where + "too many words")
                current["actions"].append(["unfold"])
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


def file_there(path, st):
    """Check if the file is there, also in a dry run."""
    if path in st["over"]:
        return st["over"][path] is not None
    return os.path.isfile(path)


def read_file(path, st):
    """Read the file, also in a dry run."""
    if path in st["over"]:
        return st["over"][path]
    with open(path, "rb") as f:
        return f.read()


def load_memory():
    """Load what is remembered."""
    try:
        with open(".loom/state.json", "r") as f:
            return json.load(f)
    except Exception:
        return {}


def save_memory(memory, st):
    """Save what is remembered."""
    if st["dry"]:
        return
    if not os.path.isdir(".loom"):
        os.makedirs(".loom")
    with open(".loom/state.json.tmp", "w") as f:
        json.dump(memory, f)
    os.replace(".loom/state.json.tmp", ".loom/state.json")


def bring_up(path, cloths, st):
    """Bring the cloth up to date, with all that it needs."""
    if path in st["done"]:
        return
    memory = st["memory"]
    cloth = cloths[path]
    st["way"].append(path)
    for thread in cloth["threads"]:
        if thread in cloths:
            bring_up(thread, cloths, st)
    data = b""
    inputs = []
    for thread in cloth["threads"]:
        content = read_file(thread, st)
        data += content
        inputs.append([thread, hashlib.sha256(content).hexdigest()])
    # Check if it is up to date
    reason = None
    if path not in memory:
        reason = "never woven"
    else:
        old = memory[path]
        if [x[0] for x in old["inputs"]] != [x[0] for x in inputs]:
            reason = "other threads"
        elif old["actions"] != cloth["actions"]:
            reason = "other actions"
        else:
            k = 0
            while k < len(inputs):
                if inputs[k][1] != old["inputs"][k][1]:
                    reason = "'" + inputs[k][0] + "' changed"
                    break
                k += 1
            if reason is None:
                for item in old["found"]:
                    p = item[0]
                    if p in cloths:
                        if p not in st["done"]:
                            # Check what it needs before anything of it is woven
                            order = []
                            way = list(st["way"])

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
                                        if not file_there(thread, st):
                                            raise WeaveException("no cloth and no file '" + thread + "' for '" + path + "'")
                                        # A stale file is no thread
                                        if thread in memory:
                                            content = read_file(thread, st)
                                            if hashlib.sha256(content).hexdigest() == memory[thread]["output"]:
                                                raise WeaveException("no cloth and no file '" + thread + "' for '" + path + "'")
                                way.pop()
                                order.append(path)

                            if p in way:
                                loop = way[way.index(p):]
                                loop.append(p)
                                raise WeaveException("cycle: " + " > ".join(loop))
                            visit(p)
                            bring_up(p, cloths, st)
                    elif (not file_there(p, st)) or (p in memory and hashlib.sha256(read_file(p, st)).hexdigest() == memory[p]["output"]):
                        reason = "'" + p + "' changed"
                        break
                    content = read_file(p, st)
                    if hashlib.sha256(content).hexdigest() != item[1]:
                        reason = "'" + p + "' changed"
                        break
            if reason is None:
                if not file_there(path, st):
                    reason = "not there"
                else:
                    content = read_file(path, st)
                    if hashlib.sha256(content).hexdigest() != old["output"]:
                        reason = "changed by hand"
    st["why"][path] = reason
    if reason is None:
        st["kept"] += 1
        if not st["quiet"]:
            print("kept " + path)
    else:
        found = []
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
            elif action[0] == "unfold":
                lines = data.split(b"\n")
                data = b""
                n = 0
                for line in lines:
                    n += 1
                    if n == len(lines):
                        if line == b"":
                            break
                        end = b""
                    else:
                        end = b"\n"
                    if line.startswith(b"@@"):
                        data += line[1:] + end
                    elif line.startswith(b"@"):
                        p = line[1:].decode("utf-8", "replace")
                        if len(p) > 40 or re.match(r"^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\Z", p) is None:
                            raise WeaveException("bad path '" + p + "' in '" + path + "'")
                        if p in cloths:
                            if p not in st["done"]:
                                # Check what it needs before anything of it is woven
                                order = []
                                way = list(st["way"])

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
                                            if not file_there(thread, st):
                                                raise WeaveException("no cloth and no file '" + thread + "' for '" + path + "'")
                                            # A stale file is no thread
                                            if thread in memory:
                                                content = read_file(thread, st)
                                                if hashlib.sha256(content).hexdigest() == memory[thread]["output"]:
                                                    raise WeaveException("no cloth and no file '" + thread + "' for '" + path + "'")
                                    way.pop()
                                    order.append(path)

                                if p in way:
                                    loop = way[way.index(p):]
                                    loop.append(p)
                                    raise WeaveException("cycle: " + " > ".join(loop))
                                visit(p)
                                bring_up(p, cloths, st)
                        else:
                            if (not file_there(p, st)) or (p in memory and hashlib.sha256(read_file(p, st)).hexdigest() == memory[p]["output"]):
                                raise WeaveException("no cloth and no file '" + p + "' for '" + path + "'")
                        content = read_file(p, st)
                        found.append([p, hashlib.sha256(content).hexdigest()])
                        data += content
                        if len(content) > 0 and not content.endswith(b"\n"):
                            data += b"\n"
                    else:
                        data += line + end
            elif action[0] == "replace":
                data = data.replace(action[1].encode("utf-8"), action[2].encode("utf-8"))
        if st["dry"]:
            st["over"][path] = data
        else:
            folder = os.path.dirname(path)
            if folder != "":
                if not os.path.isdir(folder):
                    os.makedirs(folder)
            with open(path, "wb") as f:
                f.write(data)
        memory[path] = {"inputs": inputs, "actions": cloth["actions"], "found": found, "output": hashlib.sha256(data).hexdigest()}
        save_memory(memory, st)
        st["woven"] += 1
        if not st["quiet"]:
            print("woven " + path)
    st["way"].pop()
    st["done"].append(path)
    # Keep the reasons in the order in which the cloths were done
    st["finished"].append(path)


def cmd_build(targets, dry):
    """Build the cloths."""
    memory = load_memory()
    st = {"dry": dry, "quiet": False, "over": {}, "memory": memory, "sources": find_sources(memory), "way": [], "done": [], "why": {}, "finished": [], "woven": 0, "kept": 0}
    try:
        with open("main.card", "rb") as f:
            main_data = f.read()
    except Exception:
        raise WeaveException("cannot read main.card")
    cloths = {}
    parse_card(st, "main.card", main_data, cloths, {}, [])
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
                if not file_there(thread, st):
                    raise WeaveException("no cloth and no file '" + thread + "' for '" + path + "'")
                # A stale file is no thread
                if thread in memory:
                    content = read_file(thread, st)
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
    for path in (targets if len(targets) > 0 else list(cloths)):
        bring_up(path, cloths, st)
    # Remove what is stale
    removed = 0
    if len(targets) == 0:
        for path in sorted(memory):
            if path not in cloths:
                if file_there(path, st):
                    content = read_file(path, st)
                    if hashlib.sha256(content).hexdigest() == memory[path]["output"]:
                        if not dry:
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
                save_memory(memory, st)
    if removed > 0:
        print(str(st["woven"]) + " woven, " + str(st["kept"]) + " kept, " + str(removed) + " removed")
    else:
        print(str(st["woven"]) + " woven, " + str(st["kept"]) + " kept")


def cmd_list(targets):
    """List the cloths."""
    memory = load_memory()
    st = {"dry": True, "quiet": True, "over": {}, "memory": memory, "sources": find_sources(memory), "way": [], "done": [], "why": {}, "finished": [], "woven": 0, "kept": 0}
    try:
        with open("main.card", "rb") as f:
            main_data = f.read()
    except Exception:
        raise WeaveException("cannot read main.card")
    cloths = {}
    parse_card(st, "main.card", main_data, cloths, {}, [])
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
                if not file_there(thread, st):
                    raise WeaveException("no cloth and no file '" + thread + "' for '" + path + "'")
                # A stale file is no thread
                if thread in memory:
                    content = read_file(thread, st)
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


def cmd_explain(targets):
    """Explain why a cloth would be woven."""
    memory = load_memory()
    st = {"dry": True, "quiet": True, "over": {}, "memory": memory, "sources": find_sources(memory), "way": [], "done": [], "why": {}, "finished": [], "woven": 0, "kept": 0}
    try:
        with open("main.card", "rb") as f:
            main_data = f.read()
    except Exception:
        raise WeaveException("cannot read main.card")
    cloths = {}
    parse_card(st, "main.card", main_data, cloths, {}, [])
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
                if not file_there(thread, st):
                    raise WeaveException("no cloth and no file '" + thread + "' for '" + path + "'")
                # A stale file is no thread
                if thread in memory:
                    content = read_file(thread, st)
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
    for path in targets:
        bring_up(path, cloths, st)
    for path in st["finished"]:
        if st["why"][path] is not None:
            print(path + ": " + st["why"][path])
        elif path == targets[0]:
            print(path + ": up to date")


def main():
    args = sys.argv[1:]
    if len(args) == 0:
        sys.stderr.write("usage: weave COMMAND ...\n")
        return 2
    if args[0] != "build" and args[0] != "list" and args[0] != "explain":
        sys.stderr.write("unknown command " + args[0] + "\n")
        return 2
    dry = False
    rest = []
    for a in args[1:]:
        if a == "--dry" and args[0] == "build":
            dry = True
        elif a.startswith("-"):
            sys.stderr.write("unknown option " + a + "\n")
            return 2
        else:
            rest.append(a)
    if args[0] == "explain" and len(rest) != 1:
        sys.stderr.write("usage: weave explain CLOTH\n")
        return 2
    try:
        if args[0] == "build":
            cmd_build(rest, dry)
        elif args[0] == "list":
            cmd_list(rest)
        elif args[0] == "explain":
            cmd_explain(rest)
    except WeaveException as e:
        sys.stdout.flush()
        sys.stderr.write("error: " + str(e) + "\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
