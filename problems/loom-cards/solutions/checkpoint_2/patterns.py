"""Makes cloths of rules: patterns stand for the sources and the cloths above."""

from collections import namedtuple

import paths
from errors import CardError

Cloth = namedtuple("Cloth", "path threads actions")


class Weft:
    """All cloths so far, by path, in the order of the card."""

    def __init__(self, sources):
        self.sources = set(sources)
        self.cloths = {}

    def check_free(self, path):
        if path in self.cloths:
            raise CardError("'%s' is there already" % path)

    def add(self, rule):
        if paths.is_pattern(rule.path):
            self.add_pattern(rule)
        else:
            threads = [path for thread in rule.threads for path in self.matches(thread)]
            self.cloths[rule.path] = Cloth(rule.path, threads, rule.actions)

    def matches(self, thread):
        """The paths that a thread of a single cloth stands for."""
        if not paths.is_pattern(thread):
            return [thread]
        known = self.sources.union(self.cloths)
        return sorted(path for path in known if paths.stem(thread, path) is not None)

    def add_pattern(self, rule):
        leading = next(filter(paths.is_pattern, rule.threads), None)
        if leading is None:
            raise CardError("no thread with '*'")
        for match in self.matches(leading):
            self.add_match(rule, paths.stem(leading, match))

    def add_match(self, rule, stem):
        path, *threads = [paths.fill(pattern, stem) for pattern in [rule.path] + rule.threads]
        if path not in self.cloths:
            self.cloths[path] = Cloth(path, threads, rule.actions)
