"""What a cloth can do with its text. Texts are bytes."""

import re

from errors import CardError

FIRST_MOST = 500
AFTER_NUMBER = b" "


def lines_of(text):
    lines = text.split(b"\n")
    return lines if lines[-1] else lines[:-1]


def text_of(lines):
    return b"".join(line + b"\n" for line in lines)


def sort_lines(text):
    return text_of(sorted(lines_of(text)))


def first_lines(text, count):
    return text_of(lines_of(text)[:int(count)])


def number_lines(text):
    return text_of(b"%d" % n + AFTER_NUMBER + line for n, line in enumerate(lines_of(text), 1))


def replace_all(text, old, new):
    return text.replace(old.encode(), new.encode())


def put_title(text, title):
    return title.encode() + b"\n" + text


def check_count(count):
    if not re.fullmatch("[0-9]{1,4}", count) or not 1 <= int(count) <= FIRST_MOST:
        raise CardError("bad number '%s'" % count)


def check_replace(old, _new):
    if not old:
        raise CardError("nothing to replace")


def no_check(*_words):
    pass


# name: (how many words follow, their check, what is done)
ACTIONS = {
    "upper": (0, no_check, bytes.upper),
    "lower": (0, no_check, bytes.lower),
    "sort": (0, no_check, sort_lines),
    "number": (0, no_check, number_lines),
    "first": (1, check_count, first_lines),
    "title": (1, no_check, put_title),
    "replace": (2, check_replace, replace_all),
}


def check(action):
    name, words = action[0], action[1:]
    if name not in ACTIONS:
        raise CardError("unknown action '%s'" % name)
    count, check_words, _ = ACTIONS[name]
    if len(words) < count:
        raise CardError("too few words")
    if len(words) > count:
        raise CardError("too many words")
    check_words(*words)


def run(actions, text):
    for name, *words in actions:
        text = ACTIONS[name][2](text, *words)
    return text
