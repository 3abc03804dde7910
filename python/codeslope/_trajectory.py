"""Points in their order, which show themselves as charts in a notebook."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Union, cast, overload

from codeslope._server_types import Point, Summary

#: Folder of the points below a project.
FOLDER = Path(".slope/track")
#: Folder next to the series, with notes about servers.
PUSHED = "pushed"
SCHEMA = "slope.point/1"
#: Prefix of a score's name by its judge.
JUDGES = {"static": "score", "model": "model"}

AnyPoint = Union[Point, Summary]


class Trajectory(Sequence[AnyPoint]):
    """Points of a series in their order, from `Server.points`, `Server.summaries` or `track`.

    In a notebook it shows itself as charts. Values are those of production code, if the points separate tests.
    """

    def __init__(self, points: Iterable[AnyPoint], *, title: str = "") -> None:
        self.points = list(points)
        self.title = title
        self._values = [_values(point) for point in self.points]

    def __len__(self) -> int:
        return len(self.points)

    @overload
    def __getitem__(self, at: int) -> AnyPoint: ...

    @overload
    def __getitem__(self, at: slice) -> Trajectory: ...

    def __getitem__(self, at: int | slice) -> AnyPoint | Trajectory:
        if isinstance(at, slice):
            return Trajectory(self.points[at], title=self.title)
        return self.points[at]

    def __iter__(self) -> Iterator[AnyPoint]:
        return iter(self.points)

    def __repr__(self) -> str:
        title = f" {self.title!r}" if self.title else ""
        return f"<codeslope.Trajectory{title}, {len(self)} points>"

    @property
    def metrics(self) -> list[str]:
        """Names of metrics and scores that some point has a value for, sorted."""
        return sorted({name for values in self._values for name, value in values.items() if value is not None})

    def values(self, metric: str) -> list[float | None]:
        """The values of a metric, one for each point. A value that is missing is None.

        `metric` is the name of a metric, for example `erosion`, or of a score: `score.erosion` of the static judge,
        `model.erosion` of a model. A name that no point knows raises `KeyError`.
        """
        name = metric.replace("-", "_")
        if self.points and not any(name in values for values in self._values):
            raise KeyError(f"no point has `{metric}`: expected one of {', '.join(self.metrics)}")
        return [values.get(name) for values in self._values]

    def to_dicts(self) -> list[dict[str, Any]]:
        """A flat dictionary for each point with the same keys in all, for example for a data frame."""
        names = self.metrics
        return [_described(point) | {name: values.get(name) for name in names} for point, values in self._both()]

    def _both(self) -> Iterator[tuple[AnyPoint, dict[str, float | None]]]:
        return zip(self.points, self._values, strict=True)

    def _repr_html_(self) -> str:
        from codeslope._plot import page

        return page(self)


def track(path: str | os.PathLike[str] = ".", *, series: str | None = None) -> Trajectory:
    """The points that `slope track` keeps in a project, or in a folder of one series.

    `series` may be left out if there is only one, or one with the name `main`.
    """
    path = Path(path)
    top = path / FOLDER
    folder = top / _series_of(top, series) if top.is_dir() else path
    files = sorted(file for file in folder.glob("*.json") if not file.name.startswith("."))
    if not files:
        raise ValueError(f"{folder} has no points\nhelp: name a project with {FOLDER}; `slope track add` adds a point")
    return Trajectory(in_order([_read(file) for file in files]), title=folder.name)


def _series_of(top: Path, series: str | None) -> str:
    """The series to read, if its name is left out."""
    names = sorted(folder.name for folder in top.iterdir() if folder.is_dir() and folder.name != PUSHED)
    if series is None and "main" in names:
        return "main"
    if series is None and len(names) == 1:
        return names[0]
    if series is None or series not in names:
        known = ", ".join(names) or "none"
        raise ValueError(f"{top}: no series {series!r}: expected one of {known}\nhelp: give its name as `series`")
    return series


def _read(file: Path) -> Point:
    """The point in a file."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{file}: {error}\nhelp: restore the file, or remove it and add the point again") from None
    schema = found.get("schema") if isinstance(found, dict) else None
    if schema != SCHEMA:
        raise ValueError(f"{file}: its format is {schema!r}, and this codeslope knows {SCHEMA}\nhelp: update codeslope")
    return cast(Point, found)


def in_order(points: Sequence[Point]) -> list[Point]:
    """Points in the order of `slope track` and servers: by iteration, then by time, then by key.

    Points without an iteration come first. So a clock that went back does not change the order of iterations.
    """

    def place(point: Point) -> tuple[int, str, str]:
        number = _iteration(point)
        return -1 if number is None else number, point["time"], key_of(point)

    return sorted(points, key=place)


def _iteration(point: AnyPoint) -> int | None:
    return point.get("iteration")


def key_of(point: AnyPoint) -> str:
    """What makes a point unique in its series."""
    if "values" in point:
        return cast(Summary, point)["key"]
    commit = point.get("commit")
    if (number := _iteration(point)) is not None:
        return f"iteration-{number}"
    return f"commit-{commit['id']}" if commit else f"time-{point['time']}"


def _values(point: AnyPoint) -> dict[str, float | None]:
    """The values of a point by metric and score."""
    found = cast("Mapping[str, Any]", point)
    if "values" in found:
        return {name: _number(value) for name, value in found["values"].items()}
    totals = (found.get("parts") or {}).get("product") or found["totals"]
    values: dict[str, float | None] = {
        name: _number(value) for name, value in totals.items() if name != "missing"
    }
    # Categories without a finding are not listed.
    values["dead_code"] = (found.get("findings") or {}).get("dead-code", 0)
    for entry in reversed(found.get("scores") or []):
        values |= {f"{JUDGES[entry['judge']]}.{name}": _number(score) for name, score in entry["scores"].items()}
    return values


def _number(value: Any) -> float | None:
    """A value, if it is one."""
    return value if isinstance(value, (int, float)) and math.isfinite(value) else None


def _described(point: AnyPoint) -> dict[str, Any]:
    """What a point says besides its values."""
    author = point.get("author") or {}
    commit = point.get("commit")
    return {
        "key": key_of(point),
        "time": point["time"],
        "iteration": _iteration(point),
        "commit": commit["id"] if commit else None,
        "person": author.get("person"),
        "agent": author.get("agent"),
        "model": author.get("model"),
        "definitions": point["definitions"],
    }
