"""The chest: keeps the sheets of a union of choirs in a folder."""
import sys

from commands import COMMANDS
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
    try:
        output = command(Store(folder), *rest)
    except Refusal as refusal:
        print("refused: {}".format(refusal), file=sys.stderr)
        return 1
    sys.stdout.flush()
    sys.stdout.buffer.write(output if isinstance(output, bytes) else output.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
