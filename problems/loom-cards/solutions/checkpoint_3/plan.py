"""What is to be woven before what, as far as cards tell it."""

from errors import WeavingError


class Plan:
    """Walks through cloths; `way` is how the walk came to where it begins."""

    def __init__(self, cloths, is_file, way=()):
        self.cloths = cloths
        self.is_file = is_file
        self.way = list(way)
        self.order = []

    def add(self, path):
        if path in self.way:
            loop = self.way[self.way.index(path):] + [path]
            raise WeavingError("cycle: " + " > ".join(loop))
        if path in self.order:
            return
        self.way.append(path)
        for thread in self.cloths[path].threads:
            self.add_thread(thread)
        self.way.pop()
        self.order.append(path)

    def add_thread(self, thread):
        """Adds what the last cloth of the way needs."""
        if thread in self.cloths:
            self.add(thread)
        elif not self.is_file(thread):
            raise WeavingError("no cloth and no file '%s' for '%s'" % (thread, self.way[-1]))
