"""What a value says in one of its fields."""
import json


def term(value, path):
    """The text or whole number at the path of a value; None without one."""
    try:
        found = json.loads(value, parse_int=str, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    for name in path.split("."):
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, str) else None


def _refuse(name):
    raise ValueError(name)
