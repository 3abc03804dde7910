#!/usr/bin/env python3
"""Tells what the harness itself took in runs: everything but the agent and the tests.

    target/release/slope quickstart --out /tmp/quick && benches/overhead.py /tmp/quick/tidy /tmp/quick/sloppy
    benches/overhead.py --quickstart target/release/slope --rounds 5

For each part the median over all checkpoints, the median start of an agent's sandbox (goal: at most
25 ms), and the harness's part of a checkpoint's time (goal: under 2%) in two ways: by the spans that
the journal holds, and by what is left of the time from an attempt's beginning until its snapshot is
measured when the agent's and the tests' time are taken off, which nothing escapes.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile


def checkpoints(run):
    """Of each graded and measured attempt: its spans, and the seconds of agent, tests and all."""
    found = {}
    lines = (run / "journal.jsonl").read_text().splitlines()
    for event in map(json.loads, lines):
        attempt = event.get("attempt", {})
        name = (event.get("problem"), event.get("trial"),
                event.get("checkpoint", attempt.get("checkpoint")),
                event.get("number", attempt.get("number")))
        one = found.setdefault(name, {"spans": {}, "whole": None})
        match event["event"]:
            case "attempt_started":
                one["began"] = event["since_s"]
            case "attempt_ended":
                one["agent"] = attempt["duration_s"]
                add(one, "attempt", attempt.get("spans", {}))
            case "graded":
                verdict = json.loads((run / event["verdict"]).read_text())
                one["tests"] = verdict["duration_s"]
                add(one, "grading", event.get("spans", {}))
            case "measured":
                add(one, "measurement", event.get("spans", {}))
                one["whole"] = event["since_s"] - one["began"]
    return [one for one in found.values() if one["whole"] is not None]


def add(one, where, spans):
    for name, seconds in spans.items():
        one["spans"][f"{where} {name.removesuffix('_s')}"] = seconds


def tell(found):
    names = sorted({name for one in found for name in one["spans"]})
    for name in names:
        values = [one["spans"][name] for one in found if name in one["spans"]]
        print(f"{name:<22} {statistics.median(values) * 1000:9.1f} ms")
    waits = sum(one["spans"].get("grading slot", 0.0) for one in found)
    spans = sum(sum(one["spans"].values()) for one in found) - waits
    whole = sum(one["whole"] for one in found) - waits
    rest = whole - sum(one["agent"] + one["tests"] for one in found)
    starts = [one["spans"]["attempt start"] for one in found if "attempt start" in one["spans"]]
    print(f"{len(found)} checkpoints, {whole / len(found):.2f} s each on average "
          f"(agent {sum(o['agent'] for o in found) / len(found):.2f} s, "
          f"tests {sum(o['tests'] for o in found) / len(found):.2f} s)")
    print(f"start of a sandbox, median: {statistics.median(starts) * 1000:.1f} ms (goal 25)")
    print(f"harness: {spans / whole:.2%} by spans, {rest / whole:.2%} by what is left (goal 2%)")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", nargs="*", type=pathlib.Path, metavar="RUN_DIR")
    parser.add_argument("--quickstart", metavar="SLOPE", help="run the quickstart with this binary")
    parser.add_argument("--rounds", type=int, default=3, help="how often")
    args = parser.parse_args()
    found = [one for run in args.runs for one in checkpoints(run)]
    with tempfile.TemporaryDirectory() as folder:
        for number in range(args.rounds if args.quickstart else 0):
            out = pathlib.Path(folder) / str(number)
            subprocess.run([args.quickstart, "quickstart", "--out", str(out), "--quiet"],
                           stdout=subprocess.DEVNULL, check=True)
            found += checkpoints(out / "tidy") + checkpoints(out / "sloppy")
    if not found:
        parser.error("give run directories with graded and measured attempts, or --quickstart")
    tell(found)


if __name__ == "__main__":
    main()
