"""A folder with its card, and what is done in it."""

from cache import Cache, NoCache
from card import CARD, CardReader
from errors import CardError
from loom import Loom, Stopped
from memory import Memory
from patterns import Weft
from report import Reasons, Report
from tree import Draft, Tree

STOPPED = 3


class Folder:
    """Where is woven, what is remembered there, and the cache."""

    def __init__(self, path, kind, cache=None):
        self.tree = kind(path)
        self.memory = Memory(self.tree)
        self.cache = cache or NoCache()


class Workshop:
    def __init__(self, folder, settings, report, most=None):
        weft = Weft(set(folder.tree.files()) - set(folder.memory.woven))
        self.cloths = weft.cloths
        self.loom = Loom(folder, weft.cloths, report, most)
        self.reader = CardReader(weft, self.loom.content, settings)

    def order(self, targets):
        """The cloths that are needed, in their order, after the cards were read."""
        self.reader.read(CARD)
        for target in targets:
            if target not in self.cloths:
                raise CardError("no cloth '%s'" % target)
        plan = self.loom.plan()
        for target in targets or self.cloths:
            plan.add(target)
        return plan.order

    def build(self, targets):
        self.order(targets)
        for path in targets or self.cloths:
            self.loom.bring_up(path)
        if not targets:
            self.loom.sweep()


def build(args):
    kind = Draft if args.dry else Tree
    cache = Cache(kind(args.cache), args.room) if args.cache else None
    report = Report()
    workshop = Workshop(Folder(args.folder, kind, cache), args.settings, report, args.most)
    try:
        workshop.build(args.cloth)
    except Stopped:
        print("stopped after %d" % args.most)
        return STOPPED
    report.sum_up()
    return 0


def show_list(args):
    workshop = Workshop(Folder(args.folder, Draft), args.settings, Reasons())
    for path in workshop.order(args.cloth):
        print(" ".join([path + ":"] + workshop.cloths[path].threads))
    return 0


def explain(args):
    reasons = Reasons()
    Workshop(Folder(args.folder, Draft), args.settings, reasons).build([args.cloth])
    reasons.print_for(args.cloth)
    return 0


def show_cache(args):
    cache = Cache(Tree(args.cache))
    for entry in cache.entries:
        print("%d %s" % (entry["size"], entry["path"]))
    print("%d entries, %d bytes" % (len(cache.entries), cache.size()))
    return 0
