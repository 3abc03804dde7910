"""The example that trains with GRPO: a small run writes its results, and the reward of slope rises."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples/grpo"


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("grpo")
    subprocess.run([sys.executable, "-W", "ignore", EXAMPLE / "run.py", "--out", folder, "--quick"], check=True)
    return folder


@pytest.fixture(scope="module")
def results(out: Path) -> Any:
    return json.loads((out / "results.json").read_text(encoding="utf-8"))


def numbers_in(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from numbers_in(each)
    elif isinstance(value, (int, float)):
        yield float(value)


def test_results_are_finite(results: Any) -> None:
    numbers = list(numbers_in(results))
    assert len(numbers) > 300
    assert all(map(math.isfinite, numbers))


def test_table_and_plot_exist(out: Path) -> None:
    assert "| pass rate |" in (out / "table.md").read_text(encoding="utf-8")
    assert (out / "grpo.svg").read_text(encoding="utf-8").rstrip().endswith("</svg>")


def test_reward_of_slope_rises(results: Any) -> None:
    arm = results["arms"]["slope"]
    assert arm["reward"]["mean"] > arm["first_reward"]["mean"] + 0.05


def test_second_run_trains_nothing(out: Path) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in (out / "runs").iterdir()}
    subprocess.run([sys.executable, "-W", "ignore", EXAMPLE / "run.py", "--out", out, "--quick"], check=True)
    assert {path.name: path.stat().st_mtime_ns for path in (out / "runs").iterdir()} == before
