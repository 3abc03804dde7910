"""Reasons for which a request is refused."""


class Refusal(Exception):
    def __init__(self, status, code, **details):
        super().__init__(code)
        self.status = status
        self.body = {"fault": code, **details}


def wrong_field(name):
    return Refusal(422, "wrong-field", field=name)
