"""Texts."""


def shorten_text(text, size):
    words = text.split(" ")
    result = []
    length = 0
    for word in words:
        length += len(word)
        if length > size:
            break
        result.append(word)
    return " ".join(result)
