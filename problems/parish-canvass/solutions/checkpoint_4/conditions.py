"""Conditions, under which a question is asked."""
from errors import bad_input
from shapes import NAME, is_whole

DEEPEST = 5


def is_value(value):
    return isinstance(value, (str, bool)) or is_whole(value)


def is_same(value, other):
    """Equal, and of the same type: 1 is not true."""
    return type(value) is type(other) and value == other


TESTS = {
    "is": (is_value, is_same),
    "in": (lambda values: _is_list(values, 20) and all(map(is_value, values)),
           lambda answer, values: any(is_same(answer, value) for value in values)),
    "over": (is_whole, lambda answer, limit: is_whole(answer) and answer > limit),
    "under": (is_whole, lambda answer, limit: is_whole(answer) and answer < limit),
    "given": (lambda value: isinstance(value, bool), None),
}


def condition(value, at, _before=None):
    """The reader of a condition."""
    if not _is_condition(value, DEEPEST):
        raise bad_input(at)
    return value


def _is_condition(value, levels):
    if not isinstance(value, dict) or levels == 0:
        return False
    parts = _parts(value)
    if parts is not None:
        return len(value) == 1 and all(_is_condition(part, levels - 1) for part in parts)
    return _is_test(value)


def _is_test(value):
    tests = [key for key in value if key in TESTS]
    return (len(value) == 2 and len(tests) == 1 and isinstance(value.get("question"), str)
            and NAME.match(value["question"]) is not None and TESTS[tests[0]][0](value[tests[0]]))


def _parts(value):
    """The conditions that a condition is made of, or None if it is a test or nothing."""
    if "not" in value:
        return [value["not"]]
    for key in ("all", "any"):
        if key in value:
            return value[key] if _is_list(value[key], 10) else [None]
    return None


def with_tests(value, change):
    """The condition with each test in it replaced."""
    if "question" in value:
        return change(value)
    return {key: with_tests(part, change) if key == "not"
            else [with_tests(each, change) for each in part] for key, part in value.items()}


def with_value(test, old, new):
    """The test with another value in place of one that it asks for."""
    if "is" in test and is_same(test["is"], old):
        return {**test, "is": new}
    if "in" in test:
        return {**test, "in": [new if is_same(each, old) else each for each in test["in"]]}
    return test


def _is_list(value, most):
    return isinstance(value, list) and 1 <= len(value) <= most


def names(value):
    """The names of all questions in a condition, or in none."""
    if value is None:
        return set()
    if "question" in value:
        return {value["question"]}
    return set().union(*map(names, _parts(value)))


def holds(value, known):
    """Whether a condition holds, given what is known of questions by name; None always does."""
    if value is None:
        return True
    if "not" in value:
        return not holds(value["not"], known)
    if "all" in value:
        return all(holds(part, known) for part in value["all"])
    if "any" in value:
        return any(holds(part, known) for part in value["any"])
    return _test_holds(value, known)


def _test_holds(value, known):
    answered = value["question"] in known
    if "given" in value:
        return answered is value["given"]
    return answered and any(test(known[value["question"]], value[key])
                            for key, (_, test) in TESTS.items() if key in value)
