"""Measurements and changes in this process, which are those of the command line."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import codeslope
from codeslope import _documents

import samples

TIDY = "RATES = {'letter': 2}\n\n\ndef price(kind, weight):\n    return RATES[kind] * weight\n"
BRANCHES = "".join(f"    if kind == {number} and weight > {number}:\n        return {number}\n" for number in range(9))
SLOPPY = f"def price(kind, weight):\n{BRANCHES}    return 0\n"
SCHEMAS = Path(__file__).parents[2] / "docs/schemas"


def command(*arguments: object) -> Any:
    """What a command prints."""
    line = [samples.slope(), *map(str, arguments), "--format", "json"]
    return json.loads(subprocess.run(line, capture_output=True, text=True, timeout=60, check=False).stdout)


def test_documents_equal_the_commands(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder, text in ((old, TIDY), (new, SLOPPY)):
        folder.mkdir()
        (folder / "app.py").write_text(text)
    assert codeslope.measure(new) == command("measure", new)
    assert codeslope.diff(old, new) == command("diff", old, new)
    assert codeslope.check(old, new) == command("check", old, new)
    assert codeslope.explain("new-clone") == command("explain", "new-clone")
    ledger = codeslope.diff({"app.py": TIDY}, {"app.py": SLOPPY})
    assert {**ledger, "base": str(old), "head": str(new)} == codeslope.diff(old, new)


def test_policy_decides_what_passes() -> None:
    before, after = {"app.py": TIDY}, {"app.py": SLOPPY}
    judged = codeslope.check(before, after)
    assert not judged["passes"]
    assert {violation["rule"] for violation in judged["violations"]} == {"complexity-growth"}
    assert codeslope.check(before, after, policy='[check]\ncomplexity-growth = "off"\n')["passes"]
    own = codeslope.check(before, {**after, "slope.toml": '[check]\ncomplexity-growth = "off"\n'})
    assert own["passes"]


def test_errors_name_cause_and_remedy(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere.*\nhelp: "):
        codeslope.measure(tmp_path / "nowhere")
    with pytest.raises(ValueError, match=r"slope\.toml:1: .*cutof"):
        codeslope.check({"a.py": TIDY}, {"a.py": TIDY}, policy="cutof = 3\n")
    with pytest.raises(ValueError, match="plain path"):
        codeslope.measure({"../a.py": TIDY})
    with pytest.raises(ValueError, match="nothing was measured"):
        codeslope.measure({"notes.txt": "hello"})
    with pytest.raises(TypeError):
        codeslope.measure(7)  # type: ignore[arg-type]


def schema_of(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The schema of a type, by its name there, and those around it."""
    name = "Evidence" if name == "ViolationEvidence" else name
    for document in ("measurement", "judgement", "ledger"):
        schema: dict[str, Any] = json.loads((SCHEMAS / f"{document}.schema.json").read_text())
        found: dict[str, Any] | None = schema if schema["title"] == name else schema["$defs"].get(name)
        if found is not None:
            return found, schema["$defs"]
    raise AssertionError(f"no schema of {name}")


@pytest.mark.parametrize("name", [name for name in vars(_documents) if name[0].isupper()])
def test_types_have_fields_of_schemas(name: str) -> None:
    kind = getattr(_documents, name)
    if hasattr(kind, "__total__"):
        samples.check_fields(kind, *schema_of(name))
