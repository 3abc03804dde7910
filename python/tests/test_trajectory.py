"""Trajectories, their charts, and points on disk."""

from __future__ import annotations

import json
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import codeslope

import samples

BAD = "<script>alert(1)</script>\"'&\u202e\x00"


def scored(number: int, **fields: Any) -> Any:
    """A point with scores."""
    scores = {"verbosity": 9.0, "erosion": 9.0 - number, "extensibility": None}
    fields.setdefault("scores", [{"judge": "static", "scores": scores}])
    return samples.point(number, **fields)


def svg(html: str) -> ElementTree.Element:
    """The charts in HTML, which must be well-formed."""
    start, end = html.index("<svg"), html.index("</svg>") + len("</svg>")
    return ElementTree.fromstring(html[start:end])


def found(html: str, name: str) -> list[ElementTree.Element]:
    return list(svg(html).iter("{http://www.w3.org/2000/svg}" + name))


def test_values_are_in_order() -> None:
    trajectory = codeslope.Trajectory(scored(number) for number in range(3))
    assert trajectory.values("mass") == [0.0, 10.0, 20.0]
    assert trajectory.values("score.erosion") == [9.0, 8.0, 7.0]
    assert trajectory.values("score.extensibility") == [None, None, None], "what is missing is not zero"
    assert trajectory.values("dead-code") == [0, 0, 0]
    assert (len(trajectory), trajectory[1]["time"], len(trajectory[1:])) == (3, "2026-11-01T00:01:00Z", 2)
    assert "score.extensibility" not in trajectory.metrics and "mass" in trajectory.metrics
    with pytest.raises(KeyError, match="no point has `mas`: expected one of .*mass"):
        trajectory.values("mas")


def test_values_are_of_production_code() -> None:
    point = scored(1)
    tests = {**point["totals"], "mass": 3.0}
    parted = {**point, "parts": {"product": {**point["totals"], "mass": 7.0}, "tests": tests}}
    assert codeslope.Trajectory([parted]).values("mass") == [7.0]


def test_scores_are_those_of_the_first_judge() -> None:
    scores = [{"judge": judge, "scores": {"erosion": value}} for judge, value in (("model", 3.0), ("model", 4.0))]
    trajectory = codeslope.Trajectory([scored(1, scores=scores)])
    assert trajectory.values("model.erosion") == [3.0]
    with pytest.raises(KeyError):
        trajectory.values("score.erosion")


def test_dictionaries_have_the_same_keys() -> None:
    points = [scored(1), samples.point(2, author={"agent": "claude-code"}, commit={"id": "a" * 40})]
    first, second = codeslope.Trajectory(points).to_dicts()
    assert list(first) == list(second)
    assert (second["agent"], second["commit"], second["score.erosion"]) == ("claude-code", "a" * 40, None)
    assert (first["key"], first["mass"], first["agent"]) == ("iteration-1", 10.0, None)


def test_points_and_summaries_agree(tmp_path: Path) -> None:
    points = [scored(number, findings={"dead-code": 2}) for number in range(3)]
    with samples.tracking(tmp_path) as url:
        server = codeslope.Server(url)
        server.add_project("shop")
        server.push("shop", points)
        of_points = codeslope.Trajectory(server.points("shop", "main"))
        of_summaries = codeslope.Trajectory(server.summaries("shop", "main"))
    assert {"mass", "erosion", "score.erosion", "sloc"} <= set(of_summaries.metrics)
    for name in of_summaries.metrics:
        assert of_points.values(name) == of_summaries.values(name)
    assert [row["key"] for row in of_points.to_dicts()] == [row["key"] for row in of_summaries.to_dicts()]
    assert found(of_points._repr_html_(), "path")


def test_charts_show_points() -> None:
    html = codeslope.Trajectory([scored(number) for number in range(5)], title="shop")._repr_html_()
    assert html.startswith("<div><strong>shop</strong>: 5 points")
    said = [text.text for text in found(html, "text")]
    assert "erosion score" in said and "9 → 5 (higher is better)" in said
    assert "extensibility score" not in said, "no values, no chart"
    assert len(found(html, "polyline")) == 5
    assert "<td>iteration-4</td>" in html


def test_charts_break_where_values_do() -> None:
    points = [scored(number) for number in range(9)]
    points[4]["totals"]["erosion"] = None
    whole = codeslope.Trajectory([scored(number) for number in range(9)])._repr_html_()
    broken = codeslope.Trajectory(points)._repr_html_()
    assert len(found(broken, "polyline")) == len(found(whole, "polyline")) + 1
    assert "dashed" not in broken
    for point in points[6:]:
        point["definitions"] = "other"
    html = codeslope.Trajectory(points)._repr_html_()
    assert "on both sides of a dashed line cannot be compared" in html
    assert "stroke-dasharray" in html


def test_authors_differ_in_shape() -> None:
    points = [scored(number, author={"agent": f"agent-{number}"}) for number in range(9)]
    html = codeslope.Trajectory(points)._repr_html_()
    marks = [path.attrib["d"] for path in found(html, "path") if "translate" in path.attrib.get("transform", "")]
    assert len(set(marks)) == 6
    assert any(text.text == "agent-5 and others" for text in found(html, "text"))


def test_names_are_escaped() -> None:
    author = {"agent": BAD, "model": BAD, "person": BAD}
    commit = {"id": BAD, "subject": BAD}
    points = [{**scored(number), "author": author, "commit": commit, "iteration": None} for number in range(3)]
    html = codeslope.Trajectory(points, title=BAD)._repr_html_()
    svg(html)
    assert "<script" not in html and "\u202e" not in html and "\x00" not in html
    tags: set[str] = set()
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attributes: tags.add(tag)  # type: ignore[method-assign]
    parser.feed(html)
    assert tags <= {"div", "strong", "svg", "g", "text", "path", "polyline", "title"} | {
        "details", "summary", "table", "tr", "th", "td"
    }  # fmt: skip
    assert "http" not in html.replace("http://www.w3.org/2000/svg", ""), "nothing comes from a network"


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_points_are_shown(count: int) -> None:
    html = codeslope.Trajectory([scored(number) for number in range(count)])._repr_html_()
    assert ("No values to show" in html) == (count == 0)
    if count:
        svg(html)


def test_odd_values_are_shown() -> None:
    for value in (0, -5.0, 1e300, 1e-300, float("nan"), float("inf"), "text", None):
        points = [scored(1), scored(2)]
        points[1]["totals"]["mass"] = value
        html = codeslope.Trajectory(points)._repr_html_()
        svg(html)
        assert "nan" not in html and "inf" not in html


def test_long_series_stay_small() -> None:
    points = [scored(number) for number in range(5_000)]
    for point in points[::2]:
        point["totals"]["erosion"] = None
    html = codeslope.Trajectory(points)._repr_html_()
    svg(html)
    assert len(html) < 400_000


def write(folder: Path, name: str, point: Any) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(point))


def test_points_are_read_from_projects(tmp_path: Path) -> None:
    folder = tmp_path / ".slope/track/main"
    for number in (10, 2, 1):
        write(folder, f"iteration-{number}", scored(number))
    write(tmp_path / ".slope/track/pushed", "server", {})
    for place in (tmp_path, str(tmp_path), folder):
        trajectory = codeslope.track(place)
        assert [point.get("iteration") for point in trajectory] == [1, 2, 10]
        assert repr(trajectory) == "<codeslope.Trajectory 'main', 3 points>"
    write(tmp_path / ".slope/track/agent", "iteration-7", scored(7))
    assert len(codeslope.track(tmp_path)) == 3, "main is the usual series"
    assert codeslope.track(tmp_path, series="agent")[0].get("iteration") == 7
    with pytest.raises(ValueError, match="no series 'x': expected one of agent, main\nhelp: "):
        codeslope.track(tmp_path, series="x")


def test_points_of_slope_track_are_read(tmp_path: Path) -> None:
    project, data = tmp_path / "shop", tmp_path / "data"
    project.mkdir()
    samples.write_base(project)

    def command(*arguments: str) -> str:
        line = [samples.slope(), "track", *arguments]
        return subprocess.run(line, cwd=project, check=True, capture_output=True, text=True, timeout=120).stdout

    command("add", "--iteration", "2", "--agent", "claude-code")
    (project / "app.py").write_text(samples.COPIED)
    command("add", "--iteration", "10")
    trajectory = codeslope.track(project)
    assert list(trajectory) == json.loads(command("plot", "--format", "json"))["points"]
    erosion = trajectory.values("erosion")
    clones = trajectory.values("clone_lines")
    assert None not in erosion and clones[0] == 0 and (clones[1] or 0) > 0
    assert [row["agent"] for row in trajectory.to_dicts()][0] == "claude-code"
    assert "score.erosion" in trajectory.metrics
    with samples.tracking(data) as url:
        server = codeslope.Server(url)
        server.add_project("shop")
        assert [added["outcome"] for added in server.push("shop", list(trajectory))] == ["stored", "stored"]
        assert list(server.points("shop", "main")) == list(trajectory)


def test_clocks_do_not_reverse_iterations(tmp_path: Path) -> None:
    times = {1: "2026-11-02T00:00:00Z", 2: "2026-11-01T00:00:00Z", 3: "2026-11-04T00:00:00Z"}
    for number, time in times.items():
        write(tmp_path, f"iteration-{number}", {**scored(number), "time": time})
    late = {**scored(0), "iteration": None, "time": "2026-11-03T00:00:00Z"}
    write(tmp_path, "time-2026-11-03T000000Z", late)
    assert [point.get("iteration") for point in codeslope.track(tmp_path)] == [None, 1, 2, 3]


def test_damaged_points_are_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="has no points\nhelp: "):
        codeslope.track(tmp_path)
    for text in ("<<<<<<< HEAD", "[]", '{"schema": "slope.point/2"}', "\udcff"):
        (tmp_path / "iteration-1.json").write_bytes(text.encode(errors="surrogateescape"))
        with pytest.raises(ValueError, match=r"iteration-1\.json: .*\nhelp: "):
            codeslope.track(tmp_path)
