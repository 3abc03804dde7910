class CardError(Exception):
    """What is told to the user instead of a traceback; place is the line of a card, if any."""

    def __init__(self, message, place=None):
        super().__init__(message)
        self.place = place

    def at(self, place):
        return self if self.place else CardError(str(self), place)

    def told(self):
        return "%s: %s" % (self.place, self) if self.place else str(self)


class WeavingError(CardError):
    """What is wrong with a cloth rather than with a line, also if a line asked for it."""

    def at(self, _place):
        return self
