"""Weaves cloths, which are files, from threads, as cards say."""

import argparse
import sys

import card
import plan
from builder import Builder
from errors import CardError
from memory import Memory
from tree import Tree

CARD = "main.card"


def wanted(args):
    tree = Tree(".")
    cloths = card.load(tree, CARD)
    return tree, [cloths[path] for path in plan.order(cloths, tree, args.cloth)]


def build(args):
    tree, cloths = wanted(args)
    Builder(tree, Memory(tree), print).build(cloths)


def show_list(args):
    for cloth in wanted(args)[1]:
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
        print("error: %s" % error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
