"""Grades on all nodes of a Ray cluster: one actor per node holds the opened bases.

    pool = Pool("/shared/repo@v2.1")
    grades = pool.grade_all(requests)

A pool has the methods of a grader, so `codeslope.trl.reward(pool)` and the others take it. When a node dies, other
nodes grade its requests. A base must be readable on each node, or be a dictionary of files.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from codeslope._grader import Grader, Graders, chosen
from codeslope._samples import faulty
from codeslope._types import Grade, Request

try:
    import ray
    from ray.exceptions import ActorUnschedulableError, NodeDiedError, ObjectLostError, RayActorError
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy
except ImportError as error:
    raise ImportError("codeslope.ray needs Ray: pip install 'codeslope[ray]'") from error

LOST = (RayActorError, ActorUnschedulableError, NodeDiedError, ObjectLostError)
Base = str | Path | Mapping[str, "str | bytes"]


class Holder:
    """The opened bases of one node."""

    def __init__(self, base: Base | None, pack: str | None, threads: int) -> None:
        self._grader = Graders(pack=pack, threads=threads) if base is None else Grader(base, pack=pack, threads=threads)

    def grade_all(self, requests: Sequence[Request], in_groups: bool) -> list[Grade]:
        """The grades of requests."""
        return self._grader.grade_all(requests, in_groups=in_groups)


class Pool:
    """Graders on the nodes of the cluster that Ray is connected to.

    Without `base`, requests name theirs. A base is opened on `copies` nodes (by default, on all), which follow from its
    name. `threads` is the number of threads on each node. A batch has up to `batch` requests. If it is lost `tries`
    times, its grades have no reward.
    """

    def __init__(
        self,
        base: Base | None = None,
        *,
        pack: str | Path | None = None,
        threads: int = 1,
        copies: int | None = None,
        batch: int = 32,
        tries: int = 5,
    ) -> None:
        self._settings = (base, None if pack is None else str(pack), threads)
        # Actors reserve nothing: on a cluster that a trainer fills, they would wait for ever.
        self._make = ray.remote(num_cpus=0)(Holder)
        self._actors: dict[str, Any] = {}
        self._copies = copies
        self._batch = batch
        self._tries = tries
        #: Number of batches that a node lost and another one graded.
        self.lost = 0

    def grade(self, request: Request | None = None, **edit: Any) -> Grade:
        """The grade of a request, or of an edit as `grade_request` takes it."""
        return self.grade_all([chosen(request, edit)])[0]

    def grade_all(self, requests: Iterable[Request], *, in_groups: bool = False) -> list[Grade]:
        """The grades of requests, in their order. With `in_groups`, rewards are set by `task.group`."""
        found = dict(self.stream(requests, in_groups=in_groups))
        return [found[at] for at in range(len(found))]

    def stream(self, requests: Iterable[Request], *, in_groups: bool = False) -> Iterator[tuple[int, Grade]]:
        """Each request's number and grade, once, as soon as it is there."""
        requests = list(requests)
        waiting = deque((batch, 0) for batch in self._batches(requests, in_groups))
        running: dict[Any, tuple[list[int], int, str]] = {}
        while waiting or running:
            # Two batches for each node keep it busy while answers travel.
            while waiting and len(running) < 2 * max(1, len(self._nodes())):
                batch, losses = waiting.popleft()
                node = self._node_for(requests[batch[0]], running)
                future = self._actor(node).grade_all.remote([requests[at] for at in batch], in_groups)
                running[future] = (batch, losses, node)
            done, _ = ray.wait(list(running), num_returns=1)
            batch, losses, node = running.pop(done[0])
            try:
                yield from zip(batch, ray.get(done[0]), strict=True)
            except LOST as error:
                self._actors.pop(node, None)
                self.lost += 1
                if losses + 1 < self._tries:
                    waiting.append((batch, losses + 1))
                else:
                    yield from ((at, faulty(requests[at], f"{self._tries} nodes were lost: {error}")) for at in batch)

    def _batches(self, requests: Sequence[Request], in_groups: bool) -> Iterator[list[int]]:
        """Numbers of requests that go together: of the same base, and all of a group."""
        kinds: dict[tuple[str, str], list[int]] = {}
        for at, request in enumerate(requests):
            group = str((request.get("task") or {}).get("group")) if in_groups else ""
            kinds.setdefault((request.get("base") or "", group), []).append(at)
        for numbers in kinds.values():
            size = len(numbers) if in_groups else self._batch
            yield from (numbers[start : start + size] for start in range(0, len(numbers), size))

    def _nodes(self) -> list[str]:
        return sorted(node["NodeID"] for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) > 0)

    def _node_for(self, request: Request, running: Mapping[Any, tuple[list[int], int, str]]) -> str:
        """The least busy of the nodes that hold the request's base."""
        name = request.get("base") or ""
        nodes = sorted(self._nodes(), key=lambda node: hashlib.sha256(f"{node} {name}".encode()).digest())
        busy = [node for _, _, node in running.values()]
        return min(nodes[: self._copies], key=busy.count)

    def _actor(self, node: str) -> Any:
        if node not in self._actors:
            place = NodeAffinitySchedulingStrategy(node_id=node, soft=False)
            self._actors[node] = self._make.options(scheduling_strategy=place).remote(*self._settings)
        return self._actors[node]
