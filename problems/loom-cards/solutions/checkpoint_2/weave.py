"""Weaves cloths, which are files, from threads, as cards say."""

import argparse
import sys

import card
import plan
from builder import Builder
from errors import CardError
from memory import Memory
from tree import Tree


class Workshop:
    """A folder with its card, and what is remembered of it."""

    def __init__(self):
        self.tree = Tree(".")
        self.memory = Memory(self.tree)
        self.cloths = card.load(self.tree, set(self.tree.files()) - set(self.memory.woven))

    def is_thread(self, path):
        """Whether a path that is no cloth can be a thread: files that were once woven cannot."""
        return self.tree.is_file(path) and not self.memory.unchanged(path)

    def wanted(self, targets):
        order = plan.order(self.cloths, self.is_thread, targets)
        return [self.cloths[path] for path in order]


def build(args):
    workshop = Workshop()
    cloths = workshop.wanted(args.cloth)
    builder = Builder(workshop.tree, workshop.memory, print)
    builder.build(cloths)
    if not args.cloth:
        builder.sweep(workshop.cloths)
    builder.sum_up()


def show_list(args):
    for cloth in Workshop().wanted(args.cloth):
        print(" ".join([cloth.path + ":"] + cloth.threads))


def build_parser():
    parser = argparse.ArgumentParser(prog="weave", description=__doc__, allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, run in (("build", build), ("list", show_list)):
        command = commands.add_parser(name, allow_abbrev=False)
        command.add_argument("cloth", nargs="*")
        command.set_defaults(run=run)
    return parser


def main():
    args = build_parser().parse_args()
    try:
        args.run(args)
    except CardError as error:
        sys.stdout.flush()
        print("error: %s" % error.told(), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
