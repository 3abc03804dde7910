"""Grades in this process."""

from __future__ import annotations

import ast
import inspect
import tarfile
import threading
import time
from itertools import pairwise
from pathlib import Path

import pytest

import codeslope
from codeslope import _native

import samples

KEYS = {
    *("reward", "score", "correctness", "quality", "quality_conditioned", "coverage", "valid"),
    *("p_cx", "p_dup", "p_dead", "p_dev", "p_contract", "p_min", "b_reuse"),
}


def test_copy_costs_reward_and_is_explained(grader: codeslope.Grader) -> None:
    good, copy = (grader.grade(diff=diff, **samples.PASS) for diff in (samples.GOOD, samples.COPY))
    assert (good["reward"], good["status"]) == (1.0, "ok")
    assert 0.5 < copy["reward"] < 1.0 and copy["components"]["p_dup"] > 0.5
    piece = next(piece for piece in copy["evidence"] if piece["signal"] == "p_dup")
    assert piece["at"].startswith("app.py:") and "util.py" in (piece["of"] or "")


def test_failing_edits_get_nothing(grader: codeslope.Grader) -> None:
    assert grader.grade(diff=samples.GOOD, **samples.FAIL)["reward"] == 0.0
    refused = grader.grade(diff=samples.SKIPS, **samples.PASS)
    assert (refused["status"], refused["reward"]) == ("refused", 0.0)


def test_faults_name_field_and_remedy(grader: codeslope.Grader) -> None:
    unfit = grader.grade(diff=samples.UNFIT, **samples.PASS)
    assert unfit["status"] == "error" and unfit["reward"] is None
    assert unfit["error"] is not None and unfit["error"]["field"] == "change.data" and unfit["error"]["help"]
    late = grader.grade(diff=samples.COPY, deadline_ms=0, **samples.PASS)
    assert late["status"] == "timeout" and late["reward"] is None


def test_flat_keys_never_change(grader: codeslope.Grader) -> None:
    edits = [{"diff": samples.COPY, **samples.PASS}, {"diff": samples.UNFIT}, {"diff": samples.GOOD}, {"diff": ""}]
    for edit in edits:
        assert set(codeslope.flat(grader.grade(**edit))) == KEYS
    missing = codeslope.flat(grader.grade(diff=samples.GOOD))
    assert (missing["reward"], missing["valid"], missing["quality"]) == (0.5, 0.0, 1.0)


def test_bases_of_all_kinds_agree(base: Path, tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "shop.tar.gz", "w:gz") as archive:
        archive.add(base, "shop-1.0")
    in_memory = codeslope.Grader(samples.BASE)
    packed = codeslope.Grader(tmp_path / "shop.tar.gz", strip=1)
    assert in_memory.base_id == packed.base_id == codeslope.Grader(base).base_id
    assert in_memory.file_count == packed.file_count == 2
    assert in_memory.pack_id.startswith("default@")


def test_bad_bases_and_packs_raise(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="help:"):
        codeslope.Grader(tmp_path / "nothing")
    pack = tmp_path / "pack.toml"
    pack.write_text("weights = 3")
    with pytest.raises(ValueError, match="pack"):
        codeslope.Grader(samples.BASE, pack=pack)


def test_own_pack_changes_rewards(tmp_path: Path) -> None:
    pack = tmp_path / "pack.toml"
    text = codeslope.default_pack()
    assert "lambda = 0.5" in text
    pack.write_text(text.replace("lambda = 0.5", "lambda = 0.25"))
    mild = codeslope.Grader(samples.BASE, pack=pack).grade(diff=samples.COPY, **samples.PASS)
    assert mild["reward"] == pytest.approx(0.95)


def test_graders_keep_order_and_open_bases_once(base: Path, tmp_path: Path) -> None:
    other = samples.write_base(tmp_path)
    (other / "util.py").write_text("")
    graders = codeslope.Graders()
    requests = [
        codeslope.grade_request(diff=samples.COPY, base=str(folder), id=str(at), **samples.PASS)
        for at, folder in enumerate([base, other, base])
    ]
    grades = graders.grade_all(requests)
    assert [grade["id"] for grade in grades] == ["0", "1", "2"]
    assert grades[0]["reward"] == grades[2]["reward"] < grades[1]["reward"]
    assert graders.of(base) is graders.of(str(base))
    with pytest.raises(ValueError, match="base"):
        graders.grade(diff=samples.COPY)


def test_edits_are_given_once(grader: codeslope.Grader) -> None:
    for edit in ({}, {"diff": "", "files": {}}):
        with pytest.raises(ValueError, match="one of diff, files and tree"):
            grader.grade(**edit)
    with pytest.raises(TypeError, match="not both"):
        grader.grade(codeslope.grade_request(diff=""), diff="")


def test_grading_leaves_other_threads_running(grader: codeslope.Grader) -> None:
    edits = [codeslope.grade_request(diff=samples.COPY, id=str(at), **samples.PASS) for at in range(60)]
    times: list[tuple[float, float]] = []

    def work() -> None:
        start = time.monotonic()
        grader.grade_all(edits)
        times.append((start, time.monotonic()))

    threads = [threading.Thread(target=work) for _ in range(2)]
    ticks: list[float] = []
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        ticks.append(time.monotonic())
        time.sleep(0.005)
    first, second = times
    length = max(end for _, end in times) - min(start for start, _ in times)
    assert min(first[1], second[1]) > max(first[0], second[0]), "both ran at the same time"
    longest = max(after - before for before, after in pairwise(ticks))
    assert longest < length / 4, f"this thread waited {longest:.2f} s of {length:.2f} s"


def test_diffs_in_responses() -> None:
    assert codeslope.diff_in(samples.response(samples.GOOD)) == samples.GOOD
    assert codeslope.diff_in("I cannot.") is None


def test_stubs_have_the_members_of_the_module() -> None:
    stub = ast.parse((Path(codeslope.__file__).parent / "_native.pyi").read_text())
    functions = {node.name: node for node in stub.body if isinstance(node, ast.FunctionDef)}
    names = {
        node.target.id for node in stub.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    public = {name for name in vars(_native) if not name.startswith("_") or name == "__version__"}
    assert public == functions.keys() | names | classes.keys()
    members = {node.name for node in classes["Grader"].body if isinstance(node, ast.FunctionDef)}
    assert members == {name for name in vars(_native.Grader) if not name.startswith("_")}
    for name, node in functions.items():
        assert list(inspect.signature(getattr(_native, name)).parameters) == [arg.arg for arg in node.args.args]
    for node in classes["Grader"].body:
        member = getattr(_native.Grader, node.name) if isinstance(node, ast.FunctionDef) else None
        if callable(member):
            assert list(inspect.signature(member).parameters) == [arg.arg for arg in node.args.args]  # type: ignore[union-attr]
