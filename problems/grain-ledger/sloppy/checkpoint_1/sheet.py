#!/usr/bin/env python3
"""Settlement sheet interpreter."""
import sys

# global state
CELLS = {}
ORDER = []
VALUES = {}
SCALE = 10000000000
LIMIT = 10000000000 * 1000000000000000000


def is_error(value):
    # check if the value is an error
    if isinstance(value, tuple):
        return True
    else:
        return False


def format_number(n):
    # handle negative numbers
    negative = False
    if n < 0:
        negative = True
        n = -n
    whole = n // 10000000000
    frac = n % 10000000000
    frac_text = str(frac)
    while len(frac_text) < 10:
        frac_text = "0" + frac_text
    # strip trailing zeros
    while len(frac_text) > 0 and frac_text[-1] == "0":
        frac_text = frac_text[:-1]
    result = str(whole)
    if frac_text != "":
        result = result + "." + frac_text
    if negative == True:
        result = "-" + result
    return result


def show_value(value):
    # show an error
    if isinstance(value, tuple):
        return "!" + value[1] + " at " + value[2]
    # show a text
    if isinstance(value, str):
        return '"' + value.replace('"', '""') + '"'
    # show a number
    return format_number(value)


def tokenize(line):
    """Split a line into tokens. Returns (tokens, error)."""
    tokens = []
    i = 0
    end = 0
    while i < len(line):
        c = line[i]
        if c == " " or c == "\t":
            i = i + 1
            continue
        if c == "#":
            break
        if c >= "0" and c <= "9":
            j = i
            while j < len(line) and line[j] >= "0" and line[j] <= "9":
                j = j + 1
            whole = line[i:j]
            frac = ""
            if j + 1 < len(line) and line[j] == "." and line[j + 1] >= "0" and line[j + 1] <= "9":
                k = j + 1
                while k < len(line) and line[k] >= "0" and line[k] <= "9":
                    k = k + 1
                frac = line[j + 1:k]
                j = k
            if len(whole) > 18 or len(frac) > 10:
                return None, (i + 1, "number too long")
            padded = frac
            while len(padded) < 10:
                padded = padded + "0"
            tokens.append(("num", line[i:j], i + 1, int(whole + padded)))
            i = j
            end = i
            continue
        if c >= "a" and c <= "z":
            j = i
            while j < len(line) and ((line[j] >= "a" and line[j] <= "z") or (line[j] >= "0" and line[j] <= "9") or line[j] == "_"):
                j = j + 1
            word = line[i:j]
            if word == "and" or word == "or" or word == "not":
                tokens.append(("op", word, i + 1, None))
            else:
                tokens.append(("name", word, i + 1, None))
            i = j
            end = i
            continue
        if c == '"':
            j = i + 1
            text = ""
            closed = False
            while j < len(line):
                if line[j] == '"':
                    if j + 1 < len(line) and line[j + 1] == '"':
                        text = text + '"'
                        j = j + 2
                        continue
                    closed = True
                    break
                text = text + line[j]
                j = j + 1
            if closed == False:
                return None, (i + 1, "text is not closed")
            tokens.append(("txt", line[i:j + 1], i + 1, text))
            i = j + 1
            end = i
            continue
        two = line[i:i + 2]
        if two == "<>" or two == "<=" or two == ">=":
            tokens.append(("op", two, i + 1, None))
            i = i + 2
            end = i
            continue
        if c in "+-*/^&=<>(),":
            tokens.append(("op", c, i + 1, None))
            i = i + 1
            end = i
            continue
        return None, (i + 1, "unexpected character '" + c + "'")
    tokens.append(("end", "", end + 1, None))
    return tokens, None


class ParseError(Exception):
    def __init__(self, col, msg):
        self.col = col
        self.msg = msg


TOKENS = []
POS = 0
LINE = 0


def peek():
    return TOKENS[POS]


def next_token():
    global POS
    t = TOKENS[POS]
    POS = POS + 1
    return t


def unexpected():
    t = peek()
    if t[0] == "end":
        raise ParseError(t[2], "unexpected end of line")
    raise ParseError(t[2], "unexpected '" + t[1] + "'")


def is_op(text):
    t = peek()
    if t[0] == "op" and t[1] == text:
        return True
    return False


def place(t):
    return str(LINE) + ":" + str(t[2])


def parse_or():
    left = parse_and()
    while is_op("or"):
        t = next_token()
        right = parse_and()
        left = ("bin", t[1], left, right, place(t))
    return left


def parse_and():
    left = parse_not()
    while is_op("and"):
        t = next_token()
        right = parse_not()
        left = ("bin", t[1], left, right, place(t))
    return left


def parse_not():
    if is_op("not"):
        t = next_token()
        operand = parse_not()
        return ("un", "not", operand, place(t))
    return parse_compare()


def parse_compare():
    left = parse_join()
    if is_op("=") or is_op("<>") or is_op("<") or is_op("<=") or is_op(">") or is_op(">="):
        t = next_token()
        right = parse_join()
        left = ("bin", t[1], left, right, place(t))
        # comparisons cannot be chained
        if is_op("=") or is_op("<>") or is_op("<") or is_op("<=") or is_op(">") or is_op(">="):
            unexpected()
    return left


def parse_join():
    left = parse_add()
    while is_op("&"):
        t = next_token()
        right = parse_add()
        left = ("bin", t[1], left, right, place(t))
    return left


def parse_add():
    left = parse_mul()
    while is_op("+") or is_op("-"):
        t = next_token()
        right = parse_mul()
        left = ("bin", t[1], left, right, place(t))
    return left


def parse_mul():
    left = parse_neg()
    while is_op("*") or is_op("/"):
        t = next_token()
        right = parse_neg()
        left = ("bin", t[1], left, right, place(t))
    return left


def parse_neg():
    if is_op("-"):
        t = next_token()
        operand = parse_neg()
        return ("un", "-", operand, place(t))
    return parse_power()


def parse_power():
    left = parse_atom()
    if is_op("^"):
        t = next_token()
        right = parse_neg()
        left = ("bin", "^", left, right, place(t))
    return left


def parse_atom():
    t = peek()
    if t[0] == "num":
        next_token()
        return ("num", t[3])
    if t[0] == "txt":
        next_token()
        return ("txt", t[3])
    if t[0] == "name":
        next_token()
        if is_op("("):
            next_token()
            args = []
            if is_op(")"):
                next_token()
                return ("call", t[1], args, place(t))
            args.append(parse_or())
            while is_op(","):
                next_token()
                args.append(parse_or())
            if not is_op(")"):
                unexpected()
            next_token()
            return ("call", t[1], args, place(t))
        return ("name", t[1], place(t))
    if is_op("("):
        next_token()
        inner = parse_or()
        if not is_op(")"):
            unexpected()
        next_token()
        return inner
    unexpected()


def check_limit(n, where):
    # check if the number is too large
    if n >= LIMIT or n <= -LIMIT:
        return ("err", "number too large", where)
    return n


def get_cell(name):
    # return the cached value if there is one
    if name in VALUES:
        return VALUES[name]
    value = evaluate(CELLS[name][0])
    VALUES[name] = value
    return value


def arg_error(name, want, got, where):
    if want == 1:
        return ("err", name + " takes 1 argument, got " + str(got), where)
    return ("err", name + " takes " + str(want) + " arguments, got " + str(got), where)


def eval_and(node, left):
    where = node[4]
    if isinstance(left, str):
        return ("err", "expected a number, got text", where)
    if left == 0:
        return 0
    right = evaluate(node[3])
    if is_error(right):
        return right
    if isinstance(right, str):
        return ("err", "expected a number, got text", where)
    if right == 0:
        return 0
    else:
        return SCALE


def eval_or(node, left):
    where = node[4]
    if isinstance(left, str):
        return ("err", "expected a number, got text", where)
    if left != 0:
        return SCALE
    right = evaluate(node[3])
    if is_error(right):
        return right
    if isinstance(right, str):
        return ("err", "expected a number, got text", where)
    if right == 0:
        return 0
    else:
        return SCALE


def compare(op, left, right, where):
    if type(left) != type(right):
        return ("err", "cannot compare a number with text", where)
    if op == "<":
        if left < right:
            return SCALE
        else:
            return 0
    elif op == "<=":
        if left <= right:
            return SCALE
        else:
            return 0
    elif op == ">":
        if left > right:
            return SCALE
        else:
            return 0
    elif op == ">=":
        if left >= right:
            return SCALE
        else:
            return 0


def multiply(left, right, where):
    product = left * right
    # round half to even
    q = product // SCALE
    r = product % SCALE
    if r * 2 > SCALE:
        q = q + 1
    elif r * 2 == SCALE:
        if q % 2 == 1:
            q = q + 1
    return check_limit(q, where)


def divide(left, right, where):
    if right == 0:
        return ("err", "division by zero", where)
    top = left * SCALE
    bottom = right
    if bottom < 0:
        top = -top
        bottom = -bottom
    # round half to even
    q = top // bottom
    r = top % bottom
    if r * 2 > bottom:
        q = q + 1
    elif r * 2 == bottom:
        if q % 2 == 1:
            q = q + 1
    return check_limit(q, where)


def power(left, right, where):
    if right % SCALE != 0 or right < 0 or right > 100 * SCALE:
        return ("err", "bad exponent " + format_number(right), where)
    e = right // SCALE
    if e == 0:
        return SCALE
    top = left ** e
    bottom = SCALE ** (e - 1)
    # round half to even
    q = top // bottom
    r = top % bottom
    if r * 2 > bottom:
        q = q + 1
    elif r * 2 == bottom:
        if q % 2 == 1:
            q = q + 1
    return check_limit(q, where)


def arithmetic(op, left, right, where):
    if isinstance(left, str):
        return ("err", "expected a number, got text", where)
    if isinstance(right, str):
        return ("err", "expected a number, got text", where)
    if op == "+":
        return check_limit(left + right, where)
    if op == "-":
        return check_limit(left - right, where)
    if op == "*":
        return multiply(left, right, where)
    if op == "/":
        return divide(left, right, where)
    if op == "^":
        return power(left, right, where)
    return None


def eval_binary(node):
    op = node[1]
    where = node[4]
    left = evaluate(node[2])
    if is_error(left):
        return left
    if op == "and":
        return eval_and(node, left)
    if op == "or":
        return eval_or(node, left)
    right = evaluate(node[3])
    if is_error(right):
        return right
    if op == "&":
        if isinstance(left, str):
            left_text = left
        else:
            left_text = format_number(left)
        if isinstance(right, str):
            right_text = right
        else:
            right_text = format_number(right)
        return left_text + right_text
    if op == "=":
        if type(left) == type(right) and left == right:
            return SCALE
        else:
            return 0
    if op == "<>":
        if type(left) == type(right) and left == right:
            return 0
        else:
            return SCALE
    if op == "<" or op == "<=" or op == ">" or op == ">=":
        return compare(op, left, right, where)
    return arithmetic(op, left, right, where)


def eval_unary(node):
    where = node[3]
    v = evaluate(node[2])
    if is_error(v):
        return v
    if isinstance(v, str):
        return ("err", "expected a number, got text", where)
    if node[1] == "not":
        if v == 0:
            return SCALE
        else:
            return 0
    return -v


def call_if(args, where):
    if len(args) != 3:
        return arg_error("if", 3, len(args), where)
    cond = evaluate(args[0])
    if is_error(cond):
        return cond
    if isinstance(cond, str):
        return ("err", "expected a number, got text", where)
    if cond != 0:
        return evaluate(args[1])
    else:
        return evaluate(args[2])


def call_iferror(args, where):
    if len(args) != 2:
        return arg_error("iferror", 2, len(args), where)
    v = evaluate(args[0])
    if is_error(v):
        return evaluate(args[1])
    return v


def call_round(args, where):
    if len(args) != 2:
        return arg_error("round", 2, len(args), where)
    a = evaluate(args[0])
    if is_error(a):
        return a
    b = evaluate(args[1])
    if is_error(b):
        return b
    if isinstance(a, str):
        return ("err", "expected a number, got text", where)
    if isinstance(b, str):
        return ("err", "expected a number, got text", where)
    if b % SCALE != 0 or b < 0 or b > 10 * SCALE:
        return ("err", "bad number of places " + format_number(b), where)
    step = 10 ** (10 - b // SCALE)
    if a < 0:
        result = -((-a * 2 + step) // (2 * step) * step)
    else:
        result = (a * 2 + step) // (2 * step) * step
    return check_limit(result, where)


def call_text(args, where):
    if len(args) != 2:
        return arg_error("text", 2, len(args), where)
    a = evaluate(args[0])
    if is_error(a):
        return a
    b = evaluate(args[1])
    if is_error(b):
        return b
    if isinstance(a, str):
        return ("err", "expected a number, got text", where)
    if isinstance(b, str):
        return ("err", "expected a number, got text", where)
    if b % SCALE != 0 or b < 0 or b > 10 * SCALE:
        return ("err", "bad number of places " + format_number(b), where)
    places = b // SCALE
    step = 10 ** (10 - places)
    if a < 0:
        result = -((-a * 2 + step) // (2 * step) * step)
    else:
        result = (a * 2 + step) // (2 * step) * step
    text = format_number(result)
    if places > 0:
        if "." not in text:
            text = text + "."
        while len(text.split(".")[1]) < places:
            text = text + "0"
    return text


def call_floor(args, where):
    if len(args) != 1:
        return arg_error("floor", 1, len(args), where)
    a = evaluate(args[0])
    if is_error(a):
        return a
    if isinstance(a, str):
        return ("err", "expected a number, got text", where)
    return check_limit(a // SCALE * SCALE, where)


def call_abs(args, where):
    if len(args) != 1:
        return arg_error("abs", 1, len(args), where)
    a = evaluate(args[0])
    if is_error(a):
        return a
    if isinstance(a, str):
        return ("err", "expected a number, got text", where)
    if a < 0:
        return -a
    return a


def call_min(args, where):
    if len(args) < 1:
        return ("err", "min takes at least 1 argument, got 0", where)
    values = []
    for arg in args:
        v = evaluate(arg)
        if is_error(v):
            return v
        values.append(v)
    for v in values:
        if isinstance(v, str):
            return ("err", "expected a number, got text", where)
    best = values[0]
    for v in values:
        if v < best:
            best = v
    return best


def call_max(args, where):
    if len(args) < 1:
        return ("err", "max takes at least 1 argument, got 0", where)
    values = []
    for arg in args:
        v = evaluate(arg)
        if is_error(v):
            return v
        values.append(v)
    for v in values:
        if isinstance(v, str):
            return ("err", "expected a number, got text", where)
    best = values[0]
    for v in values:
        if v > best:
            best = v
    return best


def call_mod(args, where):
    if len(args) != 2:
        return arg_error("mod", 2, len(args), where)
    a = evaluate(args[0])
    if is_error(a):
        return a
    b = evaluate(args[1])
    if is_error(b):
        return b
    if isinstance(a, str):
        return ("err", "expected a number, got text", where)
    if isinstance(b, str):
        return ("err", "expected a number, got text", where)
    if b == 0:
        return ("err", "division by zero", where)
    return a % b


def call_len(args, where):
    if len(args) != 1:
        return arg_error("len", 1, len(args), where)
    a = evaluate(args[0])
    if is_error(a):
        return a
    if not isinstance(a, str):
        return ("err", "expected text, got a number", where)
    return len(a) * SCALE


def call_number(args, where):
    if len(args) != 1:
        return arg_error("number", 1, len(args), where)
    a = evaluate(args[0])
    if is_error(a):
        return a
    if not isinstance(a, str):
        return ("err", "expected text, got a number", where)
    try:
        rest = a
        negative = False
        if rest.startswith("-"):
            negative = True
            rest = rest[1:]
        toks, err = tokenize(rest)
        if err is not None or len(toks) != 2 or toks[0][0] != "num" or toks[0][1] != rest:
            return ("err", "not a number '" + a + "'", where)
        if negative == True:
            return -toks[0][3]
        return toks[0][3]
    except Exception:
        return ("err", "not a number '" + a + "'", where)


def call_error(args, where):
    if len(args) != 1:
        return arg_error("error", 1, len(args), where)
    a = evaluate(args[0])
    if is_error(a):
        return a
    if isinstance(a, str):
        return ("err", a, where)
    else:
        return ("err", format_number(a), where)


def eval_call(node):
    name = node[1]
    args = node[2]
    where = node[3]
    if name == "if":
        return call_if(args, where)
    elif name == "iferror":
        return call_iferror(args, where)
    elif name == "round":
        return call_round(args, where)
    elif name == "text":
        return call_text(args, where)
    elif name == "floor":
        return call_floor(args, where)
    elif name == "abs":
        return call_abs(args, where)
    elif name == "min":
        return call_min(args, where)
    elif name == "max":
        return call_max(args, where)
    elif name == "mod":
        return call_mod(args, where)
    elif name == "len":
        return call_len(args, where)
    elif name == "number":
        return call_number(args, where)
    elif name == "error":
        return call_error(args, where)
    else:
        return ("err", "unknown function '" + name + "'", where)


def evaluate(node):
    kind = node[0]
    if kind == "num":
        return node[1]
    elif kind == "txt":
        return node[1]
    elif kind == "name":
        name = node[1]
        if name not in CELLS:
            return ("err", "unknown name '" + name + "'", node[2])
        return get_cell(name)
    elif kind == "un":
        return eval_unary(node)
    elif kind == "bin":
        return eval_binary(node)
    elif kind == "call":
        return eval_call(node)
    return None


def read_file(filename):
    # read the file
    try:
        f = open(filename, "rb")
        data = f.read()
        f.close()
    except Exception:
        print("error: cannot read " + filename, file=sys.stderr)
        sys.exit(1)
    try:
        text = data.decode("utf-8")
    except Exception:
        print("error: " + filename + " is not UTF-8", file=sys.stderr)
        sys.exit(1)
    return text


def load_sheet(filename):
    global TOKENS, POS, LINE
    text = read_file(filename)
    faults = []
    lines = text.split("\n")
    LINE = 0
    for line in lines:
        LINE = LINE + 1
        if line.endswith("\r"):
            line = line[:-1]
        tokens, err = tokenize(line)
        if err is not None:
            faults.append((LINE, err[0], err[1]))
            continue
        if len(tokens) == 1:
            continue
        TOKENS = tokens
        POS = 0
        try:
            t = peek()
            if t[0] != "name":
                unexpected()
            next_token()
            if not is_op("="):
                unexpected()
            next_token()
            node = parse_or()
            if peek()[0] != "end":
                unexpected()
            if t[1] in CELLS:
                raise ParseError(t[2], "'" + t[1] + "' is already defined in line " + str(CELLS[t[1]][1]))
            CELLS[t[1]] = (node, LINE)
            ORDER.append(t[1])
        except ParseError as e:
            faults.append((LINE, e.col, e.msg))
    # report the faults
    if len(faults) > 0:
        for fault in faults:
            print(filename + ":" + str(fault[0]) + ":" + str(fault[1]) + ": " + fault[2], file=sys.stderr)
        sys.exit(1)


def main():
    sys.setrecursionlimit(20000)
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    sys.stderr.reconfigure(encoding="utf-8", newline="\n")
    args = sys.argv[1:]
    if len(args) < 1:
        print("usage: sheet.py COMMAND ...", file=sys.stderr)
        sys.exit(2)
    command = args[0]
    if command == "check":
        if len(args) != 2:
            print("usage: sheet.py check FILE", file=sys.stderr)
            sys.exit(2)
        load_sheet(args[1])
        print("ok: " + str(len(ORDER)) + " definitions")
        sys.exit(0)
    elif command == "eval":
        if len(args) < 2:
            print("usage: sheet.py eval FILE [NAME ...]", file=sys.stderr)
            sys.exit(2)
        load_sheet(args[1])
        names = args[2:]
        if len(names) == 0:
            names = ORDER
        for name in names:
            if name not in CELLS:
                print("error: no cell '" + name + "'", file=sys.stderr)
                sys.exit(1)
        failed = False
        for name in names:
            value = get_cell(name)
            if is_error(value):
                failed = True
            print(name + " = " + show_value(value))
        if failed == True:
            sys.exit(3)
        sys.exit(0)
    else:
        print("unknown command " + command, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
