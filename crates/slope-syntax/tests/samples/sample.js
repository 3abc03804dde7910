#!/usr/bin/env node
import x, { y as z } from 'y';
class A extends B {
  static #p = (a) => a && a?.b ?? c;
  get q() { return `t ${a ? `u ${b}` : /r\/e/g} v`; }
  static { x(); }
}
async function* f({ a, b = 1 }, ...c) {
  outer: for (const i of c) { for (;;) { continue outer; } }
  if (a) { b ||= 1; } else if (c) { throw new E(); } else { do { a--; } while (a); }
  switch (a) { case 1: case 2: b(); break; default: c(); }
  try { await a(); } catch { } finally { }
  items.map(x => x.a).on('e', function (e) { return e ? 1 : 2; });
}
const o = { m() {}, 'k': () => 1, [x]: async () => {}, ...y };
module.exports = o; /* c */ // d
