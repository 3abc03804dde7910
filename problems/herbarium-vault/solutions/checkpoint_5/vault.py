"""A record store for the specimens of a collection."""
import sys

from batch import Batch
from commands import understand
from errors import NotUnderstood, Refused
from folder import Folder
from session import Session


def say(line):
    sys.stdout.write(line + "\n")


def warn(line):
    print(line, file=sys.stderr)


def run(words):
    """Runs what the words ask for; whether all was done."""
    if len(words) < 3 or words[0] != "--dir":
        raise NotUnderstood("usage: --dir FOLDER COMMAND ...")
    path, words = words[1], words[2:]
    if words == ["batch"]:
        text = sys.stdin.buffer.read().decode("utf-8")
        return Batch(Folder(path, warn), say).run(text)
    command, arguments = understand(words)
    if command.in_batch_only:
        raise NotUnderstood(f"{words[0]} belongs into a batch")
    for line in command.run(Session(Folder(path, warn)), arguments):
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
