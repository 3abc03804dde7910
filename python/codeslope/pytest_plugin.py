"""Fails a pytest session whose code under test got worse: `pytest --slope main`.

Off unless asked, by the option or by `slope_base` in the settings of pytest. The check is that of `slope check`: only
what the code adds to the base counts, and the policy is the `slope.toml` of the code.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import codeslope
from codeslope._documents import Judgement, Violation

#: Name of the part that this module registers.
NAME = "codeslope-check"
FORMATS = ("human", "line", "json")
#: Variables that would make git use another repository or index.
GIT_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR")
#: Longest time of one git command, in seconds.
GIT_SECONDS = 300

#: Exit codes of sessions that came to their end.
ENDED = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)


class BaseError(Exception):
    """The base cannot be used. The message ends with the remedy."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options."""
    group = parser.getgroup("codeslope", "quality of the code under test")
    group.addoption("--slope", metavar="BASE", help="fail if the code got worse than BASE, a git revision or a folder")
    group.addoption("--slope-path", metavar="PATH", help="folder of the code under test [default: the rootdir]")
    group.addoption("--slope-format", choices=FORMATS, help="format of the violations [default: human]")
    parser.addini("slope_base", "as --slope")
    parser.addini("slope_path", "as --slope-path, from the rootdir")
    parser.addini("slope_format", "as --slope-format")


def pytest_configure(config: pytest.Config) -> None:
    """Registers the check, unless this is a worker of xdist or nobody asked."""
    base = _option(config, "slope", "slope_base")
    if base is None or hasattr(config, "workerinput") or config.option.collectonly:
        return
    format = _option(config, "slope_format", "slope_format") or "human"
    if format not in FORMATS:
        raise pytest.UsageError(f"slope_format: invalid format {format!r}: expected one of {', '.join(FORMATS)}")
    try:
        chosen = Base.find(base, _path(config), config.invocation_params.dir)
    except BaseError as error:
        raise pytest.UsageError(f"--slope: {error}") from None
    config.pluginmanager.register(Check(chosen, format), NAME)


def _option(config: pytest.Config, option: str, ini: str) -> str | None:
    """The value of an option, otherwise of a setting. None if neither is given."""
    given: str | None = config.getoption(option)
    return given if given is not None else (config.getini(ini) or None)


def _path(config: pytest.Config) -> Path:
    given: str | None = config.getoption("slope_path")
    if given is not None:
        path = config.invocation_params.dir / given
    else:
        path = config.rootpath / config.getini("slope_path")
    if not path.is_dir():
        raise pytest.UsageError(f"--slope-path: {path} is not a folder")
    return path.resolve()


class Base:
    """The code to compare with: a folder, or a commit of the repository of the code."""

    def __init__(self, name: str, code: Path, folder: Path | None, commit: str | None) -> None:
        self.name = name
        self.code = code
        self._folder = folder
        self._commit = commit

    @classmethod
    def find(cls, name: str, code: Path, here: Path) -> Base:
        """Finds the base that a name means, and refuses a name that means nothing or two things."""
        if not name:
            raise BaseError("the base is empty\nhelp: name a git revision or a folder, for example `--slope main`")
        folder = here / name
        commit = _commit(name, code)
        if commit is not None and folder.is_dir() and os.sep not in name:
            raise BaseError(
                f"`{name}` is a git revision and a folder\n"
                f"help: write `.{os.sep}{name}` for the folder, or `refs/heads/{name}` for a branch"
            )
        if folder.is_dir():
            return cls(name, code, folder, None)
        if commit is None:
            raise BaseError(
                f"`{name}` is not a git revision of {code}, and not a folder\n"
                "help: check the name. In CI, fetch the commit first; a shallow clone has only the newest"
            )
        return cls(name, code, None, commit)

    @contextlib.contextmanager
    def opened(self) -> Iterator[Path]:
        """The folder with the code of the base, which may be temporary."""
        if self._folder is not None:
            yield self._folder
            return
        assert self._commit is not None
        with tempfile.TemporaryDirectory(prefix="slope-base-") as temporary:
            yield _extract(self._commit, self.code, Path(temporary))


def _commit(name: str, code: Path) -> str | None:
    """The commit that a name means in the repository of the code, or None."""
    if name.startswith("-"):
        return None
    try:
        return _git(code, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}").strip()
    except BaseError:
        return None


def _extract(commit: str, code: Path, out: Path) -> Path:
    """Writes the files of a commit, as a checkout would, and finds the folder of the code in them.

    It uses an index of its own: a work tree would run hooks and leave notes in the repository, and an archive would
    leave out what attributes exclude from releases.
    """
    index = {"GIT_INDEX_FILE": str(out / "index")}
    top = Path(_git(code, "rev-parse", "--show-toplevel").rstrip("\n"))
    prefix = _git(code, "rev-parse", "--show-prefix").rstrip("\n")
    tree = out / "tree"
    _git(top, "read-tree", commit, variables=index)
    _git(top, "checkout-index", "--all", "--quiet", f"--prefix={tree}/", variables=index)
    folder = tree / prefix
    if not folder.is_dir():
        raise BaseError(f"{commit[:10]} has no folder {prefix}\nhelp: choose a later base, or another --slope-path")
    return folder


def _git(folder: Path, *arguments: str, variables: dict[str, str] | None = None) -> str:
    """What a git command prints."""
    environment = {name: value for name, value in os.environ.items() if name not in GIT_VARIABLES}
    command = ["git", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(
            command,
            env={**environment, **(variables or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=GIT_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BaseError(f"git failed: {error}\nhelp: check that git is installed, or name a folder") from None
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip()
        raise BaseError(f"git {arguments[0]} failed: {said}\nhelp: check the repository with `git status`")
    return os.fsdecode(done.stdout)


class Check:
    """Checks the code at the end of a session, and reports in the summary."""

    def __init__(self, base: Base, format: str) -> None:
        self._base = base
        self._format = format
        self._judgement: Judgement | None = None
        self._fault: str | None = None

    def pytest_report_header(self) -> str:
        """Says what is checked."""
        return f"slope: {self._base.code} against {self._base.name}"

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Checks, unless the session was interrupted."""
        if session.exitstatus not in ENDED:
            return
        try:
            with self._base.opened() as folder:
                self._judgement = codeslope.check(folder, self._base.code)
        except (BaseError, OSError, ValueError) as error:
            self._fault = str(error)
            if session.exitstatus != pytest.ExitCode.TESTS_FAILED:
                session.exitstatus = pytest.ExitCode.USAGE_ERROR
        else:
            if not self._judgement["passes"]:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Prints the violations."""
        if self._fault is not None:
            terminalreporter.section("slope: not checked", red=True)
            terminalreporter.line(self._fault)
        elif self._judgement is not None:
            self._print(terminalreporter, self._judgement)

    def _print(self, reporter: Any, judgement: Judgement) -> None:
        if self._format == "json":
            reporter.section("slope")
            reporter.line(json.dumps(judgement, ensure_ascii=False))
            return
        violations = judgement["violations"]
        if judgement["passes"]:
            reporter.section(f"slope: not worse than {self._base.name}", green=True)
        else:
            reporter.section(f"slope: worse than {self._base.name}", red=True)
        for violation in violations:
            for line in lines_of(violation, is_short=self._format == "line"):
                reporter.line(plain(line))
        for note in judgement.get("notes", []) + judgement.get("unjudged", []):
            reporter.line(plain(f"note: {note}"))


def lines_of(violation: Violation, *, is_short: bool) -> list[str]:
    """A violation for people."""
    place = f"{violation['path']}:{violation['line']}"
    lines = [f"{place}: {violation['level']}: {violation['message']} [{violation['rule']}]"]
    if not is_short and violation["advice"]:
        lines.append(f"    help: {violation['advice']}")
    return lines


def plain(text: str) -> str:
    """A line without characters that control a terminal. Names of files can have any."""
    return "".join(character if character.isprintable() else "�" for character in text)
