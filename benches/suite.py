#!/usr/bin/env python3
"""Compares what grading takes by declarative cases and by the same tests as pytest subprocess tests.

    cargo build --release -p slope-suite --example grade
    benches/suite.py target/release/examples/grade problems/household-stock 4

The cases of the checkpoint and of all before it are written out as tests in the published layout (one function
a case, subprocess.run for each step), and both suites grade the reference solution in the grader's sandbox, in turn.
Told are the medians of CPU seconds of the whole process tree, and of the suite's runner alone: the process that starts
the programs and looks at what they did, without the programs. `programs` is what the same runs take when nothing but
their exit codes is looked at: most of either is the start of the program under test, which no suite saves.
Cases that ask a service or use a condition the translation does not know are left out of both. Needs PyYAML.
"""

import argparse
import json
import pathlib
import re
import resource
import statistics
import subprocess
import tempfile

import yaml

CONFTEST = '''\
import shlex
import subprocess

import pytest


def pytest_addoption(parser):
    parser.addoption("--entrypoint", action="store", required=True)
    parser.addoption("--checkpoint", action="store", required=True)


@pytest.fixture
def run(request, tmp_path):
    argv = shlex.split(request.config.getoption("--entrypoint"))

    def start(*args, stdin=""):
        return subprocess.run([*argv, *args], input=stdin, cwd=tmp_path, capture_output=True, text=True, timeout=600)

    return start
'''
HEAD = "import json\nimport re\n\nimport pytest\n"
KNOWN = {"args", "stdin", "expect"}
TEXT = {"equals", "contains", "matches", "json"}


def texts(step):
    expect = step.get("expect", {})
    streams = [expect[name] for name in ("stdout", "stderr") if name in expect]
    files = [f["text"] for f in expect.get("files", {}).values() if isinstance(f, dict) and "text" in f]
    return streams + files


def translatable(case):
    steps = case.get("steps", [])
    plain = not ({"bytes", "service", "generate", "check"} & set(case))
    return plain and all(set(s) <= KNOWN and all(set(t) <= TEXT for t in texts(s)) for s in steps)


def conditions(text, expect):
    if "equals" in expect:
        yield f"assert {text}.rstrip() == {expect['equals'].rstrip()!r}"
    for part in expect.get("contains", []):
        yield f"assert {part!r} in {text}"
    if "matches" in expect:
        yield f"assert re.search({expect['matches']!r}, {text}, re.M)"
    if "json" in expect:
        yield f"assert json.loads({text}) == {expect['json']!r}"


def function(case):
    yield ""
    yield ""
    if case["group"] != "core":
        yield f"@pytest.mark.{case['group']}"
    yield f"def test_{re.sub('[^a-z0-9]+', '_', case['id'].lower())}(run, tmp_path):"
    for path, text in case.get("files", {}).items():
        yield f"    (tmp_path / {path!r}).parent.mkdir(parents=True, exist_ok=True)"
        yield f"    (tmp_path / {path!r}).write_text({text!r})"
    for step in case["steps"]:
        yield from ("    " + line for line in one_run(step))


def one_run(step):
    expect = step.get("expect", {})
    args = [str(arg) for arg in step.get("args", [])]
    yield f"done = run(*{args!r}, stdin={step.get('stdin', '')!r})"
    yield f"assert done.returncode == {expect.get('exit', 0)}, done.stderr"
    for name in ("stdout", "stderr"):
        yield from conditions(f"done.{name}", expect.get(name, {}))
    for path, wanted in expect.get("files", {}).items():
        if wanted == "absent":
            yield f"assert not (tmp_path / {path!r}).exists()"
        else:
            yield f"text = (tmp_path / {path!r}).read_text()"
            yield from conditions("text", wanted["text"])


def three_forms(problem, folder, last):
    """The problem up to its checkpoint `last` by cases, by pytest, and by cases that look at nothing, all of the same cases."""
    forms = {name: folder / name for name in ("cases", "pytest", "programs")}
    for name, root in forms.items():
        (root / ("tests" if name == "pytest" else "suite")).mkdir(parents=True)
        # Limits belong to the tests, not to what they cost: a busy machine must not end them.
        config = yaml.safe_load((problem / "config.yaml").read_text()) | {"timeout": 600}
        (root / "config.yaml").write_text(json.dumps(config))
    (forms["pytest"] / "tests/conftest.py").write_text(CONFTEST)
    counts = [0, 0]
    for path in sorted((problem / "suite").glob("*.yaml"))[:last]:
        suite = yaml.safe_load(path.read_text())
        suite["cases"] = [case for case in suite["cases"] if translatable(case)]
        (forms["cases"] / "suite" / path.name).write_text(json.dumps(suite))
        lines = [line for case in suite["cases"] for line in function(case)]
        (forms["pytest"] / f"tests/test_{path.stem}.py").write_text(HEAD + "\n".join(lines) + "\n")
        counts[0] += len(suite["cases"])
        counts[1] += sum(len(case["steps"]) for case in suite["cases"])
        for case in suite["cases"]:
            for step in case["steps"]:
                step["expect"] = {"exit": step.get("expect", {}).get("exit", 0)}
        (forms["programs"] / "suite" / path.name).write_text(json.dumps(suite))
    return forms, counts


def cpu_of(command):
    """CPU seconds of a command and of all that it started, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, told


def runner_cpu(told):
    """CPU seconds of the runner in all sessions of a grading."""
    sessions = re.search(r"^  runner_cpu_s: (.*)$", told, re.M).group(1).split()
    return sum(float(session) for session in sessions)


def tell(what, taken):
    medians = {name: statistics.median(seconds) for name, seconds in taken.items()}
    print(f"{what}:")
    for name, seconds in medians.items():
        print(f"  {name:9} {seconds:7.3f} s CPU ({min(taken[name]):.3f} to {max(taken[name]):.3f})")
    print(f"  pytest takes {medians['pytest'] / medians['cases']:.2f} times as much as cases")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("grade", type=pathlib.Path, help="the example `grade` of slope-suite")
    parser.add_argument("problem", type=pathlib.Path)
    parser.add_argument("checkpoint", type=int)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cache", type=pathlib.Path, help="where environments are kept (a new folder)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        forms, (cases, runs) = three_forms(args.problem, folder, args.checkpoint)
        solution = args.problem / f"solutions/checkpoint_{args.checkpoint}"
        cache = args.cache or folder / "cache"
        cache.mkdir(exist_ok=True)
        taken = {name: [] for name in forms}
        own = {name: [] for name in forms}
        # The first round makes environments and collects tests, which later gradings share.
        for number in range(args.rounds + 1):
            for name, root in forms.items():
                command = [args.grade, root, str(args.checkpoint), solution, cache, "off"]
                seconds, told = cpu_of(command)
                if ": Passed in " not in told:
                    raise SystemExit(f"{name}: the reference solution does not pass:\n{told}")
                if number:
                    taken[name].append(seconds)
                    own[name].append(runner_cpu(told))
    print(f"{cases} cases with {runs} runs of the program, {args.rounds} rounds")
    tell("in all", taken)
    tell("the runner alone", own)


if __name__ == "__main__":
    main()
