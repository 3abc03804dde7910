#!/usr/bin/env python3
"""Makes a repository whose commits are known minimal fixes: `minimal_fixes.py FILE OUT`.

FILE is `data/questions/corrupted_solutions_manual_easy_400.jsonl` of https://github.com/nreHieW/fyp: working solutions
with one small fault put in. The first commit of OUT has all faults, and each further commit fixes one of them. Then ask
whether edits that do more than the fix are below it:

    slope research rewards mutations OUT --commits 400
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
from pathlib import Path


def git(folder: Path, *arguments: str) -> None:
    """Runs git with a fixed author and time, so that the commits are the same each time."""
    who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in WHO.items()}
    subprocess.run(["git", "-C", folder, *arguments], check=True, env={"PATH": "/usr/bin:/bin", **who})


def plain(code: str) -> str:
    """The code in one layout: the faulty solutions have no comments and another layout."""
    return ast.unparse(ast.parse(code)) + "\n"


WHO = {"NAME": "fixes", "EMAIL": "fixes@example.org", "DATE": "2026-01-01T00:00:00Z"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    tasks = [json.loads(line) for line in arguments.file.read_text().splitlines()]
    out = arguments.out
    out.mkdir(parents=True)
    git(out, "init", "--quiet", "--initial-branch=main")
    paths = [out / f"task_{number:03}.py" for number in range(len(tasks))]
    for path, task in zip(paths, tasks, strict=True):
        path.write_text(plain(task["corrupted_solution"]))
    git(out, "add", "--all")
    git(out, "commit", "--quiet", "--message", "add tasks with faults")
    for path, task in zip(paths, tasks, strict=True):
        path.write_text(plain(task["canonical_solution"]))
        git(out, "commit", "--quiet", "--all", "--allow-empty", "--message", f"fix {path.stem}")
    print(f"{out} has {len(tasks)} fixes")


if __name__ == "__main__":
    main()
