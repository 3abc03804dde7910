"""Rewards for code edits: correctness first, quality second, explained by lines of code.

    import codeslope

    grader = codeslope.Grader("path/to/repo@v2.1")
    grade = grader.grade(diff=diff, passed=12, failed=0)
    grade["reward"], grade["components"], grade["evidence"]

    codeslope.judge("src")["scores"]        # verbosity, erosion and extensibility from 0 to 10
    codeslope.measure("src")["totals"]      # and diff, check and explain, as the commands print them

    server = codeslope.Server("https://slope.example.com", token=token)
    codeslope.Trajectory(server.points("shop", "main"))   # charts in a notebook

`Grader` works in this process, without Python's lock. `Client` asks a server (`slope grade serve`); both have the same
methods. `Server` and `AsyncServer` ask a server of projects (`slope serve`). The adapters for training packages are
modules of their own: `codeslope.trl`, `codeslope.verl` and so on.
"""

from __future__ import annotations

from codeslope._async_server import AsyncServer
from codeslope._client import Client, ServerError
from codeslope._code import Code
from codeslope._documents import FileMeasurement, Finding, Judgement, Ledger, Measurement, Violation
from codeslope._grader import Grader, Graders, grade_request
from codeslope._judge import Model, judge, judge_change
from codeslope._measure import check, diff, explain, measure
from codeslope._native import __version__, default_pack
from codeslope._problems import AccessError, BusyError, ConflictError, InvalidError, NotFoundError, ProblemError
from codeslope._run_types import (
    ChangeDetails,
    ChangeInfo,
    CheckpointPlace,
    RunDetails,
    RunInfo,
    SentChange,
    SentDetails,
    SentRun,
    SentSteps,
)
from codeslope._samples import Patch, Scorer, diff_in
from codeslope._server import Server
from codeslope._server_types import Added, Event, Point, Project, Summary, Token
from codeslope._trajectory import Trajectory, track
from codeslope._types import (
    Assessment,
    Change,
    Components,
    Evidence,
    Fault,
    Flag,
    Grade,
    Issue,
    LanguageScores,
    Request,
    Scores,
    Tests,
)
from codeslope._watch_types import ListedAlarm, ListedWatch, SentWatch

__all__ = [
    "AccessError",
    "Added",
    "Assessment",
    "AsyncServer",
    "BusyError",
    "Change",
    "ChangeDetails",
    "ChangeInfo",
    "CheckpointPlace",
    "Client",
    "Code",
    "Components",
    "ConflictError",
    "Event",
    "Evidence",
    "Fault",
    "FileMeasurement",
    "Finding",
    "Flag",
    "Grade",
    "Grader",
    "Graders",
    "InvalidError",
    "Issue",
    "Judgement",
    "LanguageScores",
    "Ledger",
    "ListedAlarm",
    "ListedWatch",
    "Measurement",
    "Model",
    "NotFoundError",
    "Patch",
    "Point",
    "ProblemError",
    "Project",
    "Request",
    "RunDetails",
    "RunInfo",
    "Scorer",
    "Scores",
    "SentChange",
    "SentDetails",
    "SentRun",
    "SentSteps",
    "SentWatch",
    "Server",
    "ServerError",
    "Summary",
    "Tests",
    "Token",
    "Trajectory",
    "Violation",
    "__version__",
    "check",
    "default_pack",
    "diff",
    "diff_in",
    "explain",
    "flat",
    "grade_request",
    "judge",
    "judge_change",
    "measure",
    "track",
]


def flat(grade: Grade) -> dict[str, float]:
    """The numbers of a grade by name, always with the same keys.

    A missing reward is 0.5 and `valid` is 0, for trainers that cannot leave a sample out.
    """
    import json

    from codeslope import _native

    return _native.flat(json.dumps(grade))
