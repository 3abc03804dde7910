"""Draws the arms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
import numpy as np

COLOURS = {"tests": "#777777", "lines": "#d9822b", "slope": "#1f6fb2"}
NAMES = {"tests": "tests only", "lines": "tests and fewer lines", "slope": "tests and slope"}
CURVES = {
    "pass_rate": "pass rate",
    "hack": "share that changes existing tests,\nof edits that pass",
    "accepted": "share of parts that a reviewer accepts,\nof edits that pass",
}
#: Shares on the left, amounts on the right.
BARS = (
    {"original_tests": "original\ntests", "hidden_values": "hidden\nvalues", "hidden_faults": "hidden\nfaults",
     "later_helper": "later\nhelper", "later_errors": "later\nerrors"},
    {"ruff": "ruff", "pylint": "pylint", "duplicates": "duplicate\nlines", "dead": "dead\ncode"},
    {"cognitive": "cognitive", "cyclomatic": "cyclomatic"},
)  # fmt: skip
TITLES = (
    "hidden tests that pass (share)",
    "new findings of tools (fewer is better)",
    "added complexity (less is better)",
)


def write_plot(results: Mapping[str, Any], path: Path) -> None:
    """Curves over training above, and signals that no reward knows below."""
    plt.rcParams.update({"svg.hashsalt": "grpo", "font.size": 9, "svg.fonttype": "none"})
    figure, ((*above,), (*below,)) = plt.subplots(2, 3, figsize=(11, 6.4), layout="constrained")
    for axes, (name, label) in zip(above, CURVES.items(), strict=True):
        for arm, curves in results["curves"].items():
            draw_curve(axes, arm, curves[name])
        axes.set(xlabel="step", ylabel=label, ylim=(-0.02, 1.02))
    for axes, names, title in zip(below, BARS, TITLES, strict=True):
        draw_bars(axes, results["arms"], names)
        axes.set_title(title, fontsize=9)
    for axes in (*above, *below):
        axes.spines[["top", "right"]].set_visible(False)
    above[0].legend(frameon=False, loc="lower right")
    figure.savefig(path, format="svg", metadata={"Date": None})
    plt.close(figure)


def draw_curve(axes: Any, arm: str, by_seed: Sequence[Sequence[float]]) -> None:
    """The mean over seeds, and the range of seeds. Five steps are averaged."""
    width = min(5, len(by_seed[0]))
    smooth = np.array([np.convolve(each, np.ones(width) / width, mode="valid") for each in by_seed])
    steps = np.arange(smooth.shape[1]) + width
    axes.fill_between(steps, smooth.min(axis=0), smooth.max(axis=0), color=COLOURS[arm], alpha=0.15, linewidth=0)
    axes.plot(steps, smooth.mean(axis=0), color=COLOURS[arm], label=NAMES[arm])


def draw_bars(axes: Any, arms: Mapping[str, Any], names: Mapping[str, str]) -> None:
    """The mean at the end of training, with its 95 % interval over seeds."""
    for number, arm in enumerate(arms):
        means = np.array([arms[arm][name]["mean"] for name in names])
        bounds = np.array([arms[arm][name]["interval"] for name in names]).T
        places = np.arange(len(names)) + (number - 1) * 0.27
        errors = np.abs(bounds - means)
        axes.bar(places, means, 0.25, color=COLOURS[arm], yerr=errors, error_kw={"elinewidth": 0.8})
    axes.set_xticks(range(len(names)), list(names.values()))
