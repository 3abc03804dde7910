"""Wrong: a question becomes an expression of Python."""
import re

from refusal import Refusal

MOST_CHARACTERS = 1000


def parse_question(question):
    """A function of path and text that answers the question."""
    if len(question) > MOST_CHARACTERS:
        raise Refusal("bad question")
    expression = re.sub(r"(?<![!<>=])=(?!=)", "==", question.strip())
    expression = re.sub(r'(\w+) *~ *("[^"]*")', r"\2 in \1", expression)

    def holds(path, text):
        folder = path.split("/")[0] if "/" in path else ""
        names = {"path": path, "folder": folder, "text": text, "size": len(text), "lines": text.count("\n")}
        try:
            return eval(expression, names)
        except Exception:
            raise Refusal("bad question") from None
    return holds
