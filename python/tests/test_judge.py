"""Scores of code in this process, which are those of the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

import codeslope

import samples

TIDY = "RATES = {'letter': 2, 'parcel': 5}\n\n\ndef price(kind, weight):\n    return RATES[kind] * weight\n"
CHAIN = "".join(
    f"    {'if' if number == 0 else 'elif'} kind == '{kind}':\n        if weight > {number} and a:\n            return {number}\n"
    for number, kind in enumerate(["letter", "parcel", "crate", "tube", "bag", "pallet"])
)
SLOPPY = "".join(f"def {name}(kind, weight, a, b, c, d, e):\n{CHAIN}    return 0\n\n\n" for name in ("price", "cost"))


def test_scores_fall_with_sloppy_code() -> None:
    found = codeslope.judge_change({"app.py": TIDY}, {"app.py": SLOPPY})
    for name in ("verbosity", "erosion", "extensibility"):
        assert found["before"][name] > found["scores"][name]  # type: ignore[literal-required]
    assert found["scores"] == codeslope.judge({"app.py": SLOPPY})["scores"]
    assert {issue["path"] for issue in found["issues"]} == {"app.py"}
    assert codeslope.judge_change({"app.py": TIDY}, {"app.py": TIDY})["issues"] == []


def test_folders_and_texts_have_equal_scores(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(SLOPPY)
    folder = codeslope.judge(tmp_path, top=3)
    texts = codeslope.judge({"app.py": SLOPPY.encode()}, top=3)
    command = [samples.slope(), "judge", "--static", tmp_path, "--format", "json", "--top", "3", "--isolated"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    for other in (texts, json.loads(done.stdout)):
        assert {**other, "target": folder["target"]} == folder


def test_missing_scores_have_reasons(tmp_path: Path) -> None:
    found = codeslope.judge({"a.lua": "local x = 1\nprint(x)\n"})
    assert found["scores"]["erosion"] is None
    assert "lua" in found["missing"]["erosion"]
    assert codeslope.judge({"notes.txt": "hello"})["languages"] == []
    with pytest.raises(OSError, match="nowhere"):
        codeslope.judge(tmp_path / "nowhere")


def readme(word: str) -> str:
    """The first example of the README with a word."""
    text = (Path(__file__).parents[1] / "README.md").read_text()
    return next(code.split("```")[0] for code in text.split("```python\n")[1:] if word in code)


def run_example(folder: Path, example: str) -> str:
    (folder / "old.py").write_text(TIDY)
    (folder / "new.py").write_text(SLOPPY)
    command = [sys.executable, "-c", example]
    environment = {**os.environ, "KEY": "sk-of-the-test"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_example_of_readme_runs(tmp_path: Path) -> None:
    shown = run_example(tmp_path, readme("judge_change"))
    assert "warning: erosion got worse" in shown
    assert "app.py:1: " in shown


class Judge(BaseHTTPRequestHandler):
    """A server of a model that finds long code bad."""

    keys: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.keys.append(self.headers.get("x-api-key", ""))
        is_long = len(request["messages"][0]["content"].splitlines()) > 15
        score = 3 if is_long else 9
        issue = {"criterion": "long-function", "file": "F1", "start_line": 1, "end_line": 2, "message": "It is long."}
        answer = {
            "scores": {"verbosity": score, "erosion": score, "extensibility": score},
            "issues": [issue] if is_long else [],
        }
        text = "no JSON" if request["model"] == "prose" else json.dumps(answer)
        body = json.dumps(
            {
                "type": "message",
                "role": "assistant",
                "model": "served",
                "stop_reason": "end_turn",
                "content": [{"type": "text", "text": text}],
                "usage": {"input_tokens": 10, "output_tokens": 5},
            }
        ).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def upstream() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Judge)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_example_of_readme_asks_a_model(tmp_path: Path, upstream: str) -> None:
    of_model = readme("codeslope.Model(")
    lines = readme("judge_change").splitlines(keepends=True)
    example = "".join(of_model if line.startswith("found = ") else line for line in lines)
    shown = run_example(tmp_path, example.replace("https://api.example.com", upstream))
    for name in ("verbosity", "erosion", "extensibility"):
        assert f"{name}: 9.0 -> 3.0\nwarning: {name} got worse" in shown
    assert "app.py:1: It is long." in shown
    assert set(Judge.keys) == {"sk-of-the-test"}


def test_models_judge_next_to_measures(tmp_path: Path, upstream: str) -> None:
    model = codeslope.Model("m", upstream, repeats=1, cache=str(tmp_path))
    found = codeslope.judge({"app.py": TIDY}, model=model)
    assert found["judge"] == "model"
    assert found["scores"]["erosion"] == 9
    again = codeslope.judge({"app.py": TIDY}, model=model)
    assert again["model"]["from_cache"] > 0
    assert again["model"]["requests"] == 2
    assert again["model"]["static_scores"] == codeslope.judge({"app.py": TIDY})["scores"]


def test_models_without_answer_are_reported(upstream: str) -> None:
    with pytest.raises(OSError, match="no JSON object"):
        codeslope.judge({"app.py": TIDY}, model=codeslope.Model("prose", upstream))
    with pytest.raises(ValueError, match="messages or chat"):
        codeslope.judge({"app.py": TIDY}, model=codeslope.Model("m", upstream, dialect="smoke"))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="price"):
        codeslope.judge({"app.py": TIDY}, model=codeslope.Model("m", upstream, max_usd=1.0))
