"""Simulates the boats and locks of a canal."""

import argparse
import sys

import clock
import files
import report
import saving
import scenario
from edits import Edits
from errors import CanalError
from network import Network
from simulation import Simulation


def until_minute(args):
    """The minute that --until tells, or None."""
    if args.until is None:
        return None
    minute = clock.parse(args.until)
    if minute is None:
        raise CanalError("bad time '%s'" % args.until)
    return minute


def check_later(simulation, until):
    if until is not None and until <= simulation.now:
        raise CanalError("state is already at %s" % clock.written(simulation.now))


def run_and_save(args, text, simulation, until):
    simulation.run(until)
    if args.save is not None:
        saving.save(args.save, text, simulation)
    return report.log_lines(simulation.events)


def show_log(args):
    until = until_minute(args)
    text = files.read(args.scenario)
    return run_and_save(args, text, Simulation(scenario.parse(text)), until)


def show_summary(args):
    simulation = Simulation(scenario.parse(files.read(args.scenario)))
    simulation.run()
    return report.summary_lines(simulation)


def show_routes(args):
    loaded = scenario.parse(files.read(args.scenario))
    return report.route_lines(loaded, Network(loaded.canals))


def resume(args):
    until = until_minute(args)
    text, simulation = saving.load(args.state)
    check_later(simulation, until)
    return run_and_save(args, text, simulation, until)


def show_status(args):
    _, simulation = saving.load(args.state)
    return report.summary_lines(simulation)


def show_what_if(args):
    until = until_minute(args)
    _, base = saving.load(args.state)
    _, branch = saving.load(args.state)
    check_later(base, until)
    Edits(branch).read(files.read(args.edits))
    base.run(until)
    branch.run(until)
    return report.difference_lines(base.events, branch.events)


COMMANDS = (
    ("log", show_log, ["scenario"], ["--until", "--save"]),
    ("summary", show_summary, ["scenario"], []),
    ("routes", show_routes, ["scenario"], []),
    ("resume", resume, ["state"], ["--until", "--save"]),
    ("status", show_status, ["state"], []),
    ("what-if", show_what_if, ["state", "edits"], ["--until"]),
)


def build_parser():
    parser = argparse.ArgumentParser(prog="canal", description=__doc__, allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, run, files_named, options in COMMANDS:
        command = commands.add_parser(name, allow_abbrev=False)
        for argument in files_named + options:
            command.add_argument(argument)
        command.set_defaults(run=run)
    return parser


def parse_arguments():
    parser = build_parser()
    args = parser.parse_args()
    if getattr(args, "save", None) is not None and args.until is None:
        parser.error("--save needs --until")
    return args


def main():
    args = parse_arguments()
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
