"""Scores of code in this process, which are those of the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import codeslope

import samples

TIDY = "RATES = {'letter': 2, 'parcel': 5}\n\n\ndef price(kind, weight):\n    return RATES[kind] * weight\n"
CHAIN = "".join(
    f"    {'if' if number == 0 else 'elif'} kind == '{kind}':\n        if weight > {number} and a:\n            return {number}\n"
    for number, kind in enumerate(["letter", "parcel", "crate", "tube", "bag", "pallet"])
)
SLOPPY = "".join(f"def {name}(kind, weight, a, b, c, d, e):\n{CHAIN}    return 0\n\n\n" for name in ("price", "cost"))


def test_scores_fall_with_sloppy_code() -> None:
    found = codeslope.judge_change({"app.py": TIDY}, {"app.py": SLOPPY})
    for name in ("verbosity", "erosion", "extensibility"):
        assert found["before"][name] > found["scores"][name]  # type: ignore[literal-required]
    assert found["scores"] == codeslope.judge({"app.py": SLOPPY})["scores"]
    assert {issue["path"] for issue in found["issues"]} == {"app.py"}
    assert codeslope.judge_change({"app.py": TIDY}, {"app.py": TIDY})["issues"] == []


def test_folders_and_texts_have_equal_scores(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(SLOPPY)
    folder = codeslope.judge(tmp_path, top=3)
    texts = codeslope.judge({"app.py": SLOPPY.encode()}, top=3)
    command = [samples.slope(), "judge", "--static", tmp_path, "--format", "json", "--top", "3", "--isolated"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    for other in (texts, json.loads(done.stdout)):
        assert {**other, "target": folder["target"]} == folder


def test_missing_scores_have_reasons(tmp_path: Path) -> None:
    found = codeslope.judge({"a.lua": "local x = 1\nprint(x)\n"})
    assert found["scores"]["erosion"] is None
    assert "lua" in found["missing"]["erosion"]
    assert codeslope.judge({"notes.txt": "hello"})["languages"] == []
    with pytest.raises(OSError, match="nowhere"):
        codeslope.judge(tmp_path / "nowhere")


def test_example_of_readme_runs(tmp_path: Path) -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text()
    example = next(text.split("```")[0] for text in readme.split("```python\n")[1:] if "judge_change" in text)
    (tmp_path / "old.py").write_text(TIDY)
    (tmp_path / "new.py").write_text(SLOPPY)
    done = subprocess.run([sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "warning: erosion got worse" in done.stdout
    assert "app.py:1: " in done.stdout
