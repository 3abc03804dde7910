"""A record store for the specimens of a collection."""
import os
import sys

from batch import run_batch
from commands import understand
from errors import NotUnderstood, Refused
from plainstore import PlainStore


def say(line):
    sys.stdout.write(line + "\n")


def open_store(folder):
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise Refused(f"{folder} is not a folder")
    return PlainStore(folder)


def run(words):
    """Runs what the words ask for; whether all was done."""
    if len(words) < 3 or words[0] != "--dir":
        raise NotUnderstood("usage: --dir FOLDER COMMAND ...")
    folder, words = words[1], words[2:]
    if words == ["batch"]:
        text = sys.stdin.buffer.read().decode("utf-8")
        return run_batch(open_store(folder), text, say)
    command, arguments = understand(words)
    for line in command.run(open_store(folder), arguments):
        say(line)
    return True


def main():
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", newline="\n")
    try:
        return 0 if run(sys.argv[1:]) else 1
    except NotUnderstood as reason:
        print(reason, file=sys.stderr)
        return 2
    except Refused as reason:
        print(f"error: {reason}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
