"""The order in which cloths are woven."""

from errors import CardError


class Plan:
    def __init__(self, cloths, is_thread):
        self.cloths = cloths
        self.is_thread = is_thread
        self.order = []
        self.way = []

    def add(self, path):
        if path in self.way:
            loop = self.way[self.way.index(path):] + [path]
            raise CardError("cycle: " + " > ".join(loop))
        if path in self.order:
            return
        self.way.append(path)
        for thread in self.cloths[path].threads:
            self.add_thread(thread, path)
        self.way.pop()
        self.order.append(path)

    def add_thread(self, thread, path):
        if thread in self.cloths:
            self.add(thread)
        elif not self.is_thread(thread):
            raise CardError("no cloth and no file '%s' for '%s'" % (thread, path))


def order(cloths, is_thread, targets):
    for target in targets:
        if target not in cloths:
            raise CardError("no cloth '%s'" % target)
    plan = Plan(cloths, is_thread)
    for target in targets or cloths:
        plan.add(target)
    return plan.order
