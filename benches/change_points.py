#!/usr/bin/env python3
"""Measures the change points of human code bases, which `slope judge` compares with.

Example: benches/change_points.py target/release/slope ~/src/*/ > crates/slope-judge/data/change_points.json

Each folder is a clone of a public repository at the commit to measure.
"""

import json
import subprocess
import sys
from pathlib import Path

# Code bases with less code in a language say little of it.
MIN_LINES = 1000


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def name(folder: Path) -> str:
    address = git(folder, "remote", "get-url", "origin")
    return "/".join(address.removesuffix(".git").replace(":", "/").split("/")[-2:])


def main() -> None:
    slope, *folders = sys.argv[1:]
    rows = []
    for folder in map(Path, folders):
        command = [slope, "judge", "--static", folder, "--isolated", "--format", "json", "--top", "1"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        for language in json.loads(done.stdout)["languages"]:
            if language["panel"] and language["sloc"] >= MIN_LINES:
                rows.append({
                    "languages": language["languages"],
                    "repository": name(folder),
                    "commit": git(folder, "rev-parse", "HEAD"),
                    "change_points_per_kloc": round(language["change_points_per_kloc"], 6),
                })
    rows.sort(key=lambda row: (row["languages"], row["repository"]))
    lines = ",\n".join(json.dumps(row) for row in rows)
    print(f"[\n{lines}\n]")


if __name__ == "__main__":
    main()
