#!/usr/bin/env python3
"""Times `slope history --sample N` beside reading and parsing its distinct contents.

    cargo build --release && cargo build --release -p slope-syntax --example floor
    benches/history.py REPO --sample 30 --rounds 3

Writes each distinct content of the sampled commits to a folder once (files of the suffixes
that REPO's snapshots are measured by), runs the floor on that folder and slope on the
repository by turns, and prints the least CPU and wall time of each. REPO may be bare.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

SUFFIXES = (
    ".py .pyi .js .mjs .cjs .jsx .ts .tsx .mts .cts .rs .go .java .c .h .cc .cpp .cxx .hh .hpp "
    ".cs .rb .hs .zig"
).split()


def git(repo, *args, data=None):
    done = subprocess.run(
        ["git", "-c", "safe.directory=*", "-C", repo, *args],
        input=data, stdout=subprocess.PIPE, check=True,
    )
    return done.stdout


def contents(repo, commits):
    """Each distinct content and suffix of some commits, once."""
    found = set()
    for commit in commits:
        for line in git(repo, "ls-tree", "-r", "-z", commit).split(b"\0"):
            if not line:
                continue
            meta, path = line.split(b"\t", 1)
            mode, kind, blob = meta.split()
            suffix = os.path.splitext(os.fsdecode(path))[1].lower()
            if kind == b"blob" and mode != b"120000" and suffix in SUFFIXES:
                found.add((blob.decode(), suffix))
    return sorted(found)


def write(repo, wanted, folder):
    """Writes contents to files named by their hash."""
    names = "".join(f"{blob}\n" for blob, _ in wanted).encode()
    data = git(repo, "cat-file", "--batch", data=names)
    at = size = 0
    for blob, suffix in wanted:
        end = data.index(b"\n", at)
        length = int(data[at:end].split()[2])
        with open(os.path.join(folder, blob + suffix), "wb") as file:
            file.write(data[end + 1 : end + 1 + length])
        at = end + 2 + length
        size += length
    return size


def timed(command):
    """CPU and wall seconds of a command that succeeds."""
    before, start = os.times(), time.monotonic()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    after, wall = os.times(), time.monotonic() - start
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed: {done.stderr.decode(errors='replace')}")
    user = after.children_user - before.children_user
    system = after.children_system - before.children_system
    return user + system, wall


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("repo")
    parser.add_argument("--sample", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--slope", default="target/release/slope")
    parser.add_argument("--floor", default="target/release/examples/floor")
    args = parser.parse_args()
    history = [args.slope, "history", args.repo, "--sample", str(args.sample), "--no-cache",
               "--quiet", "--threads", str(args.threads), "--format", "json"]
    told = subprocess.run(history, stdout=subprocess.PIPE, check=True)
    commits = [point["commit"]["id"] for point in json.loads(told.stdout)["points"]]
    with tempfile.TemporaryDirectory() as folder:
        wanted = contents(args.repo, commits)
        size = write(args.repo, wanted, folder)
        print(f"{len(commits)} snapshots, {len(wanted)} distinct contents, {size / 1e6:.1f} MB")
        runs = {"floor": [args.floor, folder, str(args.threads)], "slope history": history}
        best = {}
        for _ in range(args.rounds):
            for name, command in runs.items():
                now = timed(command)
                old = best.get(name, now)
                best[name] = (min(old[0], now[0]), min(old[1], now[1]))
        for name, (cpu, wall) in best.items():
            print(f"{name}: CPU {cpu:.2f} s ({cpu / best['floor'][0]:.2f} x floor), "
                  f"wall {wall:.2f} s ({wall / best['floor'][1]:.2f} x floor)")


if __name__ == "__main__":
    main()
