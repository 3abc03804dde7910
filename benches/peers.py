#!/usr/bin/env python3
"""Whole commands beside the floor of reading and parsing, by turns, in one run.

    cargo build --release && cargo build --release -p slope-syntax --example floor
    benches/peers.py FOLDER [--rounds N] [--slope PROGRAM] [--floor PROGRAM] [--scb VENV/bin/scb-check] \\
        [--ast-grep VENV/bin/ast-grep --rules RULES]

Each command runs N times, all commands by turns, so that what else the machine
does meets all alike. Printed is the least wall time and CPU time of each, both
also as multiples of the floor's, and the most memory. `--ast-grep` matches the
rules of RULES (a folder of one-rule files) on two threads; `slope (whole pack)`
has all of slope's rules on. Warm runs are of a copy, of which a line is appended
to the file of median size before each. scb-check is run once: it takes minutes.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SUFFIXES = {".py", ".js", ".ts", ".tsx", ".rs", ".go", ".java", ".c", ".cpp", ".h", ".cs", ".rb"}
WARM = "slope measure, warm, one file changed"
RELEASE = Path(__file__).resolve().parent.parent / "target" / "release"


def run(command, env):
    """Wall seconds, CPU seconds and peak MiB of one run of a command."""
    begin = time.monotonic()
    process = subprocess.Popen(
        command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    if os.WIFSIGNALED(status):
        sys.exit(f"{command[0]} was ended by signal {os.WTERMSIG(status)}")
    # 1 says that something was found; a command that failed took no time worth telling.
    if os.WEXITSTATUS(status) > 1:
        sys.exit(f"`{' '.join(command)}` failed: run it by hand to see why")
    cpu = usage.ru_utime + usage.ru_stime
    return time.monotonic() - begin, cpu, usage.ru_maxrss / 1024


class Warm:
    """A copy of the folder and a cache that knows it."""

    def __init__(self, folder, scratch, command):
        self.tree = Path(scratch) / "tree"
        shutil.copytree(folder, self.tree, symlinks=True)
        self.env = dict(os.environ, SLOPE_CACHE_DIR=str(Path(scratch) / "cache"))
        self.command = [*command, str(self.tree)]
        sources = [p for p in self.tree.rglob("*") if p.suffix in SUFFIXES and p.is_file()]
        self.file = sorted(sources, key=lambda p: (p.stat().st_size, p))[len(sources) // 2]
        # Twice: files that were written just now are not trusted by their times.
        for _ in range(2):
            run(self.command, self.env)
            time.sleep(2.5)

    def change(self):
        """Makes one file new."""
        with self.file.open("a") as file:
            file.write("\n")


def commands(args, scratch):
    """Name, command line and number of rounds of what is compared."""
    folder, threads = str(args.folder), str(args.threads)
    measure = [str(args.slope), "-q", "measure", "--threads", threads]
    cold = [*measure, "--no-cache"]
    found = [
        ("read and parse", [str(args.floor), folder, threads], args.rounds),
        ("slope measure, cold", [*cold, folder], args.rounds),
        ("slope measure, cold, whole pack", [*cold, "--profile", "strict", folder], args.rounds),
    ]
    if args.ast_grep:
        config = Path(scratch) / "sgconfig.yml"
        config.write_text(f"ruleDirs: [{os.path.relpath(args.rules, scratch)}]\n")
        scan = ["scan", "--config", str(config), "-j", threads, "--json=compact", folder]
        found.append(("ast-grep scan, same rules", [str(args.ast_grep), *scan], args.rounds))
    if args.scb:
        found.append(("scb-check", [str(args.scb), "check", folder, "--report"], 1))
    return found, measure


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--slope", type=Path, default=RELEASE / "slope", help="program slope")
    parser.add_argument(
        "--floor", type=Path, default=RELEASE / "examples/floor", help="program floor, of the same build as slope"
    )
    parser.add_argument("--scb", type=Path, help="program scb-check")
    parser.add_argument("--ast-grep", type=Path, help="program ast-grep")
    parser.add_argument("--rules", type=Path, help="folder of rule files for ast-grep")
    args = parser.parse_args()
    if not args.folder.is_dir():
        parser.error(f"{args.folder} is no folder")
    for program in (args.slope, args.floor, args.ast_grep, args.scb):
        if program and not program.is_file():
            parser.error(f"there is no {program}; build or install it as --help says")
    if args.ast_grep and not args.rules:
        parser.error("--ast-grep needs --rules")
    with tempfile.TemporaryDirectory() as scratch:
        table, measure = commands(args, scratch)
        warm = Warm(args.folder, scratch, measure)
        table.append((WARM, warm.command, args.rounds))
        best = {name: None for name, _, _ in table}
        for turn in range(args.rounds):
            for name, command, rounds in table:
                if turn >= rounds:
                    continue
                if name == WARM:
                    warm.change()
                now = run(command, warm.env if name == WARM else dict(os.environ))
                so_far = best[name] or now
                least = [min(a, b) for a, b in zip(so_far[:2], now[:2])]
                best[name] = (*least, max(so_far[2], now[2]))
    floor = best["read and parse"]
    print("| what | wall s | x floor | CPU s | x floor | MiB |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, (wall, cpu, memory) in best.items():
        print(
            f"| {name} | {wall:.2f} | {wall / floor[0]:.2f} "
            f"| {cpu:.2f} | {cpu / floor[1]:.2f} | {memory:.0f} |"
        )


if __name__ == "__main__":
    main()
