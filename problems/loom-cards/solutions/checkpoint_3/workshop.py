"""A folder with its card, and what is done in it."""

from card import CARD, CardReader
from errors import CardError
from loom import Loom
from memory import Memory
from patterns import Weft
from report import Reasons, Report
from tree import Draft, Tree


class Workshop:
    def __init__(self, tree, report):
        memory = Memory(tree)
        weft = Weft(set(tree.files()) - set(memory.woven))
        self.report = report
        self.cloths = weft.cloths
        self.loom = Loom(tree, memory, weft.cloths, report)
        CardReader(weft, self.loom.content).read(CARD)

    def order(self, targets):
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


def build(targets, dry):
    report = Report()
    Workshop(Draft(Tree(".")) if dry else Tree("."), report).build(targets)
    report.sum_up()


def show_list(targets):
    workshop = Workshop(Draft(Tree(".")), Reasons())
    for path in workshop.order(targets):
        print(" ".join([path + ":"] + workshop.cloths[path].threads))


def explain(target):
    reasons = Reasons()
    Workshop(Draft(Tree(".")), reasons).build([target])
    reasons.print_for(target)
