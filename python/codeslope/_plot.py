"""Charts of a trajectory: one piece of HTML with SVG, without scripts, styles for other elements, or network."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from codeslope._trajectory import Trajectory

#: Charts by metric: name for people, and what is better.
CHARTS = {
    "score.verbosity": ("verbosity score", "higher"),
    "score.erosion": ("erosion score", "higher"),
    "score.extensibility": ("extensibility score", "higher"),
    "erosion": ("erosion", "lower"),
    "verbosity": ("verbosity", "lower"),
    "mass": ("complexity mass", "lower"),
    "clone_lines": ("clone lines", "lower"),
    "sloc": ("source lines", ""),
}
#: Colour and shape of authors. Shapes differ, so that colours are not needed.
COLOURS = ("#3b82c4", "#d97706", "#2a9d74", "#c0579b", "#8a6fd1", "#c2502e")
SHAPES = ("M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0Z", "M-4,-4h8v8h-8Z", "M0,-5l5,9h-10Z", "M0,-5l5,5l-5,5l-5,-5Z",
          "M-4,-1h3v-3h2v3h3v2h-3v3h-2v-3h-3Z", "M0,5l5,-9h-10Z")  # fmt: skip
#: Points that a chart draws, that say more when pointed at, and rows of the table.
MOST_DRAWN = 200
MOST_TITLES = 100
MOST_ROWS = 50

COLUMNS = 2
WIDTH, HEIGHT = 340, 170
#: Place of the curve in its chart: left, top, width, height.
LEFT, TOP, WIDE, HIGH = 50, 42, 270, 88
TEXT = 'font-family="sans-serif" fill="currentColor"'
LINE = 'fill="none" stroke="currentColor"'


@dataclass(frozen=True)
class Mark:
    """A point in a chart."""

    at: int
    #: Marks of the same part are comparable, and no value between them is missing.
    part: int
    value: float
    x: float
    y: float


def page(trajectory: Trajectory) -> str:
    """The HTML of a trajectory."""
    rows = trajectory.to_dicts()
    title = plain(trajectory.title or "trajectory")
    charts = [name for name in CHARTS if name in trajectory.metrics]
    heading = f"<strong>{title}</strong>: {_count(rows)}"
    if not charts:
        return f"<div>{heading}. No values to show.</div>"
    return f"<div>{heading}{_svg(trajectory, charts, rows, title)}{_table(charts, rows)}</div>"


def _count(rows: Sequence[dict[str, Any]]) -> str:
    words = "1 point" if len(rows) == 1 else f"{len(rows)} points"
    if any(before["definitions"] != after["definitions"] for before, after in pairwise(rows)):
        words += ". Values on both sides of a dashed line cannot be compared"
    return words


def _svg(trajectory: Trajectory, charts: list[str], rows: list[dict[str, Any]], title: str) -> str:
    authors = _authors(rows)
    lines = math.ceil(len(charts) / COLUMNS)
    width, height = COLUMNS * WIDTH, lines * HEIGHT + 24 * math.ceil(len(authors) / 3)
    pieces = []
    for at, name in enumerate(charts):
        x, y = at % COLUMNS * WIDTH, at // COLUMNS * HEIGHT
        chart = _chart(name, trajectory.values(name), rows, authors)
        pieces.append(f'<g transform="translate({x},{y})">{chart}</g>')
    pieces.append(_legend(authors, lines * HEIGHT))
    label = "; ".join(_words(name, trajectory.values(name)) for name in charts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="Charts of {title}: {plain(label)}" '
        f'viewBox="0 0 {width} {height}" width="{width}" style="max-width:100%;height:auto;display:block;margin:8px 0">'
        f"{''.join(pieces)}</svg>"
    )


def _authors(rows: list[dict[str, Any]]) -> dict[str, int]:
    """The authors with a shape of their own, by first appearance. Others share the last shape."""
    names = list(dict.fromkeys(author_of(row) for row in rows))
    return {name: min(at, len(SHAPES) - 1) for at, name in enumerate(names)}


def author_of(row: dict[str, Any]) -> str:
    """Who or what wrote the code of a point."""
    agent, model = row["agent"], row["model"]
    if agent and model:
        return f"{agent}, {model}"
    return str(agent or model or row["person"] or "unknown")


def _chart(name: str, values: list[float | None], rows: list[dict[str, Any]], authors: dict[str, int]) -> str:
    top = 10.0 if "score" in name else _round_up(max((value for value in values if value is not None), default=0.0))
    low = min(0.0, min((value for value in values if value is not None), default=0.0))
    marks = _thinned(_marks(values, low, top, rows))
    pieces = [
        f'<text x="0" y="14" font-size="13" font-weight="bold" {TEXT}>{CHARTS[name][0]}</text>',
        f'<text x="0" y="30" font-size="11" {TEXT}>{plain(_words(name, values, short=True))}</text>',
        _axes(low, top, rows),
        *_breaks(rows),
        *_curves(marks),
        *(_shape(mark, rows[mark.at], authors, len(rows)) for mark in marks),
    ]
    return "".join(pieces)


def _marks(values: list[float | None], low: float, top: float, rows: list[dict[str, Any]]) -> list[Mark]:
    span = (top - low) or 1.0
    step = WIDE / max(1, len(values) - 1)
    marks: list[Mark] = []
    part = 0
    for at, value in enumerate(values):
        if value is None or (at and rows[at]["definitions"] != rows[at - 1]["definitions"]):
            part += 1
        if value is not None:
            marks.append(Mark(at, part, value, LEFT + at * step, TOP + HIGH - (value - low) / span * HIGH))
    return marks


def _thinned(marks: list[Mark]) -> list[Mark]:
    """At most `MOST_DRAWN` marks: of each part of the curve its lowest and its highest."""
    if len(marks) <= MOST_DRAWN:
        return marks
    size = math.ceil(2 * len(marks) / MOST_DRAWN)
    kept: list[Mark] = []
    for start in range(0, len(marks), size):
        part = marks[start : start + size]
        ends = {min(part, key=lambda mark: mark.value), max(part, key=lambda mark: mark.value)}
        kept += sorted(ends, key=lambda mark: mark.at)
    return kept


def _curves(marks: list[Mark]) -> list[str]:
    """A line for each part with several marks."""
    found = []
    for _, part in groupby(marks, key=lambda mark: mark.part):
        places = [f"{mark.x:.1f},{mark.y:.1f}" for mark in part]
        line = " ".join(places)
        if len(places) > 1:
            found.append(f'<polyline points="{line}" {LINE} stroke-opacity="0.6" stroke-width="1.5"/>')
    return found


def _shape(mark: Mark, row: dict[str, Any], authors: dict[str, int], count: int) -> str:
    author = author_of(row)
    number = authors[author]
    scale = "" if count <= MOST_TITLES // 2 else " scale(0.5)"
    title = ""
    if count <= MOST_TITLES:
        words = ", ".join([f"{row['key']}: {number_text(mark.value)}", author, row["time"]])
        title = f"<title>{plain(words)}</title>"
    return (
        f'<path d="{SHAPES[number]}" transform="translate({mark.x:.1f},{mark.y:.1f}){scale}" '
        f'fill="{COLOURS[number]}">{title}</path>'
    )


def _axes(low: float, top: float, rows: list[dict[str, Any]]) -> str:
    bottom, right = TOP + HIGH, LEFT + WIDE
    line = f'<path d="M{LEFT},{TOP}V{bottom}H{right}" {LINE} stroke-opacity="0.4"/>'
    ends = [(top, TOP + 4), (low, bottom + 4)]
    texts = [
        f'<text x="{LEFT - 6}" y="{y}" font-size="10" text-anchor="end" {TEXT}>{number_text(value)}</text>'
        for value, y in ends
    ]
    for row, x, anchor in [(rows[0], LEFT, "start"), (rows[-1], right, "end")][: len(rows)]:
        texts.append(
            f'<text x="{x}" y="{bottom + 16}" font-size="10" text-anchor="{anchor}" {TEXT}>{plain(_place(row))}</text>'
        )
    return line + "".join(texts)


def _place(row: dict[str, Any]) -> str:
    number = row["iteration"]
    return row["time"][:10] if number is None else f"iteration {number}"


def _breaks(rows: list[dict[str, Any]]) -> list[str]:
    """A line at each change of the definitions, because values on its sides cannot be compared."""
    step = WIDE / max(1, len(rows) - 1)
    changes = [at for at in range(1, len(rows)) if rows[at]["definitions"] != rows[at - 1]["definitions"]]
    return [
        f'<path d="M{LEFT + (at - 0.5) * step:.1f},{TOP}v{HIGH}" stroke="currentColor" stroke-dasharray="3 3" '
        f'stroke-opacity="0.7"><title>other definitions from here on</title></path>'
        for at in changes[:MOST_DRAWN]
    ]


def _legend(authors: dict[str, int], y: int) -> str:
    names: dict[int, str] = {}
    for name, number in authors.items():
        names[number] = f"{name} and others" if len(authors) > len(SHAPES) and number == len(SHAPES) - 1 else name
        if number == len(SHAPES) - 1:
            break
    pieces = []
    for at, (number, name) in enumerate(names.items()):
        x, line = 10 + at % 3 * 225, y + 10 + at // 3 * 22
        pieces.append(
            f'<path d="{SHAPES[number]}" transform="translate({x},{line})" fill="{COLOURS[number]}"/>'
            f'<text x="{x + 10}" y="{line + 4}" font-size="11" {TEXT}>{plain(name[:34])}</text>'
        )
    return "".join(pieces)


def _words(name: str, values: list[float | None], *, short: bool = False) -> str:
    """First and last value of a chart, and what is better."""
    found = [value for value in values if value is not None]
    title, better = CHARTS[name]
    said = " → ".join(number_text(value) for value in ([found[0], found[-1]] if len(found) > 1 else found))
    if better:
        said += f" ({better} is better)"
    return said if short else f"{title} {said}"


def _table(charts: list[str], rows: list[dict[str, Any]]) -> str:
    shown = rows[-MOST_ROWS:]
    titles = ["point", "author", *(CHARTS[name][0] for name in charts)]
    head = "".join(f'<th scope="col">{title}</th>' for title in titles)
    lines = []
    for row in shown:
        cells = [plain(row["key"]), plain(author_of(row)), *(number_text(row[name]) for name in charts)]
        lines.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    words = f"Values of the last {len(shown)} points" if len(shown) < len(rows) else "Values"
    return f"<details><summary>{words}</summary><table><tr>{head}</tr>{''.join(lines)}</table></details>"


def number_text(value: float | None) -> str:
    """A value for people. A missing one is a dash."""
    if value is None:
        return "–"
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.3g}"


def _round_up(value: float) -> float:
    """The next round number, as the end of an axis."""
    if value <= 0 or not math.isfinite(value):
        return 1.0
    unit = 10.0 ** math.floor(math.log10(value))
    return next(unit * step for step in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10) if unit * step >= value * 0.999999)


def plain(text: str) -> str:
    """Text for HTML. Names can have any characters, also such that change the direction of text."""
    return escape("".join("�" if unicodedata.category(one)[0] == "C" else one for one in text))
