"""Paths of sheets."""
import unicodedata

from refusal import Refusal

MOST_CHARACTERS = 200
MOST_IN_PART = 60
PUNCTUATION = set(" -_.,()'")


def normal_path(path):
    """The normal form of a path, unless it is bad."""
    path = unicodedata.normalize("NFC", path)
    if len(path) > MOST_CHARACTERS or not all(_is_part(part) for part in path.split("/")):
        raise Refusal("bad path")
    return path


def _is_part(part):
    return (0 < len(part) <= MOST_IN_PART and all(_is_allowed(character) for character in part)
            and part[0] not in ".- " and part[-1] not in ". ")


def _is_allowed(character):
    return unicodedata.category(character)[0] in "LMN" or character in PUNCTUATION


class Taken:
    """The paths that are taken, to find those that clash with them."""

    def __init__(self, paths):
        self._by_lower = {}
        self._folders = set()
        for path in paths:
            self.add(path)

    def add(self, path):
        lower = path.lower()
        self._by_lower[lower] = path
        self._folders.update(_folders(lower))

    def clashes(self, path):
        lower = path.lower()
        other = self._by_lower.get(lower, path) != path
        return other or lower in self._folders or any(folder in self._by_lower for folder in _folders(lower))


def _folders(path):
    parts = path.split("/")
    return {"/".join(parts[:count]) for count in range(1, len(parts))}
