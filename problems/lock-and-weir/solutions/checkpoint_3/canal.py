"""Simulates the boats and locks of a canal."""

import argparse
import sys

import report
import scenario
from errors import CanalError
from simulation import Simulation


def simulated(path):
    simulation = Simulation(scenario.load(path))
    simulation.run()
    return simulation


def show_log(args):
    return report.log_lines(simulated(args.scenario).events)


def show_summary(args):
    return report.summary_lines(simulated(args.scenario))


def build_parser():
    parser = argparse.ArgumentParser(prog="canal", description=__doc__, allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, run in (("log", show_log), ("summary", show_summary)):
        command = commands.add_parser(name, allow_abbrev=False)
        command.add_argument("scenario")
        command.set_defaults(run=run)
    return parser


def main():
    args = build_parser().parse_args()
    try:
        output = list(args.run(args))
    except CanalError as error:
        print("error: %s" % error, file=sys.stderr)
        return 1
    for line in output:
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
