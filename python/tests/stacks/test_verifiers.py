"""verifiers: the package's own task configuration, loader and scoring run on traces that are made here.

No model and no sandbox run.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import verifiers.v1 as vf
from verifiers.v1.configs.task import TaskConfig
from verifiers.v1.task import Task, TaskData

import samples

REWARDS = {
    "slope": {"fn": "codeslope.verifiers:reward", "weight": 0.5},
    "correct": {"fn": "codeslope.verifiers.correctness", "weight": 0.0},
}
METRICS = {"slope_components": {"fn": "codeslope.verifiers:components"}}


class Row(TaskData):
    base: str
    tests: dict[str, int] | None = None


class Tidy(Task[Row, Any, TaskConfig]):
    @vf.reward(weight=0.5)
    async def solved(self, trace: Any) -> float:
        return 1.0


def scored(base: Path, info: dict[str, Any], tests: Any = samples.PASS) -> Any:
    task = Tidy(Row(prompt="tidy", base=str(base), tests=tests), TaskConfig(rewards=REWARDS, metrics=METRICS))
    trace = trace_of(task)
    trace.info.update(info)
    asyncio.run(task.score(trace))
    return trace


def trace_of(task: Any) -> Any:
    from verifiers.v1.configs.agent import AgentConfig
    from verifiers.v1.trace import AgentInfo, Trace, TraceTask

    return Trace(task=TraceTask(type="Tidy", data=task.data), agent=AgentInfo(config=AgentConfig()))


def test_configured_functions_score_patches(base: Path) -> None:
    trace = scored(base, {"patch": samples.COPY})
    assert trace.rewards["slope"].score == pytest.approx(0.9) and trace.rewards["slope"].weight == 0.5
    assert trace.rewards["correct"].score == 1.0
    assert trace.reward == pytest.approx(0.5 * 0.9 + 0.5)
    assert trace.metrics["slope_p_dup"] > 0.5 and trace.metrics["slope_valid"] == 1.0
    json.dumps(trace.model_dump(mode="json"))


def test_results_of_the_taskset_count(base: Path) -> None:
    trace = scored(base, {"patch": samples.GOOD, "tests": samples.FAIL})
    assert trace.rewards["slope"].score == 0.0


@pytest.mark.parametrize("info", [{"patch": ""}, {"patch_error": "exit=128"}, {"patch": samples.UNFIT}, {}])
def test_no_change_is_a_failure(base: Path, info: dict[str, Any]) -> None:
    assert scored(base, info).rewards["slope"].score == 0.0


def test_fences_in_a_patch_are_code(tmp_path: Path) -> None:
    base, note = samples.write_base(tmp_path), "old\n```\n"
    notes = []
    for name in ("a.md", "b.md"):
        (base / name).write_text(note)
        notes.append(samples.diff(name, note, note.replace("old", "new")))
    # In a model's reply, the edit is what is between the fences.
    copy = samples.diff("more.py", "", samples.UTIL.replace("total_price", "sum_of_prices"))
    trace = scored(base, {"patch": notes[0] + samples.GOOD + notes[1] + copy})
    assert trace.metrics["slope_p_dup"] > 0.4


def test_faults_are_errors_of_the_rollout(base: Path) -> None:
    with pytest.raises(vf.TaskError, match="results of tests"):
        scored(base, {"patch": samples.GOOD}, tests=None)
