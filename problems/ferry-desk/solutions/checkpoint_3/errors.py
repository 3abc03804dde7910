"""What a request can be refused with."""


class Refusal(Exception):
    """A request that is answered with a status and a code, and changes nothing."""

    def __init__(self, status, code, **more):
        super().__init__(code)
        self.status = status
        self.body = {"error": code, **more}


def bad_field(name):
    return Refusal(422, "bad-field", field=name)


def stale(version):
    return Refusal(412, "stale", version=version)


def not_found(code):
    return Refusal(404, code)


def conflict(code, **more):
    return Refusal(409, code, **more)
