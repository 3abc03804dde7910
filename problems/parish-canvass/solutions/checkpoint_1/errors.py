"""What a request can be refused with."""


class Refusal(Exception):
    """A request that is answered with a status and a code, and changes nothing."""

    def __init__(self, status, code, **more):
        super().__init__(code)
        self.status = status
        self.body = {"error": code, **more}
        self.headers = {}


def wrong_method(allowed):
    refusal = Refusal(405, "wrong-method")
    refusal.headers["Allow"] = ", ".join(sorted(allowed))
    return refusal


def bad_input(at):
    return Refusal(422, "bad-input", at=at)


def bad_answers(faults):
    return Refusal(422, "bad-answers", faults=faults)


def not_found(code):
    return Refusal(404, code)


def conflict(code, **more):
    return Refusal(409, code, **more)
