"""Weaves the cloths that are not as they would be woven now."""

import actions
import paths
from errors import WeavingError
from plan import Plan
from tree import digest


class Stopped(Exception):
    """As many cloths were woven as was allowed, and there is another one."""


class Loom:
    """One build, which weaves at most so many cloths. `report` is told what becomes of each."""

    def __init__(self, folder, cloths, report, most=None):
        self.tree = folder.tree
        self.memory = folder.memory
        self.cache = folder.cache
        self.cloths = cloths
        self.most = most
        self.woven = 0
        self.report = report
        self.way = []
        self.done = set()

    def plan(self):
        return Plan(self.cloths, self.is_file, self.way)

    def is_file(self, path):
        """Whether a path that is no cloth is a file; what was woven once and left over is none."""
        return self.tree.is_file(path) and not self.memory.unchanged(path)

    def content(self, path):
        """The content of a path, woven if it is a cloth; None if it is neither cloth nor file."""
        if path in self.cloths:
            self.bring_up_found(path)
        elif not self.is_file(path):
            return None
        return self.tree.read(path)

    def bring_up_found(self, path):
        if path not in self.done:
            self.plan().add(path)
            self.bring_up(path)

    def bring_up(self, path):
        if path in self.done:
            return
        cloth = self.cloths[path]
        self.way.append(path)
        for thread in filter(self.cloths.get, cloth.threads):
            self.bring_up(thread)
        reason = self.reason(cloth)
        became = self.renew(cloth) if reason else "kept"
        self.way.pop()
        self.done.add(path)
        self.report.cloth(path, became, reason)

    def recipe(self, cloth):
        return {"threads": [[thread, digest(self.tree.read(thread))] for thread in cloth.threads],
                "actions": cloth.actions}

    def reason(self, cloth):
        """Why a cloth has to be woven; None if it has not."""
        record = self.memory.get(cloth.path)
        if record is None:
            return "never woven"
        if [thread for thread, _ in record["recipe"]["threads"]] != cloth.threads:
            return "other threads"
        if record["recipe"]["actions"] != cloth.actions:
            return "other actions"
        return self.changed_thread(record) or self.changed_output(cloth.path)

    def changed_thread(self, record):
        for thread, old in record["recipe"]["threads"] + record["found"]:
            if not self.holds(thread, old):
                return "'%s' changed" % thread
        return None

    def holds(self, path, old):
        """Whether a path has the content with that digest, after it was woven if it is a cloth."""
        content = self.content(path)
        return content is not None and digest(content) == old

    def changed_output(self, path):
        if self.memory.unchanged(path):
            return None
        return "changed by hand" if self.tree.is_file(path) else "not there"

    def renew(self, cloth):
        """Writes a cloth, and says whether it was woven or fetched."""
        recipe = self.recipe(cloth)
        cached = self.cache.fetch(recipe, self.holds)
        if cached:
            self.write(cloth, recipe, *cached)
            return "fetched"
        found, output = self.weave(cloth)
        if self.woven == self.most:
            raise Stopped(self.most)
        self.woven += 1
        self.write(cloth, recipe, found, output)
        self.cache.put(cloth.path, recipe, found, output)
        return "woven"

    def weave(self, cloth):
        found = []

        def find(path):
            content = self.found_content(path)
            found.append([path, digest(content)])
            return content

        text = b"".join(self.tree.read(thread) for thread in cloth.threads)
        return found, actions.run(cloth.actions, text, find)

    def write(self, cloth, recipe, found, output):
        self.tree.write(cloth.path, output)
        self.memory.put(cloth.path, {"recipe": recipe, "found": found, "output": digest(output)})

    def found_content(self, path):
        """The content of what the cloth that is being woven turns out to need."""
        if not paths.is_path(path):
            raise WeavingError("bad path '%s' in '%s'" % (path, self.way[-1]))
        self.plan().add_thread(path)
        return self.content(path)

    def sweep(self):
        """Removes what was woven before and is no cloth any more."""
        for path in sorted(set(self.memory.woven) - set(self.cloths)):
            if self.memory.unchanged(path):
                self.tree.remove(path)
                self.report.removed(path)
            elif self.tree.is_file(path):
                self.report.left(path)
            self.memory.forget(path)
