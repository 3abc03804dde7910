"""Runs or collects one suite and tells the host about it, one JSON object a line.

Started as `python -I runner.py JOB TESTS CONFIG ENTRYPOINT`: what to do as a JSON
file, the folder of the tests, pytest's configuration, and the command that
tests start. The lines go to the standard output this
process was started with, through a descriptor that no child inherits; whatever
tests or pytest print goes to standard error. The process makes itself
non-dumpable first, so that nothing else of the sandbox's user can look into
its descriptors or its memory.
"""

import ctypes
import errno
import hashlib
import importlib.metadata
import json
import os
import signal
import sys
import time

LONGEST_MESSAGE = 2000
PR_SET_DUMPABLE = 4


class Host:
    """The host's end of the conversation."""

    def __init__(self):
        self.descriptor = os.dup(1)
        os.set_inheritable(self.descriptor, False)
        os.dup2(2, 1)

    def tell(self, event, **fields):
        line = json.dumps({"event": event, **fields}).encode() + b"\n"
        while line:
            line = line[os.write(self.descriptor, line):]


def hide():
    """Closes this process's memory and descriptors to others of the same user."""
    try:
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    except (OSError, AttributeError):
        pass


LOOKED_AT = {"open", "os.chdir", "os.listdir", "os.scandir", "sqlite3.connect"}


def guard(hidden):
    """Refuses to follow links that lead from elsewhere into the folder `hidden`.

    A program cannot see the tests' data, but it can leave a link to it where a test
    looks for what the program ought to have written, and the test would follow.
    """
    hidden = os.path.realpath(hidden)

    def below(path):
        return path == hidden or path.startswith(hidden + os.sep)

    def look(event, args):
        if event not in LOOKED_AT or not args or args[0] is None or isinstance(args[0], int):
            return
        try:
            path = os.fsdecode(args[0])
            leads_in = not below(os.path.abspath(path)) and below(os.path.realpath(path))
        except (OSError, TypeError, ValueError):
            return  # nothing that can be opened
        if leads_in:
            raise PermissionError(errno.EACCES, "a link leads to the tests", path)

    sys.addaudithook(look)


def hash_of(folder):
    """A hash over every path below `folder` and what lies there."""
    digest = hashlib.sha256()
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            path = os.path.join(parent, name)
            digest.update(os.fsencode(os.path.relpath(path, folder)) + b"\0")
            if os.path.islink(path):
                digest.update(os.fsencode(os.readlink(path)))
            else:
                with open(path, "rb") as file:
                    digest.update(file.read())
            digest.update(b"\0")
    return digest.hexdigest()


def descendants(root, spared):
    """Processes that `root` started, directly or not, without those in `spared`."""
    children = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                    parent = int(file.read().rpartition(")")[2].split()[1])
            except (OSError, IndexError, ValueError):
                continue
            children.setdefault(parent, []).append(int(name))
    found, waiting = [], [root]
    while waiting:
        for child in children.get(waiting.pop(), []):
            if child not in spared:
                found.append(child)
                waiting.append(child)
    return found


def send(number, processes):
    for process in processes:
        try:
            os.kill(process, number)
        except (ProcessLookupError, PermissionError):
            pass


def stall(runner, rhythm):
    """Stops and resumes everything that `runner` started, until told to stop."""
    own = {os.getpid()}
    stopping = []
    signal.signal(signal.SIGTERM, lambda *_: stopping.append(True))
    while not stopping:
        time.sleep(rhythm["run_s"])
        stopped, until = set(), time.monotonic() + rhythm["pause_s"]
        while time.monotonic() < until and not stopping:
            fresh = set(descendants(runner, own)) - stopped
            send(signal.SIGSTOP, fresh)
            stopped |= fresh
            time.sleep(0.02)
        send(signal.SIGCONT, stopped)


def start_stalls(rhythm):
    """Starts the process that stalls what this one starts."""
    runner = os.getpid()
    child = os.fork()
    if child == 0:
        try:
            stall(runner, rhythm)
        finally:
            os._exit(0)
    return child


def stop_stalls(child):
    os.kill(child, signal.SIGTERM)
    os.waitpid(child, 0)


def short(text):
    """The first lines of a message, cut to what is worth keeping."""
    text = "\n".join(str(text).strip().splitlines()[:40])
    return text[:LONGEST_MESSAGE]


def message_of(report):
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is not None:
        return short(crash.message)
    if isinstance(report.longrepr, tuple):
        return short(report.longrepr[-1])
    return short(report.longreprtext)


class Reporter:
    """What pytest does, as it does it."""

    def __init__(self, host, job):
        self.host = host
        self.only = None if job["only"] is None else set(job["only"])
        self.timed_out = set()
        self.finished = 0

    def pytest_collection_finish(self, session):
        self.host.tell(
            "collected",
            tests=[
                {"key": item.nodeid, "markers": list(dict.fromkeys(m.name for m in item.iter_markers()))}
                for item in session.items
            ],
        )

    def pytest_collection_modifyitems(self, config, items):
        if self.only is not None:
            dropped = [item for item in items if item.nodeid not in self.only]
            items[:] = [item for item in items if item.nodeid in self.only]
            config.hook.pytest_deselected(items=dropped)

    def pytest_collectreport(self, report):
        if report.failed:
            self.host.tell("collect_error", key=report.nodeid, message=message_of(report))

    def pytest_exception_interact(self, node, call, report):
        value = getattr(call.excinfo, "value", None)
        if str(value).startswith("Timeout (>") and type(value).__name__ == "Failed":
            self.timed_out.add((report.nodeid, getattr(report, "when", None)))

    def pytest_runtest_logreport(self, report):
        self.host.tell(
            "phase",
            key=report.nodeid,
            when=report.when,
            outcome=report.outcome,
            expected_failure=hasattr(report, "wasxfail"),
            timed_out=(report.nodeid, report.when) in self.timed_out,
            duration_s=report.duration,
            message="" if report.passed else message_of(report),
        )

    def pytest_runtest_logfinish(self, nodeid, location):
        self.finished += 1
        self.host.tell("finished", key=nodeid)


def arguments(job):
    given = [
        job["tests"],
        "-c", job["config"],
        "--rootdir", job["tests"],
        "--confcutdir", job["tests"],
        "-p", "no:cacheprovider",
        "--color=no",
        "-q",
        "--tb=short",
        "--entrypoint=" + job["entrypoint"],
        "--checkpoint=" + job["checkpoint"],
    ]
    # Everything in this environment is ours or the problem's; each plugin is named.
    for entry in sorted(importlib.metadata.entry_points(group="pytest11"), key=lambda e: e.name):
        given += ["-p", entry.value.split(":")[0]]
    if job["timeout_s"] is not None:
        given += ["--timeout", str(job["timeout_s"])]
    if job["collect"]:
        given.append("--collect-only")
    return given


def main():
    hide()
    host = Host()
    with open(sys.argv[1], encoding="utf-8") as file:
        job = json.load(file)
    job["tests"], job["config"], job["entrypoint"] = sys.argv[2:5]
    guard(job["tests"])
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    import pytest

    before = hash_of(job["tests"])
    host.tell("start", python=sys.version.split()[0], pytest=pytest.__version__, tests_hash=before)
    reporter = Reporter(host, job)
    stalls = start_stalls(job["stalls"]) if job["stalls"] else None
    began = time.monotonic()
    try:
        status = int(pytest.main(arguments(job), plugins=[reporter]))
    finally:
        if stalls is not None:
            stop_stalls(stalls)
    host.tell(
        "end",
        status=status,
        finished=reporter.finished,
        duration_s=time.monotonic() - began,
        cpu_s=time.process_time(),
        tests_hash=hash_of(job["tests"]),
    )


if __name__ == "__main__":
    main()
