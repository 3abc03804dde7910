#!/usr/bin/env python3
"""Runs many scripted trials at once, and checks that memory stays bounded and nothing is left behind.

    benches/concurrent.py target/release/slope
    benches/concurrent.py target/release/slope --environment docker.toml --trials 64

Prints how many ran at once, the largest memory of the coordinator and of all its processes together
(proportional set size, so that shared pages count once; sandboxes and agents included), and what was
left behind: processes, mounts, containers, folders. Exit code 1 if the run failed, fewer trials than
asked for ran at once, or something was left.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

CONFIG = """\
name: little
version: 1
description: says a word
entry_file: say
suite: cases
checkpoints:
  checkpoint_1: {version: 1, order: 1}
"""
SUITE = """\
schema: slope.cases/1
cases:
  - id: says
    group: core
    steps:
      - args: []
        expect: {stdout: {equals: alpha}}
"""
SCRIPT = """\
schema: slope.script/1
model: little
conversations:
  - name: only
    turns:
      - text: I write it.
        shell: "printf 'print(\\"alpha\\")\\\\n' > say.py; sleep SECONDS"
        usage: {input: 100, output: 10}
      - {text: Done., usage: {input: 7, cache_read: 110, output: 2}}
"""


def little(folder, seconds):
    """Lays down the problem; gives its folder and script."""
    root = folder / "little"
    (root / "suite").mkdir(parents=True)
    (root / "config.yaml").write_text(CONFIG)
    (root / "checkpoint_1.md").write_text("`%%%ENTRYPOINT:entry_command%%%` prints the word alpha.\n")
    (root / "suite/checkpoint_1.yaml").write_text(SUITE)
    script = root / "script.yaml"
    script.write_text(SCRIPT.replace("SECONDS", str(seconds)))
    return root, script


def processes():
    """Parent and command of every process."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            stat = (entry / "stat").read_text()
        except OSError:
            continue
        name, rest = stat[stat.index("(") + 1:].rsplit(")", 1)
        found[int(entry.name)] = (int(rest.split()[1]), name)
    return found


def below(root, found):
    """The process and all its descendants."""
    tree, grew = {root}, True
    while grew:
        grew = False
        for pid, (parent, _) in found.items():
            if parent in tree and pid not in tree:
                tree.add(pid)
                grew = True
    return tree


def memory(pid):
    """Proportional set size of a process in bytes; what may not be read counts by its resident size."""
    for name, field in (("smaps_rollup", "Pss:"), ("status", "VmRSS:")):
        try:
            for line in pathlib.Path(f"/proc/{pid}/{name}").read_text().splitlines():
                if line.startswith(field):
                    return int(line.split()[1]) * 1024
        except OSError:
            continue
    return 0


def mounts(folder):
    """Mounts below the folder, or of sandboxes; others come and go on a machine."""
    lines = pathlib.Path("/proc/self/mountinfo").read_text().splitlines()
    return {line for line in lines if str(folder) in line or "slope" in line or "sandbox" in line}


def containers():
    """Containers and volumes of the engine that slope made; nothing where there is none."""
    try:
        listed = subprocess.run(
            ["docker", "ps", "--all", "--quiet", "--filter", "label=slope.run"],
            capture_output=True, text=True, check=True)
        volumes = subprocess.run(
            ["docker", "volume", "ls", "--quiet", "--filter", "label=slope.run"],
            capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return set()
    return set((listed.stdout + volumes.stdout).split())


def watch(command, run, most):
    """Runs the command; gives its exit code, trials at once, and the largest memories."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    at_once, coordinator, together, workers = 0, 0, 0, set()
    while child.poll() is None:
        tree = below(child.pid, processes())
        workers |= tree - {child.pid}
        coordinator = max(coordinator, memory(child.pid))
        together = max(together, sum(memory(pid) for pid in tree))
        try:
            status = json.loads((run / "status.json").read_text())
            at_once = max(at_once, sum(t["phase"] == "agent" for t in status["running"]))
        except (OSError, ValueError):
            pass
        time.sleep(0.5)
    return child.returncode, min(at_once, most), coordinator, together, workers


def left_behind(before, workers, run, scratch):
    """What is there that was not there before."""
    mounted, held, entries = before
    folder = run.parent
    left = [f"process {pid}" for pid in workers if pathlib.Path(f"/proc/{pid}").exists()]
    left += [f"mount {line}" for line in mounts(folder) - mounted]
    left += [f"container or volume {name}" for name in containers() - held]
    left += [f"folder {name}" for name in set(os.listdir(scratch)) - entries]
    left += [f"file {name}" for name in ("tmp", "status.json", "reserve") if (run / name).exists()]
    return left


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("slope", help="the binary")
    parser.add_argument("--trials", type=int, default=64)
    parser.add_argument("--seconds", type=int, default=60, help="how long each agent works")
    parser.add_argument("--environment", help="environment file; one of the local runtime if not given")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        scratch = folder / "scratch"
        scratch.mkdir()
        os.environ["TMPDIR"] = str(scratch)
        problem, script = little(folder, args.seconds)
        environment = args.environment
        if environment is None:
            environment = folder / "environment.toml"
            environment.write_text('[limits]\nmemory = "256 MiB"\ndisk = "64 MiB"\n')
        run = folder / "run"
        before = (mounts(folder), containers(), set(os.listdir(scratch)))
        began = time.monotonic()
        code, at_once, coordinator, together, workers = watch(
            [args.slope, "run", str(problem), "--agent", "slope", "--model", "m",
             "--script", str(script), "--trials", str(args.trials), "--workers", str(args.trials),
             "--stability", "off", "--quiet", "--environment", str(environment), "--out", str(run)],
            run, args.trials)
        took = time.monotonic() - began
        time.sleep(1)
        left = left_behind(before, workers, run, scratch)
        report = subprocess.run([args.slope, "report", str(run), "--format", "json"],
                                capture_output=True, text=True, check=False)
        trials = json.loads(report.stdout)["runs"][0]["trials"] if report.returncode == 0 else []
        passed = sum(c["state"] == "passed" for t in trials for c in t["checkpoints"])
    mib = 1 << 20
    print(f"{passed} of {args.trials} trials passed in {took:.0f} s, {at_once} agents at once")
    print(f"coordinator {coordinator / mib:.0f} MiB, all processes together {together / mib:.0f} MiB")
    print(f"left behind: {len(left)}")
    for line in left:
        print(f"  {line}")
    fine = code == 0 and passed == args.trials and at_once == args.trials and not left
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
