"""How responses and columns become rewards, without any training package."""

from __future__ import annotations

import asyncio
import logging
import threading
from typing import Any

import pytest

import codeslope
from codeslope import Patch, Scorer, trl
from codeslope._samples import request_of, shared, text_of

import samples

RESPONSES = [*map(samples.response, (samples.GOOD, samples.COPY, samples.WRONG, samples.UNFIT)), "I cannot."]
PROMPTS = ["p"] * len(RESPONSES)


def test_rewards_of_responses(grader: codeslope.Grader) -> None:
    found = trl.reward(grader, tests=samples.run_tests)(PROMPTS, RESPONSES)
    assert found == [1.0, pytest.approx(0.9), 0.0, 0.0, 0.0]


def test_columns_have_results(grader: codeslope.Grader) -> None:
    tests = [samples.PASS, samples.FAIL, '{"required_pass": true}', samples.PASS, None]
    found = trl.reward(grader)(PROMPTS, [RESPONSES[0]] * 5, tests=tests, other=["x"] * 5, trainer_state=object())
    assert found == [1.0, 0.0, 1.0, 1.0, None]


def test_response_cannot_choose_base_or_tests(grader: codeslope.Grader) -> None:
    said = '{"base": "/", "tests": {"passed": 9, "failed": 0}}\n' + RESPONSES[0]
    assert trl.reward(grader)(["p"], [said], tests=[samples.FAIL]) == [0.0]


def test_broken_tests_are_no_failures(grader: codeslope.Grader, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "codeslope"):
        found = trl.reward(grader, tests=samples.broken_tests)(PROMPTS, RESPONSES)
    # An edit that does not fit is a failure, whatever became of its tests.
    assert found == [None, None, None, 0.0, 0.0]
    assert "the sandbox is down" in caplog.text


def test_absent_server_gives_no_rewards() -> None:
    client = codeslope.Client("http://127.0.0.1:1", patience=0.1)
    assert trl.reward(client)(PROMPTS, RESPONSES, tests=[samples.PASS] * 5) == [None] * 5
    grade = Scorer(client).grade(RESPONSES[0], {})
    assert codeslope.flat(grade)["valid"] == 0.0 and codeslope.flat(grade)["reward"] == 0.5


def test_lost_base_costs_only_its_samples(base: Any, tmp_path: Any) -> None:
    bases = [str(base), str(tmp_path / "lost"), str(base)]
    found = trl.reward(tests=samples.run_tests)(["p"] * 3, [RESPONSES[0], RESPONSES[0], RESPONSES[1]], base=bases)
    assert found == [1.0, None, pytest.approx(0.9)]


def test_late_grades_are_missing(grader: codeslope.Grader) -> None:
    assert trl.reward(grader, tests=samples.run_tests, deadline_ms=0)(["p"], RESPONSES[:1]) == [None]


def test_conversations_count_only_what_the_model_said(grader: codeslope.Grader) -> None:
    tool = {"role": "tool", "content": samples.response(samples.SKIPS)}
    parts = [{"type": "text", "text": RESPONSES[1]}]
    chat = [{"role": "assistant", "content": parts}, tool]
    assert trl.reward(grader, tests=samples.run_tests)([[]], [chat]) == [pytest.approx(0.9)]
    assert text_of([tool, {"role": "user", "content": "x"}]) == ""


def test_groups_follow_the_prompts(grader: codeslope.Grader) -> None:
    answers = [RESPONSES[1], *["I cannot."] * 3, RESPONSES[1]]
    found = trl.reward(grader, tests=samples.run_tests, in_groups=True)([*["hard"] * 4, "easy"], answers)
    assert found == [1.0, 0.0, 0.0, 0.0, pytest.approx(0.9)]


def test_unfit_edits_count_in_groups(grader: codeslope.Grader) -> None:
    answers = [RESPONSES[1], *[RESPONSES[3]] * 3]
    found = trl.reward(grader, tests=samples.run_tests, in_groups=True)(["hard"] * 4, answers)
    assert found == [1.0, 0.0, 0.0, 0.0]


def test_two_functions_grade_once(grader: codeslope.Grader) -> None:
    calls: list[str] = []

    def count(edit: str, row: Any) -> dict[str, int]:
        calls.append(edit)
        return samples.run_tests(edit, row)

    correctness, quality = trl.rewards(grader, tests=count)
    assert correctness(PROMPTS, RESPONSES) == [1.0, 1.0, 0.0, 0.0, 0.0]
    assert quality(PROMPTS, RESPONSES) == [1.0, pytest.approx(0.8), 0.0, 0.0, 0.0]
    assert len(calls) == 4
    correctness(PROMPTS, list(RESPONSES))
    assert len(calls) == 8


def test_numbers_and_reasons_are_logged(grader: codeslope.Grader) -> None:
    metrics: dict[str, float] = {}
    extra: dict[str, list[str]] = {}
    reward = trl.reward(grader, tests=samples.run_tests)
    reward(PROMPTS, RESPONSES, log_metric=metrics.__setitem__, log_extra=extra.__setitem__)
    assert metrics["slope/reward"] == pytest.approx(1.9 / 5) and metrics["slope/valid"] == 1.0
    assert "total_price" in extra["slope"][1] and "does not fit" in extra["slope"][3]


def test_tests_run_at_the_same_time(grader: codeslope.Grader) -> None:
    together = threading.Barrier(3, timeout=10)

    def run(edit: str, row: Any) -> dict[str, int]:
        together.wait()
        return samples.PASS

    assert trl.reward(grader, tests=run, workers=3)(["p"] * 3, RESPONSES[:3]) == [1.0, pytest.approx(0.9), 1.0]


def test_coroutines_run_tests(grader: codeslope.Grader) -> None:
    together = asyncio.Event()

    async def run(edit: str, row: Any) -> dict[str, int]:
        if row["first"]:
            await asyncio.wait_for(together.wait(), 10)
        together.set()
        return samples.PASS

    reward = trl.async_reward(grader, tests=run)
    assert asyncio.run(reward(["p"] * 2, RESPONSES[:2], first=[True, False])) == [1.0, pytest.approx(0.9)]


def test_patches_are_taken_whole() -> None:
    note = "old\n```\n"
    first, second = (samples.diff(name, note, "new\n```\n") for name in ("a.md", "b.md"))
    # In a response, the edit is what is between the fences, which ends inside a hunk.
    copy = samples.diff("more.py", "", samples.UTIL.replace("total_price", "sum_of_prices"))
    patch = first + samples.GOOD + second + copy
    scorer = Scorer({**samples.BASE, "a.md": note, "b.md": note})
    assert scorer.grade(patch, {"tests": samples.PASS})["reward"] == 0.0
    assert scorer.grade(Patch(patch), {"tests": samples.PASS})["components"]["p_dup"] > 0.4


def test_column_slope_takes_the_place_of_others() -> None:
    scorer = Scorer(samples.BASE)
    row = {"tests": "def test(): ...", "slope": {"tests": samples.PASS, "id": 7}}
    assert scorer.grade(RESPONSES[0], row)["id"] == "7"
    with pytest.raises(ValueError, match="column `slope`"):
        scorer.grade(RESPONSES[0], {"tests": "def test(): ..."})


def test_empty_keys_of_tables_are_left_out() -> None:
    row = {"task": {"kind": "bugfix", "group": None}, "base": None, "other": 1}
    request = request_of("", row, {"passed": 1, "failed": 0, "files": None})
    assert request["task"] == {"kind": "bugfix"} and request["tests"] == {"passed": 1, "failed": 0}
    assert "base" not in request and "other" not in request


def test_settings_share_a_scorer(base: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODESLOPE_TESTS", "samples:run_tests")
    assert shared(base=str(base)) is shared(base=str(base))
    assert shared(base=str(base)).tests is samples.run_tests


@pytest.mark.parametrize("name", ["nemo_gym", "skyrl", "openenv", "ray"])
def test_missing_packages_are_named(name: str) -> None:
    import importlib

    with pytest.raises(ImportError, match="pip install"):
        importlib.import_module(f"codeslope.{name}")
