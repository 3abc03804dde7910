"""Who uses whom: orders keys so that what is used comes first, and finds cycles."""

from collections import deque

import nodes


def names(node):
    """The names that stand in a tree, from left to right."""
    if isinstance(node, nodes.Name):
        yield node
    elif isinstance(node, nodes.Unary):
        yield from names(node.operand)
    elif isinstance(node, nodes.Binary):
        yield from names(node.left)
        yield from names(node.right)
    elif isinstance(node, nodes.Call):
        for arg in node.args:
            yield from names(arg)


class Graph:
    def __init__(self, sheet):
        self.sheet = sheet
        self.known = {}

    def uses(self, key):
        """The keys that a key uses, each with the place of its first mention."""
        if key not in self.known:
            self.known[key] = self.find_uses(key)
        return self.known[key]

    def find_uses(self, key):
        found = {}
        for table, tree in self.trees(key):
            for node in names(tree):
                used = self.resolve(node.name, table)
                if used:
                    found.setdefault(used, node.place)
        return found

    def trees(self, key):
        """The expressions behind a key, each with the table whose columns it sees."""
        cell = self.sheet.cell(key)
        if cell:
            return [(None, cell.expression)]
        table, heading = self.sheet.column(key)
        if heading.expression is None:
            return [(None, entry) for entry in table.given_entries(heading.name)]
        return [(table, heading.expression)]

    def resolve(self, name, table):
        """The key that a name means, or None."""
        if table and table.heading(name):
            return table.key(name)
        return name if self.sheet.cell(name) or self.sheet.column(name) else None

    def components(self, start, done):
        """Tarjan's strongly connected components of what `start` needs and `done` has not."""
        numbers, lowest, open_keys, is_open = {start: 0}, {start: 0}, [start], {start}
        work = [(start, iter(self.uses(start)))]
        while work:
            key, rest = work[-1]
            used = next((other for other in rest if other not in done), None)
            if used is None:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[key])
                if lowest[key] == numbers[key]:
                    yield self.component(key, open_keys, is_open)
            elif used in is_open:
                lowest[key] = min(lowest[key], numbers[used])
            else:
                numbers[used] = lowest[used] = len(numbers)
                open_keys.append(used)
                is_open.add(used)
                work.append((used, iter(self.uses(used))))

    @staticmethod
    def component(key, open_keys, is_open):
        members = [open_keys.pop()]
        while members[-1] != key:
            members.append(open_keys.pop())
        is_open.difference_update(members)
        return members

    def cycle(self, key, members):
        """The shortest way from `key` back to itself, or None; the first by name among equals."""
        before = {}
        queue = deque([key])
        while queue:
            current = queue.popleft()
            for used in sorted(self.uses(current)):
                if used == key:
                    return self.path(before, key, current)
                if used in members and used not in before:
                    before[used] = current
                    queue.append(used)
        return None

    @staticmethod
    def path(before, key, last):
        way = [last]
        while way[-1] != key:
            way.append(before[way[-1]])
        return way[::-1] + [key]
