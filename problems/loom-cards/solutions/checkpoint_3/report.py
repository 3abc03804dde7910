"""What is printed about a build."""


class Report:
    """Prints what becomes of each cloth, and sums it up."""

    def __init__(self):
        self.counts = {"woven": 0, "kept": 0, "removed": 0}

    def cloth(self, path, reason):
        self.note("woven" if reason else "kept", path)

    def removed(self, path):
        self.note("removed", path)

    def left(self, path):
        print("left %s" % path)

    def note(self, word, path):
        self.counts[word] += 1
        print("%s %s" % (word, path))

    def sum_up(self):
        always = ("woven", "kept")
        print(", ".join("%d %s" % (n, word) for word, n in self.counts.items() if n or word in always))


class Reasons:
    """Keeps why each cloth is woven."""

    def __init__(self):
        self.of_path = {}

    def cloth(self, path, reason):
        self.of_path[path] = reason

    def print_for(self, asked):
        for path, reason in self.of_path.items():
            if reason or path == asked:
                print("%s: %s" % (path, reason or "up to date"))
