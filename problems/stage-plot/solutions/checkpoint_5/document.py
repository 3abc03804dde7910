"""The text of a file, changed line by line; everything else stays to the byte."""


class Document:
    def __init__(self, text):
        self.lines = text.split("\n")
        self.lines = [line + "\n" for line in self.lines[:-1]] + self.lines[-1:]
        if not self.lines[-1]:
            self.lines.pop()
        self.end = "\n"
        if self.lines and self.lines[0].endswith("\r\n"):
            self.end = "\r\n"

    def text(self):
        return "".join(self.lines)

    def replace(self, setting, sign, text):
        """Puts SIGN and TEXT in place of the sign and the value of a setting."""
        line = self.lines[setting.place.number - 1]
        end = sign_end(line)
        start = value_start(line)
        before = line[: end - len(setting.sign)]
        behind = line[start + len(setting.text) :]
        self.lines[setting.place.number - 1] = before + sign + line[end:start] + text + behind

    def take_out(self, numbers):
        kept = enumerate(self.lines, 1)
        self.lines = [line for number, line in kept if number not in numbers]

    def insert(self, number, text):
        """Puts a new line behind line NUMBER, 0 for the top."""
        if number and not self.lines[number - 1].endswith("\n"):
            self.lines[number - 1] += self.end
        self.lines.insert(number, text + self.end)


def sign_end(line):
    end = line.index("=") + 1
    return end + 1 if line.startswith("!", end) else end


def value_start(line):
    start = sign_end(line)
    while line[start : start + 1] in (" ", "\t"):
        start += 1
    return start
