"""Ways: where something is within lists and objects, such as `questions[2].label`."""


def into(way, name):
    return "%s.%s" % (way, name) if way else name


def item(way, index):
    return "%s[%d]" % (way, index)
