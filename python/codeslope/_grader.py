"""Grades in this process."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from codeslope import _native
from codeslope._code import Code, native
from codeslope._types import Change, Grade, Request


def grade_request(
    *,
    diff: str | None = None,
    files: Mapping[str, str | None] | None = None,
    tree: Mapping[str, str] | None = None,
    passed: int | None = None,
    failed: int | None = None,
    required_pass: bool | None = None,
    reference: str | None = None,
    id: str = "",
    base: str | None = None,
    group: str | None = None,
    kind: str | None = None,
    test_files: Iterable[str] = (),
    may_change_tests: bool = False,
    evidence: str | None = None,
    deadline_ms: int | None = None,
) -> Request:
    """A request in the format of `slope grade`.

    Give the edit as one of `diff` (unified), `files` (path to text, None removes a file) and `tree` (all files).
    Without results of tests there is quality and no reward.
    """
    given = [(name, data) for name, data in (("diff", diff), ("files", files), ("tree", tree)) if data is not None]
    if len(given) != 1:
        raise ValueError("give the edit as one of diff, files and tree")
    name, data = given[0]
    change: Change = {"kind": name, "data": data}  # type: ignore[typeddict-item]
    request: Request = {"id": id, "change": change}
    if base is not None:
        request["base"] = base
    if reference is not None:
        request["reference"] = {"kind": "diff", "data": reference}
    task = {"group": group, "kind": kind}
    task = {key: value for key, value in task.items() if value is not None}
    if task:
        request["task"] = task  # type: ignore[typeddict-item]
    if not (passed is None and failed is None and required_pass is None):
        request["tests"] = {
            "required_pass": required_pass,
            "passed": passed or 0,
            "failed": failed or 0,
            "files": list(test_files),
            "may_change": may_change_tests,
        }
    options = {"evidence": evidence, "deadline_ms": deadline_ms}
    options = {key: value for key, value in options.items() if value is not None}
    if options:
        request["options"] = options
    return request


class Grader:
    """Grades edits of one base: a folder, a revision of a repository as `PATH@REVISION`, or a tar archive.

    `pack` is the path of a reward pack. `strip` is the number of folders to remove from paths in an archive. The base
    is read once. Threads can share a grader; the work is done without Python's lock.
    """

    def __init__(
        self,
        base: Code,
        *,
        pack: str | Path | None = None,
        threads: int = 0,
        strip: int = 0,
    ) -> None:
        text = None if pack is None else Path(pack).read_text(encoding="utf-8")
        self._native = _native.Grader.open(native(base), text, threads, strip)

    @property
    def base_id(self) -> str:
        """Hash of the base's code."""
        return self._native.base_id

    @property
    def file_count(self) -> int:
        """Number of the base's files."""
        return self._native.file_count

    @property
    def pack_id(self) -> str:
        """Name and version of the pack."""
        return self._native.pack_id

    def grade(self, request: Request | None = None, **edit: Any) -> Grade:
        """The grade of a request, or of an edit as `grade_request` takes it."""
        grade: Grade = json.loads(self._native.grade(json.dumps(chosen(request, edit))))
        return grade

    def grade_all(self, requests: Iterable[Request], *, in_groups: bool = False) -> list[Grade]:
        """The grades of requests in their order, in parallel.

        With `in_groups`, rewards are set by `task.group`: while few attempts at a task pass, only correctness counts.
        """
        texts = [json.dumps(request) for request in requests]
        return [json.loads(grade) for grade in self._native.grade_all(texts, in_groups)]


class Graders:
    """Graders by base, opened when they are first needed."""

    def __init__(self, *, pack: str | Path | None = None, threads: int = 0) -> None:
        self._settings: dict[str, Any] = {"pack": pack, "threads": threads}
        self._open: dict[str, Grader] = {}
        self._lock = threading.Lock()

    def of(self, base: str | Path) -> Grader:
        """The grader of a base."""
        name = str(base)
        with self._lock:
            if name not in self._open:
                self._open[name] = Grader(name, **self._settings)
            return self._open[name]

    def grade(self, request: Request | None = None, **edit: Any) -> Grade:
        """The grade of a request that names its base."""
        request = chosen(request, edit)
        return self.of(named_base(request)).grade(request)

    def grade_all(self, requests: Iterable[Request], *, in_groups: bool = False) -> list[Grade]:
        """The grades of requests that name their bases, in their order."""
        requests = list(requests)
        found: list[Grade | None] = [None] * len(requests)
        places: dict[str, list[int]] = {}
        for at, request in enumerate(requests):
            places.setdefault(named_base(request), []).append(at)
        for base, mine in places.items():
            grades = self.of(base).grade_all([requests[at] for at in mine], in_groups=in_groups)
            for at, grade in zip(mine, grades, strict=True):
                found[at] = grade
        return [grade for grade in found if grade is not None]


def chosen(request: Request | None, edit: Mapping[str, Any]) -> Request:
    """The request itself, or that of the named arguments."""
    if request is not None and edit:
        raise TypeError("give a request or named arguments, not both")
    return request if request is not None else grade_request(**edit)


def named_base(request: Request) -> str:
    """The base that a request names."""
    base = request.get("base")
    if not base:
        raise ValueError("the request names no base; give `base`, or use Grader for a single base")
    return base
