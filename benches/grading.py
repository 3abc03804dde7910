#!/usr/bin/env python3
"""Prints requests for `slope grade`: each file that differs between two folders, as a patch of the first one.

    benches/grading.py NEWER OLDER .py > requests.jsonl
    cargo build --release --workspace --example timing
    target/release/examples/timing NEWER requests.jsonl grades.jsonl

Files that only one folder has are removed or added ones.
"""

import difflib
import json
import os
import random
import sys


def files(folder, suffixes):
    for parent, _, names in os.walk(folder):
        for name in names:
            if name.endswith(suffixes):
                path = os.path.join(parent, name)
                with open(path, encoding="utf8", errors="replace") as file:
                    yield os.path.relpath(path, folder), file.read()


def patch(path, old, new):
    lines = [f"diff --git a/{path} b/{path}\n"]
    lines += ["new file mode 100644\n"] * (not old) + ["deleted file mode 100644\n"] * (not new)
    names = (f"a/{path}" if old else "/dev/null", f"b/{path}" if new else "/dev/null")
    texts = [text.splitlines(keepends=True) for text in (old, new)]
    return "".join(lines + list(difflib.unified_diff(*texts, *names)))


def main():
    newer, older, *suffixes = sys.argv[1:]
    before, after = (dict(files(folder, tuple(suffixes))) for folder in (newer, older))
    requests = []
    for path in sorted(before.keys() | after.keys()):
        old, new = before.get(path, ""), after.get(path, "")
        if old != new and all(not text or text.endswith("\n") for text in (old, new)):
            change = {"kind": "diff", "data": patch(path, old, new)}
            tests = {"passed": 3, "failed": 0}
            requests.append({"id": path, "change": change, "tests": tests})
    random.Random(7).shuffle(requests)
    for request in requests:
        print(json.dumps(request))


if __name__ == "__main__":
    main()
