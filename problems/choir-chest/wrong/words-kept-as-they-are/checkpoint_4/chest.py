"""The chest: keeps the sheets of a union of choirs in a folder."""
import sys

from commands import COMMANDS
from journal import JOURNALED, Journal
from refusal import Refusal
from store import Store


def main(arguments):
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    folder, name, *rest = arguments if len(arguments) >= 2 else ("", "")
    command, count = COMMANDS.get(name, (None, None))
    if command is None or len(rest) != count:
        print("usage: chest DIR COMMAND [ARGUMENT ...]", file=sys.stderr)
        return 2
    store = Store(folder)
    try:
        output, line = command(store, *rest), None
    except Refusal as refusal:
        output, line = None, "refused: {}".format(refusal)
    if name in JOURNALED:
        Journal(store).add(name, rest[0], line or output.rstrip("\n"))
    if line:
        print(line, file=sys.stderr)
        return 1
    sys.stdout.flush()
    sys.stdout.buffer.write(output if isinstance(output, bytes) else output.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
