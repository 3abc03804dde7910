"""Which changes are needed to read some versions."""
from bisect import bisect_right


def kept(changes, versions, keep_first_deletes):
    """Those changes of one key that decide its value at one of the versions."""
    numbers = [change.sequence for change in changes]
    places = sorted({bisect_right(numbers, version) - 1 for version in versions})
    found = [changes[place] for place in places if place >= 0]
    if found and found[0].value is None and not keep_first_deletes:
        return found[1:]
    return found
