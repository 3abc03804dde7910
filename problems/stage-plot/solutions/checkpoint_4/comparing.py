"""In what two books differ."""

import keys


def differences(old, new):
    return [
        "%s: %s -> %s" % (keys.show(key), shown(old, key), shown(new, key))
        for key in sorted(old.values.keys() | new.values.keys())
        if old.values.get(key) != new.values.get(key)
    ]


def shown(book, key):
    return book.show(key) if key in book.values else "none"
