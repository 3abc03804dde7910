#!/usr/bin/env python3
"""Sends many edits to `slope grade serve` at the same time, and checks that each is answered once.

    benches/flood.py target/release/slope --requests 16000
    benches/flood.py target/release/slope --base django-5.2.19 --edits requests.jsonl

It starts a server of a small base or a given one, opens one connection for each edit, and prints how many answers
came, how long they took, and the CPU time of the server since it had the base, and its peak memory. It stops by itself.
"""

import sys

# This folder has a `concurrent.py`, which is also the name of a module of Python that asyncio needs.
sys.path.pop(0)

import argparse
import asyncio
import json
import os
import re
import resource
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

BASE = """\
def scale(values, factor):
    result = []
    for value in values:
        if value is None:
            continue
        result.append(value * factor)
    return result


def total(values):
    return sum(scale(values, 1))
"""


def request(number):
    """An edit of the small base that no other request has."""
    code = f"from app import total\n\n\ndef made_{number}(values):\n    return total(values) + {number}\n"
    change = {"kind": "files", "data": {"made.py": code}}
    return json.dumps({"id": f"r{number}", "change": change, "tests": {"passed": 1, "failed": 0}}).encode()


def cpu_of(process):
    """CPU time of a process in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def ask(address, body, found):
    host, port = address
    reader, writer = await asyncio.open_connection(host, port)
    head = f"POST /v1/score HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)
    await writer.drain()
    answer = await reader.read()
    writer.close()
    code = answer.split(b" ", 2)[1].decode()
    grade = json.loads(answer.partition(b"\r\n\r\n")[2])
    found[code, grade.get("id", ""), grade.get("status", "")] += 1


async def flood(address, bodies):
    found = Counter()
    start = time.monotonic()
    await asyncio.gather(*(ask(address, body, found) for body in bodies))
    return found, time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("slope", help="the program")
    parser.add_argument("--requests", type=int, default=16_000)
    parser.add_argument("--base", help="a base instead of the small one, with --edits")
    parser.add_argument("--edits", help="JSON lines with requests, each with its own id")
    args = parser.parse_args()
    if args.edits:
        bodies = Path(args.edits).read_bytes().splitlines()
    else:
        bodies = [request(number) for number in range(args.requests)]
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "app.py").write_text(BASE)
        base = args.base or folder
        command = [args.slope, "grade", "serve", "--base", base, "--listen", "127.0.0.1:0"]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        address = re.search(r"http://([\d.]+):(\d+)", server.stderr.readline())
        server.stderr.readline()
        before = cpu_of(server.pid)
        found, took = asyncio.run(flood((address[1], int(address[2])), bodies))
        cpu = cpu_of(server.pid) - before
        status = Path(f"/proc/{server.pid}/status").read_text()
        server.terminate()
        server.wait()
    peak = int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024
    once = sum(1 for count in found.values() if count == 1)
    grades = {"ok", "partial", "refused"}
    good = sum(count for (code, _, state), count in found.items() if code == "200" and state in grades)
    count = len(bodies)
    print(f"{count} requests at the same time, {sum(found.values())} answers, {once} once, {good} with a grade")
    print(f"{took:.1f} s, {count / took:.0f} per second, {count / cpu:.0f} per CPU second of the server")
    print(f"peak memory of the server {peak:.0f} MB")
    raise SystemExit(0 if good == once == count else 1)


if __name__ == "__main__":
    main()
