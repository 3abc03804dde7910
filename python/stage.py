#!/usr/bin/env python3
"""Puts the package together from a library that cargo built, for tests: `stage.py --library PATH OUT`.

`OUT` becomes a folder for PYTHONPATH.
"""

from __future__ import annotations

import argparse
import re
import shutil
from pathlib import Path

HERE = Path(__file__).resolve().parent


def stage(library: Path, out: Path) -> None:
    """Copies the modules and the library."""
    package = out / "codeslope"
    if package.exists():
        shutil.rmtree(package)
    shutil.copytree(HERE / "codeslope", package, ignore=shutil.ignore_patterns("__pycache__", "_native*.so"))
    shutil.copy(library, package / "_native.abi3.so")
    describe(out)


def describe(out: Path) -> None:
    """Writes what an installation knows of the package, so that pytest finds the plugin."""
    project = (HERE / "pyproject.toml").read_text(encoding="utf-8")
    # Python 3.10 cannot read TOML.
    points = re.findall(r'^\[project\.entry-points\.(\w+)\]\n(\w+) = "([\w.]+)"$', project, re.MULTILINE)
    folder = out / "codeslope-0.dist-info"
    folder.mkdir(exist_ok=True)
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: codeslope\nVersion: 0\n", encoding="utf-8")
    lines = [f"[{group}]\n{name} = {value}\n" for group, name, value in points]
    (folder / "entry_points.txt").write_text("".join(lines), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path, default=HERE.parent / "target/debug/lib_native.so")
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    if not arguments.library.is_file():
        parser.error(f"{arguments.library} is missing\nhelp: cargo build -p slope-python, or give --library")
    stage(arguments.library, arguments.out)


if __name__ == "__main__":
    main()
