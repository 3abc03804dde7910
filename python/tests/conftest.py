"""Fixtures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import codeslope

import samples


@pytest.fixture(scope="session")
def grader() -> codeslope.Grader:
    return codeslope.Grader(samples.BASE)


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return samples.write_base(tmp_path_factory.mktemp("shop"))


@pytest.fixture(scope="session")
def server(base: Path) -> Iterator[str]:
    with samples.serving(base) as url:
        yield url
