"""Text for people and for comparisons."""

from collections.abc import Iterable


def clean(text: str) -> str:
    """Text for comparisons: lower case, single spaces, no hyphens."""
    words = text.replace("-", " ").split()
    joined = " ".join(words)
    return joined.casefold()


def join_names(names: Iterable[str]) -> str:
    """Names as a sentence has them: `a, b and c`."""
    ordered = sorted(names)
    if not ordered:
        return "nothing"
    if len(ordered) == 1:
        return ordered[0]
    return f"{', '.join(ordered[:-1])} and {ordered[-1]}"
