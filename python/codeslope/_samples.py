"""What a model answered and what the data set says of it, as requests and grades. All adapters use it.

The edit is the unified diff in the response. Everything else (base, results of tests, reference, task) is from the data
set's columns, its label, or a callable of the trainer's user. It is never from the response.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import json
import logging
import os
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, Protocol, cast, runtime_checkable

from codeslope import _native
from codeslope._client import Client
from codeslope._grader import Grader, Graders, grade_request
from codeslope._types import Grade, Request, Tests

log = logging.getLogger("codeslope")
_sharing = Lock()

RunTests = Callable[[str, Mapping[str, Any]], "Tests | Awaitable[Tests | None] | None"]
"""Runs the tests on an edit (a unified diff), given the sample's columns. It raises if it cannot run them."""


class Patch(str):
    """A diff that the environment took from the workspace. It is graded as it is; nothing is searched in it."""


@runtime_checkable
class GradesRequests(Protocol):
    """What `Grader`, `Graders`, `Client` and the actors of `codeslope.ray` have in common."""

    def grade_all(self, requests: Iterable[Request], *, in_groups: bool = False) -> list[Grade]: ...


class Scorer:
    """Grades responses of a model.

    `base` is a base or a grader. Without one, samples name their bases. `tests` runs the tests on an edit; without it,
    samples have their results in `tests`. `deadline_ms` limits the time of one grade, and `workers` the number of
    `tests` that run at the same time.
    """

    def __init__(
        self,
        base: str | Path | Mapping[str, str | bytes] | GradesRequests | None = None,
        *,
        tests: RunTests | str | None = None,
        pack: str | Path | None = None,
        deadline_ms: int | None = 10_000,
        workers: int = 8,
    ) -> None:
        self.grader = grader_of(base, pack)
        self.tests = imported(tests) if isinstance(tests, str) else tests
        self.deadline_ms = deadline_ms
        self.workers = workers

    def grade(self, response: Any, label: Any) -> Grade:
        """The grade of one response."""
        return self.grade_all([response], [label])[0]

    async def grade_async(self, response: Any, label: Any) -> Grade:
        """The grade of one response, while other tasks of the event loop go on."""
        return (await self.grade_all_async([response], [label]))[0]

    def grade_all(
        self, responses: Sequence[Any], labels: Sequence[Any], *, groups: Sequence[str] | None = None
    ) -> list[Grade]:
        """The grades of responses, in their order. A fault that is not the model's gives a grade without a reward.

        With `groups`, rewards are set by the pass rate of each group.
        """
        edits, rows = edits_of(responses), [columns_of(label) for label in labels]
        with ThreadPoolExecutor(max_workers=self.workers) as pool:
            found = list(pool.map(self._results, edits, rows))
        return self._graded(edits, rows, found, groups)

    async def grade_all_async(
        self, responses: Sequence[Any], labels: Sequence[Any], *, groups: Sequence[str] | None = None
    ) -> list[Grade]:
        """Like `grade_all`, while other tasks of the event loop go on. `tests` may be a coroutine function."""
        edits, rows = edits_of(responses), [columns_of(label) for label in labels]
        turns = asyncio.Semaphore(self.workers)

        async def results(edit: str | None, row: Mapping[str, Any]) -> Tests | None:
            async with turns:
                if not inspect.iscoroutinefunction(self.tests) or not edit:
                    return await asyncio.to_thread(self._results, edit, row)
                try:
                    return cast("Tests | None", await self.tests(edit, row))
                except Exception as error:
                    log_fault(error)
                    return None

        found = await asyncio.gather(*map(results, edits, rows))
        return await asyncio.to_thread(self._graded, edits, rows, list(found), groups)

    def _results(self, edit: str | None, row: Mapping[str, Any]) -> Tests | None:
        if not edit:
            return {"required_pass": False}
        if self.tests is None:
            return cast("Tests | None", row.get("tests"))
        try:
            found = self.tests(edit, row)
            if inspect.isawaitable(found):
                return asyncio.run(awaited(found))
            return found
        except Exception as error:
            log_fault(error)
            return None

    def _graded(
        self,
        edits: Sequence[str | None],
        rows: Sequence[Mapping[str, Any]],
        found: Sequence[Tests | None],
        groups: Sequence[str] | None,
    ) -> list[Grade]:
        in_groups = groups is not None
        requests = [
            request_of(edit or "", row, results, self.deadline_ms)
            for edit, row, results in zip(edits, rows, found, strict=True)
        ]
        for request, group in zip(requests, groups or (), strict=in_groups):
            request["task"] = {"group": group, **request.get("task", {})}
        grades = self._asked(requests, in_groups)
        # A diff that does not fit is the model's fault: it counts as an edit that changes nothing.
        unfit = [at for at, grade in enumerate(grades) if is_fault_of_edit(grade)]
        if not unfit:
            return grades
        for at in unfit:
            requests[at] = {**requests[at], "change": {"kind": "diff", "data": ""}, "tests": {"required_pass": False}}
        again = self._asked(requests if in_groups else [requests[at] for at in unfit], in_groups)
        new = dict(enumerate(again)) if in_groups else dict(zip(unfit, again, strict=True))
        # They keep the reason, for logs.
        return [
            {**new.get(at, grade), "error": grade["error"]} if at in unfit else new.get(at, grade)
            for at, grade in enumerate(grades)
        ]

    def _asked(self, requests: Sequence[Request], in_groups: bool) -> list[Grade]:
        try:
            return self.grader.grade_all(requests, in_groups=in_groups)
        except (RuntimeError, OSError) as error:
            bases = {request.get("base") for request in requests}
            if len(bases) > 1:
                # One base that cannot be opened must not cost the others their rewards.
                return self._asked_by_base(requests, in_groups)
            log.error("%d edits have no reward: %s", len(requests), error)
            return [faulty(request, str(error)) for request in requests]

    def _asked_by_base(self, requests: Sequence[Request], in_groups: bool) -> list[Grade]:
        places: dict[str | None, list[int]] = {}
        for at, request in enumerate(requests):
            places.setdefault(request.get("base"), []).append(at)
        found: dict[int, Grade] = {}
        for mine in places.values():
            found.update(zip(mine, self._asked([requests[at] for at in mine], in_groups), strict=True))
        return [found[at] for at in range(len(requests))]


@lru_cache(maxsize=64)
def _shared(settings: tuple[tuple[str, Any], ...]) -> Scorer:
    return Scorer(**dict(settings))


def shared(**settings: Any) -> Scorer:
    """The scorer with these settings. There is one in each process, for packages that call a function per sample.

    A setting that is not given is in the environment, as for `grader_of`. `CODESLOPE_TESTS` is the import path of
    `tests`.
    """
    settings.setdefault("tests", os.environ.get("CODESLOPE_TESTS") or None)
    # Threads must not open the same base at the same time.
    with _sharing:
        return _shared(tuple(sorted(settings.items())))


def grader_of(
    base: str | Path | Mapping[str, str | bytes] | GradesRequests | None, pack: str | Path | None = None
) -> GradesRequests:
    """The grader of a base, which may be the URL of a server.

    Without a base, `CODESLOPE_URL` or `CODESLOPE_BASE` in the environment names it. Without any, samples name theirs.
    """
    if isinstance(base, GradesRequests):
        return base
    if isinstance(base, str) and base.startswith(("http://", "https://")):
        return Client(base, token=os.environ.get("CODESLOPE_TOKEN"))
    if base is not None:
        return Grader(base, pack=pack)
    named = os.environ.get("CODESLOPE_URL") or os.environ.get("CODESLOPE_BASE")
    return grader_of(named, pack) if named else Graders(pack=pack)


def imported(name: str) -> Any:
    """An object by its import path, such as `my_package.tests:run`."""
    module, _, attribute = name.partition(":")
    if not attribute:
        raise ValueError(f"invalid import path {name!r}: expected MODULE:NAME")
    return getattr(importlib.import_module(module), attribute)


def edits_of(responses: Iterable[Any]) -> list[str | None]:
    """The diffs in responses; None where there is none."""
    return [response if isinstance(response, Patch) else diff_in(text_of(response)) for response in responses]


def diff_in(response: str) -> str | None:
    """The unified diff in a model's response, or None. Halves of characters count as U+FFFD."""
    return _native.diff_in(response.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def text_of(response: Any) -> str:
    """The text that the model wrote: text, a message, or messages. Results of tools and other roles are left out."""
    if isinstance(response, str):
        return response
    if isinstance(response, Sequence):
        return "\n".join(filter(None, map(text_of, response)))
    if isinstance(response, Mapping):
        if response.get("role", "assistant") != "assistant":
            return ""
        return text_of(response.get("content") or response.get("text") or "")
    return ""


def columns_of(label: Any) -> Mapping[str, Any]:
    """What a label says: an object, or the text of one in JSON. A column `slope` takes the place of the others."""
    row = object_of(label, "the label")
    return object_of(row["slope"], "the column `slope`") if row.get("slope") else row


def object_of(value: Any, name: str) -> Mapping[str, Any]:
    """An object, or the text of one in JSON. Keys without a value are left out: tables fill them in."""
    if isinstance(value, (str, bytes)):
        with suppress(ValueError):
            value = json.loads(value)
    if not isinstance(value, Mapping):
        help = "put the fields of slope's request into a column `slope`, as an object or as JSON"
        raise ValueError(f"{name} is not an object: {value!r:.80}\nhelp: {help}")
    return {key: inner for key, inner in value.items() if inner is not None}


def request_of(edit: str, row: Mapping[str, Any], results: Tests | None, deadline_ms: int | None = None) -> Request:
    """The request of an edit. Columns that are no fields of a request are left out."""
    request: dict[str, Any] = {**grade_request(diff=edit)}
    for field in ("id", "base"):
        if row.get(field) is not None:
            request[field] = str(row[field])
    for field in ("reference", "task", "options"):
        if row.get(field) is not None:
            request[field] = plain(object_of(row[field], f"the column `{field}`"))
    if results is not None:
        request["tests"] = plain(object_of(results, "the column `tests`"))
    if deadline_ms is not None:
        request["options"] = {"deadline_ms": deadline_ms, **request.get("options", {})}
    return cast("Request", request)


def plain(value: Any) -> Any:
    """A value as JSON has it. Arrays and numbers of numpy, which tables contain, become lists and numbers."""
    return json.loads(json.dumps(value, default=lambda other: other.tolist()))


def is_fault_of_edit(grade: Grade) -> bool:
    """Whether the edit itself could not be read or applied."""
    error = grade["error"]
    return grade["status"] == "error" and error is not None and error["field"].startswith("change")


def faulty(request: Request, message: str) -> Grade:
    """The grade of a request that nobody graded."""
    nothing = dict.fromkeys(("p_cx", "p_dup", "p_dead", "p_dev", "p_contract", "p_min", "b_reuse"))
    return cast(
        "Grade",
        {
            "id": request.get("id", ""),
            "status": "error",
            **dict.fromkeys(("reward", "score", "correctness", "quality", "quality_conditioned", "coverage")),
            "components": nothing,
            "missing": {},
            "tiers": {},
            "flags": [],
            "evidence": [],
            "error": {"field": "", "message": message, "help": ""},
            "pack": "",
            "engine": "",
        },
    )


def why(grade: Grade) -> str:
    """The heaviest reason of a grade in one line, for logs."""
    reasons = [grade["error"], *(flag for flag in grade["flags"] if flag["is_hard"]), *grade["evidence"]]
    return next((reason["message"] for reason in reasons if reason), "")


def log_fault(error: Exception) -> None:
    """Says that tests could not run."""
    log.error("an edit has no reward, because its tests could not run: %s: %s", type(error).__name__, error)


async def awaited(found: Awaitable[Tests | None]) -> Tests | None:
    """The result of an awaitable, for `asyncio.run`."""
    return await found
