"""The pytest plugin, in sessions of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

import pytest

import samples

TEST = "from app import label\n\n\ndef test_label():\n    assert label('a') == 'a'\n"
WORSE = samples.APP + "\n\n" + samples.UTIL[samples.UTIL.index("def ") :].replace("total_price", "sum_of_prices")


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@example.com", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


def session(folder: Path, *arguments: str, **variables: str) -> tuple[int, str]:
    """Exit code and output of pytest in a folder."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=os.environ | variables, capture_output=True, text=True, timeout=120, check=False
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one commit, whose code passes its test."""
    folder = tmp_path / "shop"
    folder.mkdir()
    samples.write_base(folder)
    (folder / "test_app.py").write_text(TEST)
    (folder / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Base")
    return folder


def test_plugin_is_an_entry_point() -> None:
    found = [point.value for point in entry_points(group="pytest11") if point.name == "codeslope"]
    assert found == ["codeslope.pytest_plugin"]


def test_plugin_is_off_unless_asked(repository: Path) -> None:
    (repository / "app.py").write_text(WORSE)
    code, output = session(repository)
    assert (code, "slope" in output.replace("codeslope", "")) == (0, False), output


def test_worse_code_fails_the_session(repository: Path) -> None:
    code, output = session(repository, "--slope", "main")
    assert code == 0 and "slope: not worse than main" in output, output
    (repository / "app.py").write_text(WORSE)
    code, output = session(repository, "--slope", "main")
    assert code == 1, output
    assert "1 passed" in output and "slope: worse than main" in output
    assert re.search(r"^app\.py:\d+: error: .* \[new-clone\]\n    help: ", output, re.MULTILINE), output


def test_failed_tests_still_fail(repository: Path) -> None:
    (repository / "test_app.py").write_text(TEST.replace("== 'a'", "== 'b'"))
    code, output = session(repository, "--slope", "main")
    assert code == 1 and "1 failed" in output and "slope: not worse" in output, output


def test_base_may_be_a_folder(repository: Path, tmp_path: Path) -> None:
    base = tmp_path / "base"
    base.mkdir()
    samples.write_base(base)
    (repository / "app.py").write_text(WORSE)
    assert session(repository, "--slope", str(base))[0] == 1
    assert session(repository, "--slope", "../base")[0] == 1
    assert session(repository, "--slope", ".")[0] == 0


def test_settings_choose_base_and_format(repository: Path) -> None:
    settings = "[pytest]\npythonpath = .\nslope_base = HEAD\nslope_format = line\n"
    (repository / "pytest.ini").write_text(settings)
    (repository / "app.py").write_text(WORSE)
    code, output = session(repository)
    assert code == 1 and "[new-clone]" in output and "    help: " not in output, output
    code, output = session(repository, "--slope-format", "json")
    document = next(line for line in output.splitlines() if line.startswith("{"))
    assert code == 1 and json.loads(document)["passes"] is False
    (repository / "pytest.ini").write_text(settings.replace("= line", "= odd"))
    code, output = session(repository)
    assert code == 4 and "expected one of human, line, json" in output, output


@pytest.mark.parametrize("name", ["absent", "", "-q", "main:app.py", "HEAD~7", "app.py"])
def test_absent_bases_are_errors(repository: Path, name: str) -> None:
    code, output = session(repository, f"--slope={name}")
    assert code == 4, output
    assert "help: " in output and "passed" not in output, "no test runs for nothing"


def test_ambiguous_bases_are_errors(repository: Path) -> None:
    (repository / "main").mkdir()
    code, output = session(repository, "--slope", "main")
    assert code == 4 and "is a git revision and a folder" in output, output
    assert session(repository, "--slope", "refs/heads/main")[0] == 0


def test_folders_without_git_are_reported(tmp_path: Path) -> None:
    samples.write_base(tmp_path)
    code, output = session(tmp_path, "--slope", "main", GIT_CEILING_DIRECTORIES=str(tmp_path.parent))
    assert code == 4 and "not a git revision" in output, output


def test_part_of_a_repository_is_checked(repository: Path) -> None:
    for name in ("app.py", "util.py"):
        (repository / "src").mkdir(exist_ok=True)
        (repository / name).rename(repository / "src" / name)
    (repository / "pytest.ini").write_text("[pytest]\npythonpath = src\nslope_path = src\n")
    code, output = session(repository, "--slope", "main")
    assert code == 4 and "has no folder src/" in output and "1 passed" in output, output
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "Move")
    assert session(repository, "--slope", "main")[0] == 0
    (repository / "src/app.py").write_text(WORSE)
    assert session(repository, "--slope", "main")[0] == 1
    assert session(repository, "--slope", "main", "--slope-path", "src")[0] == 1
    code, output = session(repository, "--slope", "main", "--slope-path", "absent")
    assert code == 4 and "is not a folder" in output, output


def test_base_has_what_releases_leave_out(repository: Path) -> None:
    (repository / ".gitattributes").write_text("* export-ignore\n")
    (repository / "app.py").write_text(WORSE)
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "Worse")
    code, output = session(repository, "--slope", "HEAD")
    assert code == 0, "an empty base would make all of it new: " + output
    assert session(repository, "--slope", "HEAD~1")[0] == 1


def test_repositories_stay_as_they_are(repository: Path) -> None:
    hook = repository / ".git/hooks/post-checkout"
    hook.write_text("#!/bin/sh\ntouch ran\n")
    hook.chmod(0o755)
    (repository / "app.py").write_text(WORSE)
    git(repository, "add", "app.py")
    (repository / "util.py").write_text(samples.UTIL + "\n")
    before = git(repository, "status", "--porcelain")
    # As in a hook of git.
    variables = {"GIT_DIR": str(repository / ".git"), "GIT_INDEX_FILE": str(repository / ".git/index")}
    assert session(repository, "--slope", "main", PYTHONDONTWRITEBYTECODE="1", **variables)[0] == 1
    assert git(repository, "status", "--porcelain") == before
    assert git(repository, "worktree", "list").count("\n") == 1
    assert not list(repository.glob("**/ran"))


def test_wrong_policies_are_errors(repository: Path) -> None:
    (repository / "slope.toml").write_text("odd = 1\n")
    code, output = session(repository, "--slope", "main")
    assert code == 4 and "slope.toml:1" in output and "slope: not checked" in output, output


def test_names_cannot_control_the_terminal(repository: Path) -> None:
    (repository / "a\x1b[2Jb.py").write_text(WORSE)
    code, output = session(repository, "--slope", "main")
    assert code == 1 and "\x1b" not in output and "a�[2Jb.py" in output, output


def test_listing_tests_checks_nothing(repository: Path) -> None:
    (repository / "app.py").write_text(WORSE)
    assert session(repository, "--slope", "main", "--collect-only")[0] == 0


@pytest.mark.skipif(find_spec("xdist") is None, reason="pytest-xdist is not installed")
def test_workers_do_not_check(repository: Path) -> None:
    (repository / "app.py").write_text(WORSE)
    code, output = session(repository, "--slope", "main", "-n", "2")
    assert code == 1 and output.count("slope: worse than main") == 1, output
    git(repository, "commit", "-q", "-a", "-m", "Worse")
    assert session(repository, "--slope", "main", "-n", "2")[0] == 0
