#!/usr/bin/env python3
"""Settlement sheet interpreter."""
import os
import sys

# global state
CELLS = {}
ORDER = []
TABLES = {}
LINES = []
DEPS = {}
FUNCS = {}
USES = {}
SHEETS = {}
ALIASES = {}
PREFIXES = []
PREFIX_OF = {}
SOURCE = ""
SHEET_FAULTS = []
USED = {}
BUILTINS = ["if", "iferror", "round", "text", "floor", "abs", "min", "max", "sum", "count", "avg", "lookup", "mod", "len", "number", "error"]
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
            # dotted names
            while j + 1 < len(line) and line[j] == "." and line[j + 1] >= "a" and line[j + 1] <= "z":
                j = j + 1
                while j < len(line) and ((line[j] >= "a" and line[j] <= "z") or (line[j] >= "0" and line[j] <= "9") or line[j] == "_"):
                    j = j + 1
            word = line[i:j]
            if word == "and" or word == "or" or word == "not" or word == "let" or word == "in":
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
        if c in "+-*/^&=<>(),|":
            tokens.append(("op", c, i + 1, None))
            i = i + 1
            end = i
            continue
        return None, (i + 1, "unexpected character '" + c + "'")
    tokens.append(("end", "", end + 1, line[i:].rstrip()))
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
    return SOURCE + str(LINE) + ":" + str(t[2])


def parse_expr():
    # let NAME = EXPR in EXPR
    if is_op("let"):
        t = next_token()
        where = place(t)
        t = peek()
        if t[0] != "name" or "." in t[1]:
            unexpected()
        next_token()
        if not is_op("="):
            unexpected()
        next_token()
        value = parse_expr()
        if not is_op("in"):
            unexpected()
        next_token()
        body = parse_expr()
        return ("let", t[1], value, body, where)
    return parse_or()


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
            args.append(parse_expr())
            while is_op(","):
                next_token()
                args.append(parse_expr())
            if not is_op(")"):
                unexpected()
            next_token()
            return ("call", t[1], args, place(t))
        return ("name", t[1], place(t))
    if is_op("("):
        next_token()
        inner = parse_expr()
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


def is_column(name):
    # check if the name is a column of a table
    if "." in name:
        parts = name.rsplit(".", 1)
        if parts[0] in TABLES:
            for col in TABLES[parts[0]]["cols"]:
                if col[0] == parts[1]:
                    return True
    return False


def resolve(name, prefix):
    # follow the aliases
    while True:
        if "." not in name:
            return prefix + name
        first = name.split(".", 1)[0]
        rest = name.split(".", 1)[1]
        if first in ALIASES[prefix]:
            prefix = ALIASES[prefix][first]
            name = rest
        else:
            return prefix + name


def collect(node, table, out, bound, funcs, prefix):
    """Collect the dependencies of a node."""
    if node[0] == "name":
        name = node[1]
        if name in bound:
            return
        if table is not None and is_column(table + "." + name):
            out.append((table + "." + name, node[2]))
            return
        full = resolve(name, prefix)
        if full in CELLS:
            out.append((full, node[2]))
        elif is_column(full):
            out.append((full, node[2]))
    elif node[0] == "un":
        collect(node[2], table, out, bound, funcs, prefix)
    elif node[0] == "bin":
        collect(node[2], table, out, bound, funcs, prefix)
        collect(node[3], table, out, bound, funcs, prefix)
    elif node[0] == "let":
        collect(node[2], table, out, bound, funcs, prefix)
        collect(node[3], table, out, bound + [node[1]], funcs, prefix)
    elif node[0] == "call":
        full = resolve(node[1], prefix)
        if full in FUNCS and full not in funcs:
            # also collect the dependencies of the function
            inner = []
            seen = funcs + [full]
            collect(FUNCS[full][1], None, inner, FUNCS[full][0], seen, FUNCS[full][3])
            for item in inner:
                out.append((item[0], node[3]))
        for arg in node[2]:
            collect(arg, table, out, bound, funcs, prefix)


def get_deps(key):
    if key in DEPS:
        return DEPS[key]
    out = []
    if key in CELLS:
        collect(CELLS[key][0], None, out, [], [], PREFIX_OF[key])
    else:
        parts = key.rsplit(".", 1)
        table = TABLES[parts[0]]
        index = 0
        for col in table["cols"]:
            if col[0] == parts[1]:
                if col[1] is None:
                    for row in table["rows"]:
                        collect(row[index], None, out, [], [], PREFIX_OF[parts[0]])
                else:
                    collect(col[1], parts[0], out, [], [], PREFIX_OF[parts[0]])
            if col[1] is None:
                index = index + 1
    DEPS[key] = out
    return out


def find_cycle(key):
    """Find the shortest cycle through key with a breadth first search."""
    paths = [[key]]
    seen = set()
    while len(paths) > 0:
        path = paths.pop(0)
        names = []
        for dep in get_deps(path[-1]):
            if dep[0] not in names:
                names.append(dep[0])
        names.sort()
        for name in names:
            if name == key:
                return path + [key]
            if name not in seen:
                seen.add(name)
                paths.append(path + [name])
    return None


def cycle_error(key):
    # check for cycles
    path = find_cycle(key)
    if path is not None:
        for dep in get_deps(key):
            if dep[0] == path[1]:
                return ("err", "cycle " + " -> ".join(path), dep[1])
    return None


def get_cell(name):
    # return the cached value if there is one
    if name in VALUES:
        return VALUES[name]
    err = cycle_error(name)
    if err is not None:
        VALUES[name] = err
        return err
    used = []
    value = evaluate(CELLS[name][0], {"locals": {}, "used": used, "depth": 0, "prefix": PREFIX_OF[name]})
    VALUES[name] = value
    USED[name] = used
    return value


def get_column(key):
    # return the cached values if there are any
    if key in VALUES:
        return VALUES[key]
    err = cycle_error(key)
    if err is not None:
        VALUES[key] = err
        return err
    parts = key.rsplit(".", 1)
    table = TABLES[parts[0]]
    values = []
    used = []
    index = 0
    for col in table["cols"]:
        if col[0] == parts[1]:
            if col[1] is None:
                for row in table["rows"]:
                    values.append(evaluate(row[index], {"locals": {}, "used": used, "depth": 0, "prefix": PREFIX_OF[parts[0]]}))
            else:
                for i in range(len(table["rows"])):
                    values.append(evaluate(col[1], {"table": parts[0], "row": i, "locals": {}, "used": used, "depth": 0, "prefix": PREFIX_OF[parts[0]]}))
        if col[1] is None:
            index = index + 1
    VALUES[key] = values
    USED[key] = used
    return values


def add_used(env, key):
    # remember that the key was used
    for item in env["used"]:
        if item[0] == "key" and item[1] == key:
            return
    env["used"].append(("key", key))


def eval_arg(node, env):
    """Evaluate an argument that may be a column. Columns come back as lists."""
    if node[0] == "name":
        name = node[1]
        if name in env["locals"]:
            return evaluate(node, env)
        if "table" in env and is_column(env["table"] + "." + name):
            return evaluate(node, env)
        name = resolve(name, env["prefix"])
        if name in CELLS:
            return evaluate(node, env)
        if is_column(name):
            add_used(env, name)
            values = get_column(name)
            if is_error(values):
                return values
            for v in values:
                if is_error(v):
                    return v
            return values
    return evaluate(node, env)


def arg_error(name, want, got, where):
    if want == 1:
        return ("err", name + " takes 1 argument, got " + str(got), where)
    return ("err", name + " takes " + str(want) + " arguments, got " + str(got), where)


def eval_and(node, left, env):
    where = node[4]
    if isinstance(left, str):
        return ("err", "expected a number, got text", where)
    if left == 0:
        return 0
    right = evaluate(node[3], env)
    if is_error(right):
        return right
    if isinstance(right, str):
        return ("err", "expected a number, got text", where)
    if right == 0:
        return 0
    else:
        return SCALE


def eval_or(node, left, env):
    where = node[4]
    if isinstance(left, str):
        return ("err", "expected a number, got text", where)
    if left != 0:
        return SCALE
    right = evaluate(node[3], env)
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


def eval_binary(node, env):
    op = node[1]
    where = node[4]
    left = evaluate(node[2], env)
    if is_error(left):
        return left
    if op == "and":
        return eval_and(node, left, env)
    if op == "or":
        return eval_or(node, left, env)
    right = evaluate(node[3], env)
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


def eval_unary(node, env):
    where = node[3]
    v = evaluate(node[2], env)
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


def call_if(args, env, where):
    if len(args) != 3:
        return arg_error("if", 3, len(args), where)
    cond = evaluate(args[0], env)
    if is_error(cond):
        return cond
    if isinstance(cond, str):
        return ("err", "expected a number, got text", where)
    if cond != 0:
        return evaluate(args[1], env)
    else:
        return evaluate(args[2], env)


def call_iferror(args, env, where):
    if len(args) != 2:
        return arg_error("iferror", 2, len(args), where)
    v = evaluate(args[0], env)
    if is_error(v):
        return evaluate(args[1], env)
    return v


def call_round(args, env, where):
    if len(args) != 2:
        return arg_error("round", 2, len(args), where)
    a = evaluate(args[0], env)
    if is_error(a):
        return a
    b = evaluate(args[1], env)
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


def call_text(args, env, where):
    if len(args) != 2:
        return arg_error("text", 2, len(args), where)
    a = evaluate(args[0], env)
    if is_error(a):
        return a
    b = evaluate(args[1], env)
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


def call_floor(args, env, where):
    if len(args) != 1:
        return arg_error("floor", 1, len(args), where)
    a = evaluate(args[0], env)
    if is_error(a):
        return a
    if isinstance(a, str):
        return ("err", "expected a number, got text", where)
    return check_limit(a // SCALE * SCALE, where)


def call_abs(args, env, where):
    if len(args) != 1:
        return arg_error("abs", 1, len(args), where)
    a = evaluate(args[0], env)
    if is_error(a):
        return a
    if isinstance(a, str):
        return ("err", "expected a number, got text", where)
    if a < 0:
        return -a
    return a


def call_min(args, env, where):
    if len(args) < 1:
        return ("err", "min takes at least 1 argument, got 0", where)
    values = []
    for arg in args:
        v = eval_arg(arg, env)
        if is_error(v):
            return v
        if isinstance(v, list):
            for x in v:
                values.append(x)
        else:
            values.append(v)
    for v in values:
        if isinstance(v, str):
            return ("err", "expected a number, got text", where)
    if len(values) == 0:
        return ("err", "no values", where)
    best = values[0]
    for v in values:
        if v < best:
            best = v
    return best


def call_max(args, env, where):
    if len(args) < 1:
        return ("err", "max takes at least 1 argument, got 0", where)
    values = []
    for arg in args:
        v = eval_arg(arg, env)
        if is_error(v):
            return v
        if isinstance(v, list):
            for x in v:
                values.append(x)
        else:
            values.append(v)
    for v in values:
        if isinstance(v, str):
            return ("err", "expected a number, got text", where)
    if len(values) == 0:
        return ("err", "no values", where)
    best = values[0]
    for v in values:
        if v > best:
            best = v
    return best


def call_mod(args, env, where):
    if len(args) != 2:
        return arg_error("mod", 2, len(args), where)
    a = evaluate(args[0], env)
    if is_error(a):
        return a
    b = evaluate(args[1], env)
    if is_error(b):
        return b
    if isinstance(a, str):
        return ("err", "expected a number, got text", where)
    if isinstance(b, str):
        return ("err", "expected a number, got text", where)
    if b == 0:
        return ("err", "division by zero", where)
    return a % b


def call_len(args, env, where):
    if len(args) != 1:
        return arg_error("len", 1, len(args), where)
    a = evaluate(args[0], env)
    if is_error(a):
        return a
    if not isinstance(a, str):
        return ("err", "expected text, got a number", where)
    return len(a) * SCALE


def call_number(args, env, where):
    if len(args) != 1:
        return arg_error("number", 1, len(args), where)
    a = evaluate(args[0], env)
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


def call_error(args, env, where):
    if len(args) != 1:
        return arg_error("error", 1, len(args), where)
    a = evaluate(args[0], env)
    if is_error(a):
        return a
    if isinstance(a, str):
        return ("err", a, where)
    else:
        return ("err", format_number(a), where)


def eval_call(node, env):
    name = node[1]
    args = node[2]
    where = node[3]
    if name == "if":
        return call_if(args, env, where)
    elif name == "iferror":
        return call_iferror(args, env, where)
    elif name == "round":
        return call_round(args, env, where)
    elif name == "text":
        return call_text(args, env, where)
    elif name == "floor":
        return call_floor(args, env, where)
    elif name == "abs":
        return call_abs(args, env, where)
    elif name == "min":
        return call_min(args, env, where)
    elif name == "max":
        return call_max(args, env, where)
    elif name == "sum":
        if len(args) < 1:
            return ("err", "sum takes at least 1 argument, got 0", where)
        values = []
        for arg in args:
            v = eval_arg(arg, env)
            if is_error(v):
                return v
            if isinstance(v, list):
                for x in v:
                    values.append(x)
            else:
                values.append(v)
        for v in values:
            if isinstance(v, str):
                return ("err", "expected a number, got text", where)
        total = 0
        for v in values:
            total = total + v
        return check_limit(total, where)
    elif name == "count":
        if len(args) < 1:
            return ("err", "count takes at least 1 argument, got 0", where)
        values = []
        for arg in args:
            v = eval_arg(arg, env)
            if is_error(v):
                return v
            if isinstance(v, list):
                for x in v:
                    values.append(x)
            else:
                values.append(v)
        return len(values) * SCALE
    elif name == "avg":
        if len(args) < 1:
            return ("err", "avg takes at least 1 argument, got 0", where)
        values = []
        for arg in args:
            v = eval_arg(arg, env)
            if is_error(v):
                return v
            if isinstance(v, list):
                for x in v:
                    values.append(x)
            else:
                values.append(v)
        for v in values:
            if isinstance(v, str):
                return ("err", "expected a number, got text", where)
        if len(values) == 0:
            return ("err", "no values", where)
        total = 0
        for v in values:
            total = total + v
        top = total
        bottom = len(values)
        # round half to even
        q = top // bottom
        r = top % bottom
        if r * 2 > bottom:
            q = q + 1
        elif r * 2 == bottom:
            if q % 2 == 1:
                q = q + 1
        return check_limit(q, where)
    elif name == "lookup":
        if len(args) != 3:
            return arg_error(name, 3, len(args), where)
        key = eval_arg(args[0], env)
        if is_error(key):
            return key
        keys = eval_arg(args[1], env)
        if is_error(keys):
            return keys
        values = eval_arg(args[2], env)
        if is_error(values):
            return values
        if isinstance(key, list):
            return ("err", "expected a single value, got a column", where)
        if not isinstance(keys, list):
            return ("err", "expected a column, got a single value", where)
        if not isinstance(values, list):
            return ("err", "expected a column, got a single value", where)
        if len(keys) != len(values):
            return ("err", "columns differ in length", where)
        for i in range(len(keys)):
            if type(keys[i]) == type(key) and keys[i] == key:
                return values[i]
        return ("err", "no row with " + show_value(key), where)
    elif name == "mod":
        return call_mod(args, env, where)
    elif name == "len":
        return call_len(args, env, where)
    elif name == "number":
        return call_number(args, env, where)
    elif name == "error":
        return call_error(args, env, where)
    elif resolve(name, env["prefix"]) in FUNCS:
        full = resolve(name, env["prefix"])
        params = FUNCS[full][0]
        if len(args) != len(params):
            return arg_error(name, len(params), len(args), where)
        values = []
        for arg in args:
            v = evaluate(arg, env)
            if is_error(v):
                return v
            values.append(v)
        if env["depth"] >= 100:
            return ("err", "calls nested too deeply", where)
        new_locals = {}
        for i in range(len(params)):
            new_locals[params[i]] = values[i]
        used = []
        new_env = {"locals": new_locals, "used": used, "depth": env["depth"] + 1, "prefix": FUNCS[full][3]}
        result = evaluate(FUNCS[full][1], new_env)
        # remember the call for explain
        texts = []
        for v in values:
            texts.append(show_value(v))
        label = full + "(" + ", ".join(texts) + ")"
        found = False
        for item in env["used"]:
            if item[0] == "call" and item[1] == label:
                found = True
        if found == False:
            env["used"].append(("call", label, result, used, FUNCS[full][1]))
        return result
    else:
        return ("err", "unknown function '" + name + "'", where)


def evaluate(node, env):
    kind = node[0]
    if kind == "num":
        return node[1]
    elif kind == "txt":
        return node[1]
    elif kind == "name":
        name = node[1]
        if name in env["locals"]:
            return env["locals"][name]
        if "table" in env and is_column(env["table"] + "." + name):
            add_used(env, env["table"] + "." + name)
            values = get_column(env["table"] + "." + name)
            if is_error(values):
                return values
            return values[env["row"]]
        name = resolve(name, env["prefix"])
        if is_column(name):
            add_used(env, name)
            values = get_column(name)
            if is_error(values):
                return values
            for v in values:
                if is_error(v):
                    return v
            return ("err", "expected a single value, got a column", node[2])
        if name in TABLES:
            return ("err", "expected a single value, got a table", node[2])
        if name not in CELLS:
            return ("err", "unknown name '" + node[1] + "'", node[2])
        add_used(env, name)
        return get_cell(name)
    elif kind == "let":
        v = evaluate(node[2], env)
        if is_error(v):
            return v
        new_env = dict(env)
        new_env["locals"] = dict(env["locals"])
        new_env["locals"][node[1]] = v
        return evaluate(node[3], new_env)
    elif kind == "un":
        return eval_unary(node, env)
    elif kind == "bin":
        return eval_binary(node, env)
    elif kind == "call":
        return eval_call(node, env)
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


# binding levels for formatting
LEVELS = {"or": 1, "and": 2, "=": 4, "<>": 4, "<": 4, "<=": 4, ">": 4, ">=": 4, "&": 5, "+": 6, "-": 6, "*": 7, "/": 7, "^": 9}


def node_level(node):
    if node[0] == "bin":
        return LEVELS[node[1]]
    elif node[0] == "un":
        if node[1] == "not":
            return 3
        else:
            return 8
    elif node[0] == "let":
        return 0
    return 10


def format_node(node):
    kind = node[0]
    if kind == "num":
        return format_number(node[1])
    elif kind == "txt":
        return show_value(node[1])
    elif kind == "name":
        return node[1]
    elif kind == "un":
        text = format_node(node[2])
        if node[1] == "not":
            if node_level(node[2]) < 3:
                text = "(" + text + ")"
            return "not " + text
        else:
            if node_level(node[2]) < 8:
                text = "(" + text + ")"
            return "-" + text
    elif kind == "bin":
        level = LEVELS[node[1]]
        left = format_node(node[2])
        right = format_node(node[3])
        if level == 9:
            if node_level(node[2]) <= 9:
                left = "(" + left + ")"
            if node_level(node[3]) < 8:
                right = "(" + right + ")"
        elif level == 4:
            if node_level(node[2]) <= 4:
                left = "(" + left + ")"
            if node_level(node[3]) <= 4:
                right = "(" + right + ")"
        else:
            if node_level(node[2]) < level:
                left = "(" + left + ")"
            if node_level(node[3]) <= level:
                right = "(" + right + ")"
        return left + " " + node[1] + " " + right
    elif kind == "let":
        return "let " + node[1] + " = " + format_node(node[2]) + " in " + format_node(node[3])
    elif kind == "call":
        parts = []
        for arg in node[2]:
            parts.append(format_node(arg))
        return node[1] + "(" + ", ".join(parts) + ")"
    return ""


def column_names(table):
    names = []
    for col in TABLES[table]["cols"]:
        names.append(col[0])
    return names


def parse_sheet(filename, path, text):
    global TOKENS, POS, LINE, CELLS, TABLES, FUNCS, ORDER, LINES, USES
    CELLS = {}
    TABLES = {}
    FUNCS = {}
    ORDER = []
    LINES = []
    USES = {}
    faults = []
    lines = text.split("\n")
    # ignore the empty line at the end
    if lines[-1] == "":
        lines = lines[:-1]
    table = None
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
            indent = ""
            if table is not None and tokens[0][3] != "":
                indent = "  "
            LINES.append(indent + tokens[0][3])
            continue
        comment = ""
        if tokens[-1][3] != "":
            comment = "  " + tokens[-1][3]
        TOKENS = tokens
        POS = 0
        try:
            t = peek()
            if table is not None:
                # end of the table
                if len(tokens) == 2 and t[1] == "end":
                    if table["cols"] is None:
                        faults.append((table["line"], table["col"], "table '" + table["name"] + "' has no columns"))
                    table = None
                    LINES.append("end" + comment)
                    continue
                if table["cols"] is None:
                    # columns
                    table["cols"] = []
                    table["bad"] = True
                    cols = []
                    texts = []
                    while True:
                        t = peek()
                        if t[0] != "name" or "." in t[1]:
                            unexpected()
                        for col in cols:
                            if col[0] == t[1]:
                                raise ParseError(t[2], "column '" + t[1] + "' is there twice")
                        next_token()
                        if is_op("="):
                            next_token()
                            node = parse_expr()
                            cols.append((t[1], node))
                            texts.append(t[1] + " = " + format_node(node))
                        else:
                            cols.append((t[1], None))
                            texts.append(t[1])
                        if is_op("|"):
                            next_token()
                            continue
                        break
                    if peek()[0] != "end":
                        unexpected()
                    table["cols"] = cols
                    table["bad"] = False
                    LINES.append("  " + " | ".join(texts) + comment)
                    continue
                # row
                row = []
                texts = []
                while True:
                    node = parse_expr()
                    row.append(node)
                    texts.append(format_node(node))
                    if is_op("|"):
                        next_token()
                        continue
                    break
                if peek()[0] != "end":
                    unexpected()
                want = 0
                for col in table["cols"]:
                    if col[1] is None:
                        want = want + 1
                if table["bad"] == False and len(row) != want:
                    raise ParseError(t[2], "expected " + str(want) + " entries, got " + str(len(row)))
                table["rows"].append(row)
                LINES.append("  " + " | ".join(texts) + comment)
                continue
            if t[1] == "table" and tokens[1][1] != "=":
                next_token()
                t = peek()
                if t[0] != "name" or "." in t[1]:
                    unexpected()
                next_token()
                if peek()[0] != "end":
                    unexpected()
                table = {"name": t[1], "line": LINE, "col": t[2], "cols": None, "rows": [], "bad": False}
                if t[1] in CELLS:
                    raise ParseError(t[2], "'" + t[1] + "' is already defined in line " + str(CELLS[t[1]][1]))
                if t[1] in TABLES:
                    raise ParseError(t[2], "'" + t[1] + "' is already defined in line " + str(TABLES[t[1]]["line"]))
                if t[1] in USES:
                    raise ParseError(t[2], "'" + t[1] + "' is already defined in line " + str(USES[t[1]][1]))
                TABLES[t[1]] = table
                ORDER.append(t[1])
                LINES.append("table " + t[1] + comment)
                continue
            if t[1] == "use" and tokens[1][1] != "=":
                next_token()
                p = peek()
                if p[0] != "txt":
                    unexpected()
                next_token()
                if peek()[0] != "name" or peek()[1] != "as":
                    unexpected()
                next_token()
                t = peek()
                if t[0] != "name" or "." in t[1]:
                    unexpected()
                next_token()
                if peek()[0] != "end":
                    unexpected()
                if t[1] in CELLS:
                    raise ParseError(t[2], "'" + t[1] + "' is already defined in line " + str(CELLS[t[1]][1]))
                if t[1] in TABLES:
                    raise ParseError(t[2], "'" + t[1] + "' is already defined in line " + str(TABLES[t[1]]["line"]))
                if t[1] in USES:
                    raise ParseError(t[2], "'" + t[1] + "' is already defined in line " + str(USES[t[1]][1]))
                USES[t[1]] = (os.path.normpath(os.path.join(os.path.dirname(path), p[3])), LINE, p[2])
                LINES.append("use " + show_value(p[3]) + " as " + t[1] + comment)
                continue
            if t[1] == "def" and tokens[1][1] != "=":
                next_token()
                t = peek()
                if t[0] != "name" or "." in t[1]:
                    unexpected()
                next_token()
                if not is_op("("):
                    unexpected()
                next_token()
                params = []
                if is_op(")"):
                    next_token()
                else:
                    param_tokens = []
                    while True:
                        p = peek()
                        if p[0] != "name" or "." in p[1]:
                            unexpected()
                        next_token()
                        param_tokens.append(p)
                        if is_op(","):
                            next_token()
                            continue
                        break
                    if not is_op(")"):
                        unexpected()
                    next_token()
                    for p in param_tokens:
                        if p[1] in params:
                            raise ParseError(p[2], "parameter '" + p[1] + "' is there twice")
                        params.append(p[1])
                if not is_op("="):
                    unexpected()
                next_token()
                node = parse_expr()
                if peek()[0] != "end":
                    unexpected()
                if t[1] in BUILTINS:
                    raise ParseError(t[2], "'" + t[1] + "' is a built-in function")
                if t[1] in FUNCS:
                    raise ParseError(t[2], "function '" + t[1] + "' is already defined in line " + str(FUNCS[t[1]][2]))
                FUNCS[t[1]] = (params, node, LINE)
                LINES.append("def " + t[1] + "(" + ", ".join(params) + ") = " + format_node(node) + comment)
                continue
            if t[0] != "name" or "." in t[1]:
                unexpected()
            next_token()
            if not is_op("="):
                unexpected()
            next_token()
            node = parse_expr()
            if peek()[0] != "end":
                unexpected()
            if t[1] in CELLS:
                raise ParseError(t[2], "'" + t[1] + "' is already defined in line " + str(CELLS[t[1]][1]))
            if t[1] in TABLES:
                raise ParseError(t[2], "'" + t[1] + "' is already defined in line " + str(TABLES[t[1]]["line"]))
            if t[1] in USES:
                raise ParseError(t[2], "'" + t[1] + "' is already defined in line " + str(USES[t[1]][1]))
            CELLS[t[1]] = (node, LINE)
            ORDER.append(t[1])
            LINES.append(t[1] + " = " + format_node(node) + comment)
        except ParseError as e:
            faults.append((LINE, e.col, e.msg))
    if table is not None:
        faults.append((table["line"], table["col"], "table '" + table["name"] + "' is not closed"))
    SHEETS[path] = {"cells": CELLS, "tables": TABLES, "funcs": FUNCS, "order": ORDER, "lines": LINES, "uses": USES, "faults": faults, "filename": filename}


def load_used(path, way):
    global SOURCE
    sheet = SHEETS[path]
    for alias in list(sheet["uses"].keys()):
        target = sheet["uses"][alias][0]
        line = sheet["uses"][alias][1]
        col = sheet["uses"][alias][2]
        # check for loops
        if target in way:
            loop = way[way.index(target):] + [target]
            sheet["faults"].append((line, col, "loop " + " -> ".join(loop)))
            continue
        if target in SHEETS:
            continue
        try:
            f = open(target, "rb")
            data = f.read()
            f.close()
        except Exception:
            sheet["faults"].append((line, col, "cannot read " + target))
            continue
        try:
            text = data.decode("utf-8")
        except Exception:
            sheet["faults"].append((line, col, target + " is not UTF-8"))
            continue
        SOURCE = target + ":"
        parse_sheet(target, target, text)
        load_used(target, way + [target])


def load_sheet(filename):
    global SOURCE, CELLS, TABLES, FUNCS, ORDER, LINES
    text = read_file(filename)
    path = os.path.normpath(filename)
    SOURCE = ""
    parse_sheet(filename, path, text)
    load_used(path, [path])
    # report the faults
    failed = False
    for p in SHEETS:
        SHEETS[p]["faults"].sort()
        for fault in SHEETS[p]["faults"]:
            failed = True
            print(SHEETS[p]["filename"] + ":" + str(fault[0]) + ":" + str(fault[1]) + ": " + fault[2], file=sys.stderr)
    if failed == True:
        sys.exit(1)
    # find the prefixes
    prefixes = {path: ""}
    queue = [path]
    while len(queue) > 0:
        p = queue.pop(0)
        PREFIXES.append((p, prefixes[p]))
        for alias in SHEETS[p]["uses"]:
            target = SHEETS[p]["uses"][alias][0]
            if target not in prefixes:
                prefixes[target] = prefixes[p] + alias + "."
                queue.append(target)
    # put everything together
    CELLS = {}
    TABLES = {}
    FUNCS = {}
    ORDER = SHEETS[path]["order"]
    LINES = SHEETS[path]["lines"]
    for item in PREFIXES:
        sheet = SHEETS[item[0]]
        prefix = item[1]
        ALIASES[prefix] = {}
        for alias in sheet["uses"]:
            ALIASES[prefix][alias] = prefixes[sheet["uses"][alias][0]]
        for name in sheet["cells"]:
            CELLS[prefix + name] = sheet["cells"][name]
            PREFIX_OF[prefix + name] = prefix
        for name in sheet["tables"]:
            TABLES[prefix + name] = sheet["tables"][name]
            PREFIX_OF[prefix + name] = prefix
        for name in sheet["funcs"]:
            f = sheet["funcs"][name]
            FUNCS[prefix + name] = (f[0], f[1], f[2], prefix)


def all_keys():
    keys = []
    for item in PREFIXES:
        for name in SHEETS[item[0]]["order"]:
            if item[1] + name in CELLS:
                keys.append(item[1] + name)
            else:
                for col in column_names(item[1] + name):
                    keys.append(item[1] + name + "." + col)
    return keys


def all_values():
    """All values of all sheets as (label, text) pairs."""
    result = []
    for item in PREFIXES:
        for short in SHEETS[item[0]]["order"]:
            name = item[1] + short
            if name in CELLS:
                result.append((name, show_value(get_cell(name))))
            else:
                for i in range(len(TABLES[name]["rows"])):
                    for col in column_names(name):
                        values = get_column(name + "." + col)
                        if is_error(values):
                            value = values
                        else:
                            value = values[i]
                        result.append((name + "[" + str(i + 1) + "]." + col, show_value(value)))
    return result


def apply_sets(texts):
    global TOKENS, POS, LINE, SOURCE
    changes = []
    number = 0
    for text in texts:
        number = number + 1
        tokens, err = tokenize(text)
        if err is not None:
            print("set " + str(number) + ":" + str(err[0]) + ": " + err[1], file=sys.stderr)
            sys.exit(1)
        TOKENS = tokens
        POS = 0
        LINE = number
        SOURCE = "set "
        try:
            t = peek()
            if t[0] != "name":
                unexpected()
            next_token()
            if not is_op("="):
                unexpected()
            next_token()
            node = parse_expr()
            if peek()[0] != "end":
                unexpected()
        except ParseError as e:
            print("set " + str(number) + ":" + str(e.col) + ": " + e.msg, file=sys.stderr)
            sys.exit(1)
        full = resolve(t[1], "")
        if full not in CELLS:
            print("error: no cell '" + t[1] + "'", file=sys.stderr)
            sys.exit(1)
        for change in changes:
            if change[0] == full:
                print("error: '" + t[1] + "' is set twice", file=sys.stderr)
                sys.exit(1)
        changes.append((full, node))
    # apply the changes
    names = []
    for change in changes:
        CELLS[change[0]] = (change[1], CELLS[change[0]][1])
        names.append(change[0])
    VALUES.clear()
    DEPS.clear()
    USED.clear()
    return names


def count_stale(names):
    # everything that depends on the names
    stale = set(names)
    users = {}
    for key in all_keys():
        for dep in get_deps(key):
            if dep[0] not in users:
                users[dep[0]] = []
            users[dep[0]].append(key)
    todo = list(names)
    while len(todo) > 0:
        key = todo.pop()
        for user in users.get(key, []):
            if user not in stale:
                stale.add(user)
                todo.append(user)
    return stale


def show_values(values):
    # show the values of a column
    if isinstance(values, list):
        parts = []
        for v in values:
            parts.append(show_value(v))
        return "(" + ", ".join(parts) + ")"
    return show_value(values)


def explain(item, depth, told):
    indent = ""
    for i in range(depth):
        indent = indent + "  "
    if item[0] == "call":
        label = item[1]
        value = item[2]
        used = item[3]
        source = "from " + format_node(item[4])
    else:
        label = item[1]
        if label in CELLS:
            value = get_cell(label)
            source = "from " + format_node(CELLS[label][0])
        else:
            value = get_column(label)
            parts = label.rsplit(".", 1)
            source = "given"
            for col in TABLES[parts[0]]["cols"]:
                if col[0] == parts[1]:
                    if col[1] is not None:
                        source = "from " + format_node(col[1])
        used = USED.get(label, [])
    # check if it was told before
    if label in told:
        print(indent + label + " = " + show_values(value) + " (above)")
        return
    told.append(label)
    print(indent + label + " = " + show_values(value) + " " + source)
    for child in used:
        explain(child, depth + 1, told)


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
        print("ok: " + str(len(ORDER) + len(SHEETS[os.path.normpath(args[1])]["funcs"])) + " definitions")
        sys.exit(0)
    elif command == "eval":
        if len(args) < 2:
            print("usage: sheet.py eval FILE [NAME ...]", file=sys.stderr)
            sys.exit(2)
        load_sheet(args[1])
        names = args[2:]
        if len(names) == 0:
            names = ORDER
        full_names = []
        for name in names:
            full_names.append(resolve(name, ""))
        for i in range(len(names)):
            name = full_names[i]
            if name not in CELLS and name not in TABLES and not is_column(name):
                print("error: no cell '" + names[i] + "'", file=sys.stderr)
                sys.exit(1)
        failed = False
        for name in full_names:
            if name in CELLS:
                value = get_cell(name)
                if is_error(value):
                    failed = True
                print(name + " = " + show_value(value))
            elif name in TABLES:
                for i in range(len(TABLES[name]["rows"])):
                    for col in column_names(name):
                        values = get_column(name + "." + col)
                        if is_error(values):
                            value = values
                        else:
                            value = values[i]
                        if is_error(value):
                            failed = True
                        print(name + "[" + str(i + 1) + "]." + col + " = " + show_value(value))
            else:
                table = name.rsplit(".", 1)[0]
                col = name.rsplit(".", 1)[1]
                for i in range(len(TABLES[table]["rows"])):
                    values = get_column(name)
                    if is_error(values):
                        value = values
                    else:
                        value = values[i]
                    if is_error(value):
                        failed = True
                    print(table + "[" + str(i + 1) + "]." + col + " = " + show_value(value))
        if failed == True:
            sys.exit(3)
        sys.exit(0)
    elif command == "explain":
        if len(args) < 3:
            print("usage: sheet.py explain FILE NAME", file=sys.stderr)
            sys.exit(2)
        load_sheet(args[1])
        name = resolve(args[2], "")
        if name not in CELLS and not is_column(name):
            print("error: no cell '" + args[2] + "'", file=sys.stderr)
            sys.exit(1)
        apply_sets(args[3:])
        failed = False
        if name in CELLS:
            value = get_cell(name)
            if is_error(value):
                failed = True
        else:
            values = get_column(name)
            if is_error(values):
                failed = True
            else:
                for value in values:
                    if is_error(value):
                        failed = True
        explain(("key", name), 0, [])
        if failed == True:
            sys.exit(3)
        sys.exit(0)
    elif command == "whatif":
        if len(args) < 3:
            print("usage: sheet.py whatif FILE NAME=EXPRESSION ...", file=sys.stderr)
            sys.exit(2)
        load_sheet(args[1])
        before = all_values()
        names = apply_sets(args[2:])
        after = all_values()
        changed = False
        for i in range(len(before)):
            if before[i][1] != after[i][1]:
                changed = True
                print(before[i][0] + ": " + before[i][1] + " -> " + after[i][1])
        if changed == False:
            print("no changes")
        print("recomputed: " + str(len(count_stale(names))) + " of " + str(len(all_keys())))
        sys.exit(0)
    elif command == "format":
        if len(args) != 2:
            print("usage: sheet.py format FILE", file=sys.stderr)
            sys.exit(2)
        load_sheet(args[1])
        for line in LINES:
            print(line)
        sys.exit(0)
    else:
        print("unknown command " + command, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
