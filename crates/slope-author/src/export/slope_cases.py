"""Carries out declarative cases under pytest: Python's standard library, and jsonschema where a case has a schema.

A case is an object as `slope problem export` wrote it; what its keys mean is in slope's docs/problems.md.
"""

import base64
import collections
import functools
import http.client
import itertools
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

from slope_expect import Wrong, file, filled_request, filled_step, filled_texts, only, parsed, same_kind, text

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
REFERENCE_S = 0.15
PORTS = itertools.cycle(range(20_000, 30_000))


def parameters(cases):
    """The cases of a checkpoint for pytest.mark.parametrize, each marked with its group; core has no mark."""
    marks = {"error": [pytest.mark.error], "functionality": [pytest.mark.functionality]}
    return [pytest.param(case, id=case["id"], marks=marks.get(case["group"], [])) for case in cases]


def carry_out(suite, case, argv, folder):
    """Carries out a case; a failed assertion tells what is not as expected."""
    limit = (case.get("timeout_s") or suite["timeout_s"]) * stretch(suite)
    try:
        if not case.get("generate"):
            return once(suite, case, argv, folder / "case", limit, None)
        for seed in seeds(case["generate"]):
            printed = ask(case["generate"]["program"], [str(seed)], "", limit)
            made = {"steps": [], "files": {}, "bytes": {}, **printed}
            one = {**case, **{key: made[key] for key in ("steps", "files", "bytes")}}
            if not any(asks_service(step) for step in one["steps"]):
                one["service"] = None
            try:
                once(suite, one, argv, folder / f"seed_{seed}", limit, (seed, printed))
            except Wrong as why:
                raise Wrong(f"seed {seed}: {why}") from None
    except Wrong as why:
        pytest.fail(str(why), pytrace=False)


def seeds(generate):
    return generate.get("seeds") or range(generate.get("count") or 0)


def once(suite, case, argv, folder, limit, made):
    folder.mkdir()
    play = Play(suite, case, argv, folder, limit)
    try:
        play.perform(case.get("steps") or [])
    finally:
        play.close()
    if case.get("check"):
        judge(case["check"], play, folder, limit, made)


def stretch(suite):
    """How much longer limits are here: as much as starting Python takes longer than on the machine they are meant for."""
    return min(8.0, max(1.0, seconds_to_start() / (suite.get("reference_s") or REFERENCE_S)))


@functools.lru_cache(maxsize=None)
def seconds_to_start():
    """What starting Python takes here: the shortest of three times."""
    return min(timed_start() for _ in range(3))


def timed_start():
    begun = time.monotonic()
    subprocess.run([sys.executable, "-S", "-c", ""], check=True)
    return time.monotonic() - begun


# Programs of the suite

def ask(program, args, stdin, limit):
    """What a program of the suite prints, as JSON."""
    command = [sys.executable, "-s", "-B", str(PROGRAMS / program), *args]
    env = {"LANG": "C.UTF-8", "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, input=stdin.encode(), capture_output=True, cwd="/", env=env, timeout=limit)
    assert done.returncode == 0, f"{program} of the suite failed: {done.stderr.decode(errors='replace')[-2000:]}"
    return json.loads(done.stdout)


def judge(check, play, folder, limit, made):
    def content(path):
        found = folder / path
        return found.read_bytes().decode(errors="replace") if is_file(found) else None
    seed, printed = made or (None, None)
    told = {"seed": seed, "input": printed, "runs": play.runs, "responses": [shown_response(response) for response in play.responses],
            "files": {path: content(path) for path in check.get("files") or []}}
    said = ask(check["program"], [], json.dumps(told), limit)
    if not said["ok"]:
        raise Wrong(said.get("why", ""))


def shown_response(response):
    return {key: response[key] for key in ("status", "headers", "body")}


# Steps

ACTIONS = ("request", "together", "stop", "start", "restart")


def asks_service(step):
    return any(step.get(action) is not None for action in ACTIONS)


def lays_only(step):
    lays = step.get("write") or step.get("bytes") or step.get("remove")
    expect = step.get("expect") or {}
    says = step.get("args") or step.get("stdin") is not None or step.get("env")
    return bool(lays) and not says and not any(value not in (None, {}, []) for value in expect.values())


class Play:
    """One case being carried out in a folder of its own."""

    def __init__(self, suite, case, argv, folder, limit):
        self.argv, self.folder, self.limit = argv, folder, limit
        self.stretch = stretch(suite)
        needed = case.get("service") or any(asks_service(step) for step in case.get("steps") or [])
        self.service = dict(case.get("service") or suite.get("service") or {}) if needed else None
        self.process = self.port = None
        self.values, self.runs, self.responses = {}, [], []
        self.lay(case.get("files") or {}, case.get("bytes") or {})

    def perform(self, steps):
        if self.service is not None:
            self.start()
        for number, step in enumerate(steps, 1):
            try:
                self.step(step)
            except Wrong as why:
                raise Wrong(f"step {number}: {why}" if len(steps) > 1 else str(why)) from None

    def step(self, step):
        if self.service is not None:
            step = filled_step(step, self.values)
        for path in step.get("remove") or []:
            remove(self.folder / path)
        self.lay(step.get("write") or {}, step.get("bytes") or {})
        actions = {"request": self.request, "together": self.together, "stop": self.stop,
                   "start": self.start_anew, "restart": self.restart}
        wanted = next((name for name in ACTIONS if step.get(name) is not None), None)
        if wanted:
            actions[wanted](step[wanted])
        elif not lays_only(step):
            self.run(step)

    def lay(self, texts, contents):
        for path, text in texts.items():
            self.write(path, text.encode())
        for path, text in contents.items():
            self.write(path, base64.b64decode(text))

    def write(self, path, content):
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.is_symlink() or place.is_dir():
            remove(place)
        place.write_bytes(content)

    def run(self, step):
        process = self.popen(step.get("args") or [], step.get("env") or {})
        try:
            out, err = process.communicate((step.get("stdin") or "").encode(), timeout=self.limit)
        except subprocess.TimeoutExpired:
            raise Wrong(f"no end within {self.limit} s") from None
        finally:
            end(process)
        self.ended(step.get("expect") or {}, process.returncode, out, err, any_exit=False)

    def popen(self, args, env, **streams):
        streams = streams or {name: subprocess.PIPE for name in ("stdin", "stdout", "stderr")}
        return subprocess.Popen([*self.argv, *args], cwd=self.folder, env={**os.environ, **env},
                                start_new_session=True, **streams)

    def ended(self, expect, code, out, err, any_exit):
        shown = [stream.decode(errors="replace") for stream in (out, err)]
        self.runs.append({"exit": code if code >= 0 else None, "stdout": shown[0], "stderr": shown[1]})
        wanted = expect.get("exit")
        if wanted is not None or not any_exit:
            if code != (wanted or 0):
                raise Wrong(f"exit code: expected {wanted or 0}, got {code}; {shown[1][-500:]}")
        for name, got in (("stdout", out), ("stderr", err)):
            if expect.get(name) is not None:
                text(name, expect[name], got)
        for path, wanted in (expect.get("files") or {}).items():
            file(path, wanted, self.folder / path)

    # The service

    def start(self):
        if self.process:
            raise Wrong("the service runs already; stop it first")
        self.port = self.values["port"] = free_port()
        args = filled_texts(self.service.get("args") or [], self.values)
        env = filled_texts(self.service.get("env") or {}, self.values)
        # Pipes that nobody reads would stop a service that says much.
        self.logs = [open(self.folder.with_name(f"{self.folder.name}.{name}"), "w+b") for name in ("out", "err")]
        self.process = self.popen(args, env, stdin=subprocess.DEVNULL, stdout=self.logs[0], stderr=self.logs[1])
        ready = self.service.get("ready") or {}
        limit = (ready.get("within_s") or 10.0) * self.stretch
        last = time.monotonic() + limit
        while not self.is_ready(ready):
            self.alive("it was ready")
            if time.monotonic() > last:
                raise Wrong(f"the service was not ready within {limit} s; {self.said()}")
            time.sleep(0.01)

    def start_anew(self, start):
        self.service.update({key: start[key] for key in ("args", "env") if start.get(key) is not None})
        self.start()

    def restart(self, stop):
        self.stop(stop)
        self.start()

    def is_ready(self, ready):
        try:
            if ready.get("path") is None:
                socket.create_connection(("127.0.0.1", self.port), 1.0).close()
                return True
            answer = send(self.port, {"send": "GET " + ready["path"]}, 1.0)
        except (OSError, http.client.HTTPException):
            return False
        return ready.get("status") in (None, answer["status"])

    def said(self):
        self.logs[1].seek(0)
        return self.logs[1].read().decode(errors="replace")[-500:]

    def alive(self, what):
        if self.process is None:
            raise Wrong("the service does not run; start it first")
        if self.process.poll() is not None:
            raise Wrong(f"the service ended with {self.process.returncode} before {what}; {self.said()}")

    def stop(self, stop):
        self.alive("it was stopped")
        process, self.process = self.process, None
        kill = stop.get("by") == "kill"
        process.send_signal(signal.SIGKILL if kill else signal.SIGTERM)
        try:
            process.wait(self.limit)
        except subprocess.TimeoutExpired:
            raise Wrong(f"the service had not ended {self.limit} s after SIGTERM") from None
        finally:
            end(process)
        streams = []
        for log in self.logs:
            log.seek(0)
            streams.append(log.read())
        self.ended(stop.get("expect") or {}, process.returncode, *streams, any_exit=True)

    def close(self):
        if self.process:
            end(self.process)

    def answer(self, request):
        try:
            return send(self.port, request, self.limit)
        except (OSError, http.client.HTTPException) as why:
            return Wrong(f"{request['send']}: no valid answer: {why!r}")

    def request(self, request):
        self.alive("it was asked")
        response = self.answer(request)
        if isinstance(response, Wrong):
            raise response
        self.responses.append(response)
        try:
            respond(request.get("expect") or {}, response, any_status=False)
            for name, what in (request.get("capture") or {}).items():
                self.values[name] = captured(what, response)
        except Wrong as why:
            raise Wrong(f"{request['send']}: {why}") from None

    def together(self, together):
        self.alive("it was asked")
        requests = [filled_request(request, {**self.values, "n": number})
                    for number in range(together.get("repeat", 1)) for request in together["requests"]]
        responses, gate = [None] * len(requests), threading.Barrier(len(requests))

        def one(index):
            gate.wait()
            responses[index] = self.answer(requests[index])
        threads = [threading.Thread(target=one, args=(index,)) for index in range(len(requests))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for response in responses:
            if isinstance(response, Wrong):
                raise response
        expect = together.get("expect") or {}
        settled = expect.get("statuses") is not None or bool(expect.get("counts"))
        for request, response in zip(requests, responses):
            respond(request.get("expect") or {}, response, any_status=settled)
        self.responses += responses
        as_a_whole(expect, responses)


def end(process):
    """Ends a program and all that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            stream.close()


def free_port():
    for port in itertools.islice(PORTS, 10_000):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise Wrong("no port is free")


def remove(place):
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)


# Requests

def send(port, request, limit):
    method, path = request["send"].split(" ", 1)
    headers = dict(request.get("headers") or {})
    body = b"" if method in ("POST", "PUT", "PATCH") else None
    if request.get("json") is not None:
        body = json.dumps(request["json"], ensure_ascii=False).encode()
        if "content-type" not in map(str.lower, headers):
            headers["content-type"] = "application/json"
    elif request.get("text") is not None:
        body = request["text"].encode()
    elif request.get("base64") is not None:
        body = base64.b64decode(request["base64"])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=limit)
    try:
        connection.putrequest(method, path, skip_accept_encoding=True)
        if body is not None and "content-length" not in map(str.lower, headers):
            headers["content-length"] = str(len(body))
        for name, value in headers.items():
            connection.putheader(name, value.encode())
        connection.endheaders(body)
        answer = connection.getresponse()
        joined = {}
        for name, value in answer.getheaders():
            joined.setdefault(name.lower(), []).append(value)
        content = answer.read()
    finally:
        connection.close()
    return {"status": answer.status, "headers": {name: ", ".join(values) for name, values in joined.items()},
            "body": content.decode(errors="replace"), "content": content}


def respond(expect, response, any_status):
    check_status(expect.get("status"), response, any_status)
    headers = response["headers"]
    for name, expected in (expect.get("headers") or {}).items():
        if name.lower() not in headers:
            raise Wrong(f"header {name}: expected, but not there")
        text(f"header {name}", expected, headers[name.lower()].encode())
    for name in expect.get("no_headers") or []:
        if name.lower() in headers:
            raise Wrong(f"header {name}: expected none, there is one")
    if expect.get("body") is not None:
        text("body", expect["body"], response["content"])


def check_status(wanted, response, any_status):
    status = response["status"]
    fine = status == wanted if wanted is not None else any_status or 200 <= status < 300
    if not fine:
        raise Wrong(f"status: expected {wanted or '200 to 299'}, got {status} (body: {response['body'][:300]})")


def captured(what, response):
    if what.startswith("header:"):
        name = what[len("header:"):].strip().lower()
        if name not in response["headers"]:
            raise Wrong(f"header {name}: expected, but not there")
        return response["headers"][name]
    return only(what, parsed(response["body"]))[1]


def as_a_whole(expect, responses):
    if expect.get("statuses") is not None:
        got = collections.Counter(str(response["status"]) for response in responses)
        wanted = {str(status): count for status, count in expect["statuses"].items() if count}
        if got != wanted:
            raise Wrong(f"statuses: expected {wanted}, got {dict(got)}")
    for kind in expect.get("counts") or []:
        fitting = sum(fits(kind["expect"], response) for response in responses)
        if fitting != kind["count"]:
            raise Wrong(f"{fitting} of {len(responses)} responses are as expected, not {kind['count']}")
    for path in expect.get("distinct") or []:
        all_different(path, [response for response in responses if 200 <= response["status"] < 300])


def all_different(path, responses):
    values = [only(path, parsed(response["body"]))[1] for response in responses]
    for one, other in itertools.combinations(values, 2):
        if same_kind(one, other) and one == other:
            raise Wrong(f"{path} is {one!r} in more than one response")


def fits(expect, response):
    try:
        respond(expect, response, any_status=True)
    except Wrong:
        return False
    return True
