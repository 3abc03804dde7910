#!/usr/bin/env python3
"""Runs the tests against the real training packages: `run.py NAME...` or `run.py --all`.

Each package has an environment of its own, made with uv from `requirements-NAME.txt` and deleted afterwards. A line
`# no-deps: PACKAGE` there is installed without its dependencies. What cannot run is a line `skipped: NAME: reason`. The
exit code is 0 if nothing failed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
PYTHON = HERE.parents[1]
sys.path.insert(0, str(PYTHON))

from stage import stage  # noqa: E402

#: Python of the environments. All packages support it.
VERSION = (3, 12)
UV = "uv==0.13.9"
TIME_LIMIT = 1_200


class CannotRun(Exception):
    """A package cannot be installed or run here."""


def main() -> int:
    names = sorted(path.stem.removeprefix("requirements-") for path in HERE.glob("requirements-*.txt"))
    target = PYTHON.parent / "target/debug"
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[*names, []], help=", ".join(names))
    parser.add_argument("--all", action="store_true", help="run all")
    parser.add_argument("--library", type=Path, default=target / "lib_native.so", help="what cargo built")
    parser.add_argument("--slope", type=Path, default=target / "slope", help="the command")
    parser.add_argument("--work", type=Path, help="folder for environments and uv's cache [default: a temporary one]")
    parser.add_argument("--keep", action="store_true", help="keep the environments, and use those that are there")
    arguments = parser.parse_args()
    if not (arguments.all or arguments.names):
        parser.error("name packages, or give --all")
    for needed in (arguments.library, arguments.slope):
        if not needed.is_file():
            parser.error(f"{needed} is missing\nhelp: cargo build -p slope-python -p slope-cli")
    work = arguments.work or Path(tempfile.mkdtemp(prefix="stacks-"))
    work.mkdir(parents=True, exist_ok=True)
    try:
        stage(arguments.library, work / "package")
        results = {name: outcome(name, work, arguments) for name in (names if arguments.all else arguments.names)}
    finally:
        if arguments.work is None:
            shutil.rmtree(work, ignore_errors=True)
    print("\n".join(f"{word}: {name}" for name, word in results.items()))
    return 1 if "failed" in results.values() else 0


def outcome(name: str, work: Path, arguments: argparse.Namespace) -> str:
    """How the tests of a package ended."""
    start, environment = time.monotonic(), work / f"env-{name}"
    print(f"== {name}", flush=True)
    try:
        if not (arguments.keep and environment.exists()):
            install(name, environment, work)
        paths = os.pathsep.join(map(str, (work / "package", HERE.parent)))
        variables = {"PYTHONPATH": paths, "SLOPE_BIN": str(arguments.slope.resolve()), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [environment / "bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", HERE / f"test_{name}.py"]
        done = subprocess.run(command, env={**os.environ, **variables}, timeout=TIME_LIMIT)
    except CannotRun as error:
        print(f"skipped: {name}: {error}", flush=True)
        return "skipped"
    except subprocess.TimeoutExpired:
        print(f"{name} did not end within {TIME_LIMIT} s", flush=True)
        return "failed"
    finally:
        if not arguments.keep:
            shutil.rmtree(environment, ignore_errors=True)
    print(f"== {name}: {time.monotonic() - start:.0f} s", flush=True)
    return "failed" if done.returncode else "passed"


def install(name: str, environment: Path, work: Path) -> None:
    """Makes the environment of a package."""
    uv, requirements = uv_command(work), HERE / f"requirements-{name}.txt"
    alone = re.findall(r"^# no-deps: (.*)$", requirements.read_text(), re.MULTILINE)
    run(uv, work, "venv", "--quiet", "--clear", "--python", interpreter(), environment)
    python = ["--quiet", "--python", environment / "bin/python"]
    run(uv, work, "pip", "install", *python, "--requirements", requirements)
    if alone:
        run(uv, work, "pip", "install", *python, "--no-deps", *alone)


def run(*words: object) -> None:
    uv, work, *rest = words
    variables = {"UV_CACHE_DIR": str(Path(str(work)) / "uv-cache"), "UV_PYTHON_DOWNLOADS": "never"}
    done = subprocess.run(
        [str(uv), *map(str, rest)], env={**os.environ, **variables}, capture_output=True, text=True, timeout=TIME_LIMIT
    )
    if done.returncode:
        raise CannotRun(" ".join(done.stderr.split())[-600:])


def uv_command(work: Path) -> Path:
    """The `uv` on the path, or one of our own."""
    if found := shutil.which("uv"):
        return Path(found)
    tools = work / "tools"
    if not (tools / "bin/uv").exists():
        made = [sys.executable, "-m", "venv", tools], [tools / "bin/pip", "install", "--quiet", UV]
        for command in made:
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                raise CannotRun(f"uv cannot be installed: {' '.join(done.stderr.split())[-300:]}")
    return tools / "bin/uv"


def interpreter() -> Path:
    """A Python of the version that the packages need."""
    wanted = ".".join(map(str, VERSION))
    for candidate in interpreters(wanted):
        probe = [candidate, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        done = subprocess.run(probe, capture_output=True, text=True)
        if done.returncode == 0 and done.stdout.strip() == wanted:
            return candidate
    raise CannotRun(f"there is no Python {wanted}")


def interpreters(wanted: str) -> Iterator[Path]:
    yield Path(sys.executable)
    if found := shutil.which(f"python{wanted}"):
        yield Path(found)
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from sorted(pyenv.glob(f"versions/{wanted}.*/bin/python"))


if __name__ == "__main__":
    sys.exit(main())
