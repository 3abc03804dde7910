"""Commands from a text, one a line."""
import re

import checks
from commands import understand_line
from errors import NotUnderstood, Refused
from logformat import checksum


class Batch:
    def __init__(self, folder, say):
        self._folder = folder
        self._say = say
        self._refused = 0

    def run(self, text):
        """Says a reply to each line of the text; whether all were done."""
        for line in lines_of(text):
            runner = self._each if line.split(" ")[0] == "each" else self._single
            for part in self._reply(runner, line):
                self._say(part)
        return self._refused == 0

    def _reply(self, runner, line):
        try:
            return runner(line)
        except NotUnderstood:
            reason = "bad command"
        except Refused as refusal:
            reason = refusal
        self._refused += 1
        return [f"error: {reason}"]

    def _single(self, line):
        command, arguments = understand_line(line)
        return command.run(self._folder, arguments)

    def _each(self, line):
        words = line.split(" ", 3)
        if len(words) < 4:
            raise NotUnderstood("each takes FROM TO LINE")
        first, last = checks.number(words[1]), checks.number(words[2])
        if first > last:
            raise Refused("bad range")
        refused_before = self._refused
        replies = "".join(
            part + "\n"
            for number in range(first, last + 1)
            for part in self._reply(self._single, _numbered(words[3], number))
        )
        refused = self._refused - refused_before
        done = last - first + 1 - refused
        return [f"each: {done} done, {refused} refused, {checksum(replies.encode())}"]


def _numbered(line, number):
    """The line with each run of # replaced by the number, as wide as the run."""
    return re.sub("#+", lambda run: str(number).zfill(len(run.group())), line)


def lines_of(text):
    """The lines that hold a command."""
    for line in text.split("\n"):
        if line.endswith("\r"):
            line = line[:-1]
        if line and not line.startswith("#"):
            yield line
