#!/usr/bin/env python3
"""What a report over many runs costs.

Makes RUNS run directories of CHECKPOINTS checkpoints each out of real ones (of slope, or of the
published harness), whose problems are linked in again and again under new names, and has `slope
report` make each form of them. Seconds are wall-clock and of all processors together, memory is
the largest resident set.

  python3 benches/report.py --slope target/release/slope slope-runs/a
  python3 benches/report.py --slope target/release/slope outputs/*/*baseline* --runs 100

Written for Linux; needs nothing but Python.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

MODELS = 10


def published(sources, wanted):
    """Problems of published runs and their checkpoints, until there are enough."""
    found, count = [], 0
    for source in sources:
        for problem in sorted(p for p in source.iterdir() if (p / "checkpoint_1").is_dir()):
            own = len(list(problem.glob("checkpoint_[0-9]*")))
            if count + own <= wanted:
                found.append((f"{problem.name}_{len(found)}", problem))
                count += own
    return found, count


def make_published(sources, into, runs, wanted):
    problems, count = published(sources, wanted)
    for number in range(runs):
        run = into / f"run_{number:03}"
        run.mkdir()
        names = "".join(f"- {name}\n" for name, _ in problems)
        (run / "config.yaml").write_text(
            "agent:\n  type: bench\n  version: '1'\n"
            f"model:\n  name: model_{number % MODELS}\n"
            f"environment:\n  type: docker\nproblems:\n{names}"
        )
        (run / "environment.yaml").write_text("type: docker\n")
        (run / "checkpoint_results.jsonl").write_text("")
        for name, folder in problems:
            (run / name).symlink_to(folder.resolve())
    return count


def make_own(source, into, runs, wanted):
    """Runs of slope's own layout, out of the first problem of one."""
    config = json.loads((source / "run.json").read_text())
    (problem, reference) = next(iter(config["problems"].items()))
    per_problem = len(reference["checkpoint_names"])
    copies = max(1, wanted // per_problem)
    names = [f"{problem}_{copy}" for copy in range(copies)]
    lines = (source / "journal.jsonl").read_text().splitlines()
    own = [line for line in lines if f'"problem":"{problem}"' in line]
    others = [line for line in lines if '"problem":' not in line]
    events = list(others)
    for name in names:
        for line in own:
            line = line.replace(f'"problem":"{problem}"', f'"problem":"{name}"')
            events.append(line.replace(f"trials/{problem}/", f"trials/{name}/"))
    numbered = [
        re.sub(r'"seq":\d+', f'"seq":{number}', line, count=1)
        for number, line in enumerate(events, 1)
    ]
    for number in range(runs):
        run = into / f"run_{number:03}"
        (run / "trials").mkdir(parents=True)
        config["label"] = f"run_{number:03}"
        config["model"] = f"model_{number % MODELS}"
        config["problems"] = dict.fromkeys(names, reference)
        (run / "run.json").write_text(json.dumps(config))
        (run / "journal.jsonl").write_text("\n".join(numbered) + "\n")
        for name in names:
            (run / "trials" / name).symlink_to((source / "trials" / problem).resolve())
        for folder in ["objects", "snapshots"]:
            (run / folder).symlink_to((source / folder).resolve())
    return copies * per_problem


def timed(command):
    """Seconds by the clock and of processors, and mebibytes at most."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - began
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"{command} failed: {status}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", nargs="+", type=pathlib.Path)
    parser.add_argument("--slope", required=True)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--checkpoints", type=int, default=93)
    parser.add_argument("--only", help="one form alone")
    args = parser.parse_args()
    into = pathlib.Path(tempfile.mkdtemp(prefix="slope-bench-report-"))
    try:
        if (args.sources[0] / "run.json").exists():
            count = make_own(args.sources[0], into, args.runs, args.checkpoints)
        else:
            count = make_published(args.sources, into, args.runs, args.checkpoints)
        print(f"{args.runs} runs of {count} checkpoints, {os.cpu_count()} processors")
        for form in ["human", "markdown", "latex", "json", "csv", "parquet"]:
            if args.only not in (None, form):
                continue
            command = [args.slope, "report", str(into), "--format", form]
            if form in ("csv", "parquet"):
                command += ["--out", str(into / "rows")]
            seconds, processors, mebibytes = timed(command)
            print(
                f"{form:9} {seconds:6.2f} s   {processors:6.2f} CPU s   {mebibytes:6.0f} MiB",
                flush=True,
            )
            shutil.rmtree(into / "rows", ignore_errors=True)
    finally:
        shutil.rmtree(into)


if __name__ == "__main__":
    main()
