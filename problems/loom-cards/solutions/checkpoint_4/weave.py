"""Weaves cloths, which are files, from threads, as cards say."""

import argparse
import re
import sys

import workshop
from cache import ROOM
from errors import CardError
from names import WORDS_MOST, is_name

NUMBER_MOST = 999999


def number(text):
    if not re.fullmatch("[0-9]{1,6}", text):
        raise argparse.ArgumentTypeError("must be 0 to %d" % NUMBER_MOST)
    return int(text)


class Setting(argparse.Action):
    """`NAME=WORD`; several of the same name add up."""

    def __call__(self, _parser, args, value, option_string=None):
        name, sign, word = value.partition("=")
        words = args.settings.get(name, []) + [word]
        if not sign or not is_name(name) or len(words) > WORDS_MOST:
            raise argparse.ArgumentError(self, "bad setting '%s'" % value)
        args.settings = {**args.settings, name: words}


def add_command(commands, name, run, cloths):
    command = commands.add_parser(name, allow_abbrev=False)
    command.add_argument("--in", dest="folder", default=".")
    command.add_argument("--set", dest="settings", action=Setting, default={})
    command.add_argument("cloth", nargs=cloths)
    command.set_defaults(run=run)
    return command


def build_parser():
    parser = argparse.ArgumentParser(prog="weave", description=__doc__, allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True)
    build = add_command(commands, "build", workshop.build, "*")
    build.add_argument("--dry", action="store_true")
    build.add_argument("--cache")
    build.add_argument("--room", type=number, default=ROOM)
    build.add_argument("--at-most", dest="most", type=number)
    add_command(commands, "list", workshop.show_list, "*")
    add_command(commands, "explain", workshop.explain, None)
    cache = commands.add_parser("cache", allow_abbrev=False)
    cache.add_argument("cache")
    cache.set_defaults(run=workshop.show_cache)
    return parser


def main():
    args = build_parser().parse_args()
    try:
        return args.run(args)
    except CardError as error:
        sys.stdout.flush()
        print("error: %s" % error.told(), file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
