"""Commands from a text, one a line."""
from commands import understand_line
from errors import NotUnderstood, Refused


def run_batch(store, text, say):
    """Says a reply to each line of the text; whether all were done."""
    all_done = True
    for line in lines_of(text):
        try:
            command, arguments = understand_line(line)
            reply = command.run(store, arguments)
        except NotUnderstood:
            reply, all_done = ["error: bad command"], False
        except Refused as reason:
            reply, all_done = [f"error: {reason}"], False
        for part in reply:
            say(part)
    return all_done


def lines_of(text):
    """The lines that hold a command."""
    for line in text.split("\n"):
        if line.endswith("\r"):
            line = line[:-1]
        if line and not line.startswith("#"):
            yield line
