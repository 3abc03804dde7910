"""Ray: a cluster of three nodes on this machine. One is killed while it grades."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import ray
from ray.cluster_utils import Cluster

import codeslope
from codeslope import trl
from codeslope.ray import Pool

import samples


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    for _ in range(2):
        made.add_node(num_cpus=1)
    made.wait_for_nodes()
    ray.init(address=made.address)
    yield made
    ray.shutdown()
    made.shutdown()


def requests(count: int) -> list[codeslope.Request]:
    edits = [samples.GOOD, samples.COPY, samples.UNFIT, ""]
    return [codeslope.grade_request(diff=edits[at % 4], id=f"r{at}", **samples.PASS) for at in range(count)]


def test_killed_node_loses_no_request(cluster: Cluster, grader: codeslope.Grader) -> None:
    pool, asked = Pool(samples.BASE, batch=4), requests(600)
    counts, found, killed = [0] * len(asked), {}, False
    for at, grade in pool.stream(asked):
        counts[at] += 1
        found[at] = grade
        if sum(counts) >= 60 and not killed:
            assert len(pool._actors) == 3
            cluster.remove_node(sorted(cluster.worker_nodes, key=str)[0], allow_graceful=False)
            killed = True
    assert counts == [1] * len(asked)
    assert pool.lost > 0
    assert [found[at] for at in range(len(asked))] == grader.grade_all(asked)


def test_bases_and_groups_stay_together(cluster: Cluster, base: Path) -> None:
    pool = Pool(copies=1)
    asked = [
        codeslope.grade_request(diff=samples.COPY, base=str(base), group=group, passed=passed, failed=1 - passed)
        for group, passed in (("hard", 1), ("easy", 1), ("hard", 0), ("hard", 0), ("hard", 0))
    ]
    rewards = [grade["reward"] for grade in pool.grade_all(asked, in_groups=True)]
    # Quality does not count yet where few attempts pass.
    assert rewards == [1.0, pytest.approx(0.9), 0.0, 0.0, 0.0]
    assert len(pool._actors) == 1


def test_adapters_take_a_pool(cluster: Cluster) -> None:
    reward = trl.reward(Pool(samples.BASE), tests=samples.run_tests)
    answers = [samples.response(samples.COPY), "I cannot."]
    assert reward(["p"] * 2, answers) == [pytest.approx(0.9), 0.0]


def test_example_grades_lines(cluster: Cluster, base: Path) -> None:
    script = Path(__file__).parents[2] / "examples/ray_cluster.py"
    lines = "".join(json.dumps(request) + "\n" for request in requests(8))
    done = subprocess.run([sys.executable, script, base], input=lines, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [f"r{at}" for at in range(8)]
