#!/usr/bin/env python3
"""Draws findings of signals for judging by hand, from distributions of the Python Package Index.

    cargo build --release
    benches/sample.py DISTRIBUTIONS.txt --signal god-module --count 60 --seed 7 --work FOLDER

DISTRIBUTIONS.txt names one distribution a line, with or without `==VERSION`. Wheels are
downloaded and unpacked, never installed: nothing of them is run. Findings are those of `slope
measure --profile slope --enable SIGNAL`, so generated and vendored files and tests are treated as
a user's are.

The order is fixed by the seed: distributions by SHA-256 of `seed|distribution|signal`, findings of
one by that of `seed|distribution|path|line|signal`. Distributions take turns. Printed are tab-separated
number, distribution, path below FOLDER, line and message; to standard error how many findings there
are and which distributions could not be had.
"""

import argparse
import hashlib
import json
import pathlib
import subprocess
import sys
import zipfile


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("distributions", type=pathlib.Path)
    parser.add_argument("--signal", required=True)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", default="7")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--slope", default="target/release/slope")
    return parser.parse_args()


def unpacked(requirement, work):
    """The folder of a distribution's wheel; None if there is none to be had."""
    name = requirement.split("==")[0].lower().replace("-", "_").replace(".", "_")
    found = sorted(work.glob(f"{name}/*.whl"))
    if not found:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--only-binary=:all:", "--dest", str(work / name), requirement]
        done = subprocess.run(command, capture_output=True, text=True)
        found = sorted(work.glob(f"{name}/*.whl"))
        if done.returncode or not found:
            return None
    folder = work / name / "files"
    if not folder.is_dir():
        with zipfile.ZipFile(found[0]) as wheel:
            wheel.extractall(folder, [m for m in wheel.namelist() if m.endswith(".py")])
    return folder


def findings(slope, folder, signal):
    command = [slope, "measure", str(folder), "--isolated", "--no-own-rules", "--no-near-miss"]
    command += ["--no-cache", "--enable", signal, "--format", "json"]
    done = subprocess.run(command, capture_output=True)
    if done.returncode or not done.stdout:
        return []
    return [f for f in json.loads(done.stdout)["findings"] if f["rule"] == signal]


def hashed(*parts):
    return hashlib.sha256("|".join(map(str, parts)).encode()).hexdigest()


def drawn(by_distribution, signal, seed, count):
    """Findings in the order of the seed, distributions taking turns."""
    order = sorted(by_distribution, key=lambda d: hashed(seed, d, signal))
    queues = []
    for name in order:
        def key(f, name=name):
            return hashed(seed, name, f["path"], f["span"]["start_line"], signal)
        queues.append((name, sorted(by_distribution[name], key=key)))
    turn = 0
    result = []
    while len(result) < count and any(len(q) > turn for _, q in queues):
        result += [(name, q[turn]) for name, q in queues if len(q) > turn]
        turn += 1
    return result[:count]


def main():
    args = arguments()
    args.work.mkdir(parents=True, exist_ok=True)
    found, missing, versions = {}, [], []
    lines = [line.strip() for line in args.distributions.read_text().splitlines()]
    for requirement in filter(None, lines):
        folder = unpacked(requirement, args.work)
        if folder is None:
            missing.append(requirement)
            continue
        versions += [wheel.name.split("-")[:2] for wheel in folder.parent.glob("*.whl")]
        name = folder.parent.name
        found[name] = findings(args.slope, folder, args.signal)
    for number, (name, f) in enumerate(drawn(found, args.signal, args.seed, args.count), 1):
        print(number, name, f["path"], f["span"]["start_line"], f["message"], sep="\t")
    all_findings = sum(map(len, found.values()))
    print(f"{all_findings} findings in {sum(map(bool, found.values()))} of {len(found)} distributions", file=sys.stderr)
    print("measured:", ", ".join(" ".join(v) for v in sorted(versions)), file=sys.stderr)
    if missing:
        print("no wheel to be had:", ", ".join(missing), file=sys.stderr)


if __name__ == "__main__":
    main()
