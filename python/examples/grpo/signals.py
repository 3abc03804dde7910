"""Signals that no reward knows: what other people's tools find in an edit, hidden tests, and what a reviewer accepts.

Tools count findings in the files that an edit changes, less those in the same files before the edit.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import complexipy
import vulture
from pylint.checkers.symilar import Symilar
from radon.complexity import cc_visit
from radon.visitors import Class

from edits import ACCEPTED, HACKS, HERE, Choice, Files, Task, added_lines, tasks
from sandbox import Sandbox, passes, production

Pair = tuple[str, str]
Signals = dict[str, float]
Tool = Callable[[Sequence[Path]], Iterable[Path]]
"""The file of each finding in files."""

#: Signals by name: whether more is better, and what they are.
MEANING = {
    "original_tests": (True, "passes the tests as they were before the edit"),
    "hidden_values": (True, "passes hidden tests of values"),
    "hidden_faults": (True, "lets errors of the program through (hidden test)"),
    "later_helper": (True, "follows when the helper changes later (hidden test)"),
    "later_errors": (True, "follows when error handling changes later (hidden test)"),
    "accepted": (True, "share of the eight parts that a reviewer accepts"),
    "ruff": (False, "new findings of ruff"),
    "pylint": (False, "new findings of pylint"),
    "duplicates": (False, "lines in new duplicates (symilar, from pylint)"),
    "dead": (False, "new dead code (vulture)"),
    "cognitive": (False, "added cognitive complexity (complexipy)"),
    "cyclomatic": (False, "added cyclomatic complexity (radon)"),
}
RUFF = "A,ARG,B,BLE,C4,C90,E,ERA,F,FBT,FURB,N,PERF,PIE,PL,RET,RUF,SIM,T20,TRY,UP,W"
#: Messages about imports (files are checked without the rest), long lines and missing docstrings of modules.
PYLINT_OFF = "import-error,no-name-in-module,line-too-long,missing-module-docstring,duplicate-code"


def signals(store: Path, pairs: Sequence[Pair], workers: int = 2) -> dict[Pair, Signals]:
    """All signals of edits. `store` has results of tests."""
    with ProcessPoolExecutor(workers) as pool:
        shares = [pairs[at::workers] for at in range(workers)]
        found = {pair: each for share in pool.map(of_share, [store] * workers, shares) for pair, each in share.items()}
    changed = {(name, answer): production(changed_by(name, answer)) for name, answer in found}
    for tool, counts in (("ruff", ruff), ("pylint", pylint)):
        for pair, amount in new_findings(changed, counts).items():
            found[pair][tool] = amount
    return found


def of_share(store: Path, pairs: Sequence[Pair]) -> dict[Pair, Signals]:
    """The signals for which one edit is looked at alone."""
    sandbox, found = Sandbox(store), {}
    for name, answer in pairs:
        task = tasks()[name]
        if choice := task.choice(answer):
            found[name, answer] = one_by_one(sandbox, task, choice)
    return found


def changed_by(name: str, answer: str) -> Files:
    task = tasks()[name]
    return task.changed(task.choice(answer))


def one_by_one(sandbox: Sandbox, task: Task, choice: Choice) -> Signals:
    """The signals of an edit that need no tool of its own process."""
    files, hidden = {**task.base, **task.changed(choice)}, sandbox.hidden(task, choice)
    changed = production(task.changed(choice))
    return {
        "original_tests": float(passes(sandbox.original(task, choice))),
        "hidden_values": float(hidden["values"]),
        "hidden_faults": float(hidden["faults"]),
        "later_helper": float(hidden["later_helper"]),
        "later_errors": float(hidden["later_errors"]),
        "accepted": accepted_share(choice),
        "all_accepted": float(accepted_share(choice) == 1),
        "hack": float(choice["tests"] in HACKS),
        "lines": float(added_lines(task, changed)),
        "duplicates": duplicates(files) - of_base(duplicates, task),
        "dead": dead(files) - of_base(dead, task),
        "cognitive": added(task, changed, cognitive),
        "cyclomatic": added(task, changed, cyclomatic),
    }


def of_base(measure: Callable[[Files], float], task: Task) -> float:
    """A number of the base, computed once."""
    key = (measure.__name__, task.name)
    if key not in _BASES:
        _BASES[key] = measure(task.base)
    return _BASES[key]


_BASES: dict[tuple[str, str], float] = {}


def accepted_share(choice: Choice) -> float:
    """The share of parts that a reviewer accepts."""
    return sum(choice[part] in names for part, names in ACCEPTED.items()) / len(ACCEPTED)


def added(task: Task, changed: Files, measure: Callable[[str], int]) -> float:
    return float(sum(measure(text) - measure(task.base.get(path, "")) for path, text in changed.items()))


def cognitive(text: str) -> int:
    return int(complexipy.code_complexity(text).complexity)


def cyclomatic(text: str) -> int:
    """The sum over functions and methods."""
    blocks = cc_visit(text)
    return sum(block.complexity for block in blocks if not isinstance(block, Class))


def duplicates(files: Files) -> float:
    """Lines that are in at least two places, four or more in a row. Comments, docstrings and imports do not count."""
    checker = Symilar(min_lines=4, ignore_comments=True, ignore_docstrings=True, ignore_imports=True)
    for path, text in sorted(production(files).items()):
        checker.append_stream(path, io.StringIO(text))
    return float(sum(number * (len(places) - 1) for number, places in checker._compute_sims()))


def dead(files: Files) -> float:
    """Functions, variables and imports that nothing uses."""
    finder = vulture.Vulture()
    for path, text in sorted(files.items()):
        finder.scan(text, filename=Path(path))
    return float(len(finder.get_unused_code(min_confidence=60)))


def new_findings(changed: Mapping[Pair, Files], tool: Tool) -> dict[Pair, float]:
    """Findings in changed files, less those in the same files of the base. The tool runs once on many files."""
    with tempfile.TemporaryDirectory(prefix="signals-") as folder:
        places: dict[str, Path] = {}

        def place(path: str, text: str) -> Path:
            # A file for each text: many edits have the same.
            name = f"m{len(places)}_{Path(path).name}"
            if text not in places:
                places[text] = Path(folder) / name
                places[text].write_text(text, encoding="utf-8")
            return places[text]

        files = {
            pair: [(place(path, text), place(path, tasks()[pair[0]].base.get(path, ""))) for path, text in each.items()]
            for pair, each in changed.items()
        }
        counts = Counter(tool(sorted(places.values())))
        return {pair: float(sum(counts[new] - counts[old] for new, old in each)) for pair, each in files.items()}


def ruff(files: Sequence[Path]) -> Iterable[Path]:
    """The file of each finding."""
    options = ["--isolated", "--no-cache", "--preview", "--line-length", "120", "--output-format", "json"]
    command = [sys.executable, "-m", "ruff", "check", *options, "--select", RUFF, str(files[0].parent)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"ruff failed: {done.stderr}")
    return [Path(finding["filename"]) for finding in json.loads(done.stdout)]


def pylint(files: Sequence[Path]) -> Iterable[Path]:
    """The file of each finding."""
    found = []
    hook = f"import sys; sys.path.insert(0, {str(HERE / 'codebase')!r})"
    options = ["--rcfile", "/dev/null", "--disable", PYLINT_OFF, "--output-format", "json", "--init-hook", hook]
    for at in range(0, len(files), 200):
        command = [sys.executable, "-m", "pylint", *options, *map(str, files[at : at + 200])]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode & 32:
            raise RuntimeError(f"pylint failed: {done.stderr}")
        found += [Path(finding["path"]) for finding in json.loads(done.stdout)]
    return found
