#!/usr/bin/env python3
"""Trains a small model with GRPO in three arms, and compares its edits by signals that no reward knows.

`run.py --out DIR` writes results.json, table.md and grpo.svg. It can be stopped and started again: runs that are done
stay. `--quick` is a small run for tests: one seed and few steps, whose numbers mean nothing.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from edits import HERE

WORKERS = 2


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for results")
    parser.add_argument("--quick", action="store_true", help="a small run for tests")
    parser.add_argument("--plan", type=Path, default=HERE / "plan.toml", help="another plan [default: plan.toml here]")
    arguments = parser.parse_args()
    out: Path = arguments.out.resolve()
    plan = planned(out, HERE / "quick.toml" if arguments.quick else arguments.plan)
    names = [f"{arm}-{seed}" for seed in plan["seeds"] for arm in plan["arms"]]
    started = time.monotonic()
    trained(out, [name for name in names if not (out / "runs" / f"{name}.jsonl").exists()])
    print(f"training: {time.monotonic() - started:.0f} s", flush=True)

    from analysis import write_results
    from plot import write_plot

    results = write_results(out, plan)
    write_plot(results, out / "grpo.svg")
    print((out / "table.md").read_text(encoding="utf-8"))
    print(f"all: {time.monotonic() - started:.0f} s", flush=True)
    return 0


def planned(out: Path, source: Path) -> dict[str, Any]:
    """The plan. Results of another plan are not mixed with it."""
    out.mkdir(parents=True, exist_ok=True)
    copy = out / "plan.toml"
    if copy.exists() and copy.read_bytes() != source.read_bytes():
        raise SystemExit(f"{out} has results of another plan\nhelp: choose another folder")
    shutil.copy(source, copy)
    return tomllib.loads(copy.read_text(encoding="utf-8"))


def trained(out: Path, names: Sequence[str]) -> None:
    """Trains in processes of one thread each."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-W", "ignore", str(HERE / "train.py"), str(out)]
    # Neighbours share a seed, and so the model at the start.
    size = -(-len(names) // WORKERS) or 1
    shares = [names[at : at + size] for at in range(0, len(names), size)]
    running = [subprocess.Popen([*command, *share], env=environment) for share in shares]
    codes = [process.wait() for process in running]
    if any(codes):
        raise SystemExit("a run failed: see above")


if __name__ == "__main__":
    sys.exit(main())
