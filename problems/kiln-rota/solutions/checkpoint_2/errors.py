"""What a request can be refused with."""


class Refusal(Exception):
    """A request that is answered with a status and a code, and changes nothing."""

    def __init__(self, status, code, **more):
        super().__init__(code)
        self.status = status
        self.body = {"fault": code, **more}


def wrong_field(name):
    return Refusal(422, "wrong-field", field=name)


def missing(kind):
    return Refusal(404, "no-" + kind)


def conflict(code, **more):
    return Refusal(409, code, **more)
