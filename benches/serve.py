#!/usr/bin/env python3
"""Fills a server of `slope serve`, and checks that its pages are quick and small and that its memory stays steady.

    benches/serve.py target/release/slope
    benches/serve.py target/release/slope --database postgres://postgres@127.0.0.1:5432/slope

The database must be empty. Prints the time until the first byte of the home page, the sizes of pages, the answers to
many clients at once, and the memory of the server. Exit code 1 if the home page takes longer than its goal, a page is
larger than its goal, an answer is an error of the server, or the memory grows by more than a quarter.
"""

import sys

# The folder of this script has a file with the name of a module.
sys.path.pop(0)

import argparse
import asyncio
import collections
import datetime
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

HOME_S = 0.3
PAGE_BYTES = 500_000
GROWTH = 1.25
BATCH = 500
# The totals of a measurement, which points change.
TOTALS = {}


def now():
    return datetime.datetime.now(datetime.timezone.utc)


def point(iteration, points):
    """A point of an hourly series, the last one of this hour. Each tenth is worse."""
    at = now() - datetime.timedelta(hours=max(0, points - iteration))
    mass = 1000 + iteration // 10 * 3
    totals = TOTALS | {
        "sloc": 9000 + iteration, "mass": mass, "high_complexity_mass": mass / 3, "erosion": 1 / 3,
        "clone_lines": iteration // 7, "flagged_lines": iteration // 9,
    }
    return {
        "schema": "slope.point/1", "series": "main", "time": at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "iteration": iteration, "origin": "ci", "tree": "0" * 64, "engine": "slope", "definitions": "d",
        "author": {"agent": ["claude-code", "codex", "aider"][iteration % 3]}, "totals": totals,
    }


class Client:
    """One connection, which is opened again when it breaks."""

    def __init__(self, port):
        self.port = port
        self.stream = None

    async def ask(self, method, path, body=None):
        """The status, the size and the seconds until the first byte."""
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(data)}\r\n"
        head += "Content-Type: application/json\r\n\r\n"
        if self.stream is None:
            self.stream = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 24)
        reader, writer = self.stream
        start = time.monotonic()
        writer.write(head.encode() + data)
        await writer.drain()
        answer = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        first = time.monotonic() - start
        status = int(answer.split(" ", 2)[1])
        lengths = [line for line in answer.split("\r\n") if line.startswith("content-length:")]
        if lengths:
            size = int(lengths[0].split(":")[1])
            self.body = await reader.readexactly(size)
        else:
            size = 0
            while True:
                part = int((await reader.readline()).strip() or b"0", 16)
                await reader.readexactly(part + 2)
                size += part
                if part == 0:
                    break
        return status, size, first


def memory(pid):
    """Resident bytes of a process and its children."""
    total = 0
    for one in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            status = (one / "status").read_text()
            parent = int(status.split("PPid:")[1].split()[0])
            if int(one.name) == pid or parent == pid:
                total += int(status.split("VmRSS:")[1].split()[0]) * 1024
        except (OSError, IndexError):
            pass
    return total


async def fill(port, projects, points):
    client = Client(port)
    start = time.monotonic()
    for project in range(projects):
        status, *_ = await client.ask("POST", "/api/v1/projects", {"name": f"p{project}"})
        assert status == 201, client.body
        for first in range(0, points, BATCH):
            batch = [point(at, points) for at in range(first, min(first + BATCH, points))]
            path = f"/api/v1/projects/p{project}/points"
            status, *_ = await client.ask("POST", path, {"points": batch})
            assert status == 200, client.body[:500]
    print(f"{projects} projects with {points} points each: filled in {time.monotonic() - start:.0f} s")


async def first_bytes(port, points):
    """Asks for each kind of page, and returns what misses its goal."""
    client = Client(port)
    missed = []
    paths = ["/", "/?days=365", "/projects/p0/main", f"/projects/p0/main/iteration-{points - 1}", "/runs"]
    for path in paths:
        asked = [await client.ask("GET", path) for _ in range(10)]
        seconds = [first for _, _, first in asked]
        size = asked[0][1]
        print(f"{path}: first byte after {statistics.median(seconds) * 1000:.0f} ms in the median,"
              f" at most {max(seconds) * 1000:.0f} ms; {size / 1000:.0f} KB")
        if asked[0][0] != 200:
            missed.append(f"{path} has status {asked[0][0]}")
        if path == "/" and statistics.median(seconds) > HOME_S:
            missed.append("the home page is slow")
        if size > PAGE_BYTES:
            missed.append(f"{path} is large")
    return missed


async def load(port, pid, arguments):
    """Many clients at once. Returns what misses its goal."""
    until = time.monotonic() + arguments.seconds
    answers = collections.Counter()
    reasons = collections.Counter()
    times = []

    async def visit(number):
        client = Client(port)
        project = number % arguments.projects
        turn = 0
        while time.monotonic() < until:
            turn += 1
            new = point(arguments.points + number * 1_000_000 + turn, arguments.points)
            asked = [
                ("GET", "/", None), ("GET", f"/projects/p{project}/main", None),
                ("GET", f"/api/v1/projects/p{project}/series/main/points?limit=20", None),
                ("POST", f"/api/v1/projects/p{project}/points", {"points": [new]}),
                ("POST", "/api/v1/measure", {"files": {"a.py": "def f(x):\n    return x\n"}}),
            ][(number + turn) % 5]
            try:
                status, _, first = await client.ask(*asked)
                answers[status] += 1
                if status >= 400:
                    reasons[f"{status} {json.loads(client.body).get('detail')}"] += 1
                times.append(first)
            except (OSError, asyncio.IncompleteReadError):
                answers["broken"] += 1
                client.stream = None

    async def watch():
        seen = []
        while time.monotonic() < until:
            seen.append(memory(pid))
            await asyncio.sleep(1)
        return seen

    visits = [visit(number) for number in range(arguments.clients)]
    seen, *_ = await asyncio.gather(watch(), *visits)
    times.sort()
    middle, end = max(seen[len(seen) // 3:len(seen) * 2 // 3]), max(seen[-len(seen) // 3:])
    print(f"{arguments.clients} clients for {arguments.seconds} s: {sum(answers.values())} answers"
          f" ({', '.join(f'{count} × {status}' for status, count in sorted(answers.items(), key=str))}),"
          f" {times[len(times) // 2] * 1000:.0f} ms in the median, {times[len(times) * 99 // 100] * 1000:.0f} ms at the 99th percentile")
    print(f"memory with workers: {seen[0] >> 20} MiB at the start, at most {middle >> 20} MiB in the middle third"
          f" and {end >> 20} MiB in the last one")
    for reason, count in reasons.most_common():
        print(f"{count} × {reason}")
    missed = [f"{count} answers have status {status}" for status, count in answers.items() if status == "broken" or status >= 500]
    if end > middle * GROWTH:
        missed.append("the memory grows")
    return missed


async def check(port, pid, arguments):
    await fill(port, arguments.projects, arguments.points)
    missed = await first_bytes(port, arguments.points)
    missed += await load(port, pid, arguments)
    await asyncio.sleep(5)
    print(f"memory afterwards: {memory(pid) >> 20} MiB")
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("slope")
    parser.add_argument("--database")
    parser.add_argument("--projects", type=int, default=100)
    parser.add_argument("--points", type=int, default=5000)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=60)
    arguments = parser.parse_args()
    own = str(pathlib.Path(__file__).parent)
    measured = subprocess.run([arguments.slope, "measure", own, "--format", "json"], stdout=subprocess.PIPE, check=True)
    TOTALS.update(json.loads(measured.stdout)["totals"])
    with tempfile.TemporaryDirectory() as folder:
        command = [os.path.abspath(arguments.slope), "serve", "--listen", "127.0.0.1:0", "--data", folder]
        if arguments.database:
            command += ["--database", arguments.database]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            said = server.stderr.readline()
            missed = asyncio.run(check(int(said.rsplit(":", 1)[1]), server.pid, arguments))
        finally:
            server.terminate()
            server.wait()
    for one in missed:
        print(f"missed: {one}", file=sys.stderr)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
