"""Documentation."""
from __future__ import annotations
import os, sys as s

class A(Base, metaclass=M):
    x: int = 1

    @property
    async def m(self, a, /, b=1, *c, d: str = "x", **e) -> None:
        '''More
        documentation.'''
        if a and (b or not c):
            return [x for x in a if x]
        elif b:
            async with f(a) as g, h: yield
        else:
            raise E from None
        for i, j in c:
            while True: break
        else: pass
        try:
            assert a, f"{a!r:>{b}} {{x}}"
        except* (A, B) as e: pass
        finally: del a
        match a:
            case [1, *rest] if rest: pass
            case {"k": v} | None: pass
            case _: pass

f = lambda *a, k=1: a if k else None
g = sorted(x, key=lambda v: v and \
    v.a)
