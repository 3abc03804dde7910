"""Splits the lines of a card into words."""

from collections import namedtuple

from errors import CardError

Word = namedtuple("Word", "text quoted")

BLANKS = " \t"
ESCAPES = {'"': '"', "\\": "\\", "n": "\n"}


def split(line):
    words, at = [], after_blanks(line, 0)
    while at < len(line) and line[at] != "#":
        read = quoted_word if line[at] == '"' else plain_word
        word, end = read(line, at)
        words.append(word)
        at = after_blanks(line, end)
    return words


def after_blanks(line, at):
    while at < len(line) and line[at] in BLANKS:
        at += 1
    return at


def plain_word(line, start):
    end = start
    while end < len(line) and line[end] not in BLANKS:
        end += 1
    return Word(line[start:end], False), end


def quoted_word(line, start):
    letters, at = [], start + 1
    while at < len(line) and line[at] != '"':
        letter, at = quoted_letter(line, at)
        letters.append(letter)
    if at >= len(line):
        raise CardError("quote not closed")
    end = at + 1
    if end < len(line) and line[end] not in BLANKS:
        raise CardError("text after a quote")
    return Word("".join(letters), True), end


def quoted_letter(line, at):
    if line[at] != "\\":
        return line[at], at + 1
    escaped = line[at + 1:at + 2]
    if not escaped:
        raise CardError("quote not closed")
    if escaped not in ESCAPES:
        raise CardError("bad escape '\\%s'" % escaped)
    return ESCAPES[escaped], at + 2
