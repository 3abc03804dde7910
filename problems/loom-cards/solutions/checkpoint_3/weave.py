"""Weaves cloths, which are files, from threads, as cards say."""

import argparse
import sys

import workshop
from errors import CardError


def build_parser():
    parser = argparse.ArgumentParser(prog="weave", description=__doc__, allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True)
    build = commands.add_parser("build", allow_abbrev=False)
    build.add_argument("--dry", action="store_true")
    build.add_argument("cloth", nargs="*")
    build.set_defaults(run=lambda args: workshop.build(args.cloth, args.dry))
    show_list = commands.add_parser("list", allow_abbrev=False)
    show_list.add_argument("cloth", nargs="*")
    show_list.set_defaults(run=lambda args: workshop.show_list(args.cloth))
    explain = commands.add_parser("explain", allow_abbrev=False)
    explain.add_argument("cloth")
    explain.set_defaults(run=lambda args: workshop.explain(args.cloth))
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
