import x from 'y';
abstract class A<T> extends B { 
  private f = (a: number, b?: string, ...c) => a && b;
  constructor(private a: number) { super(); }
  get p() { return 1; }
  abstract q(): void;
  static { x(); }
  #priv() {}
}
function over(a: string): void;
function over(this: X, a: any, {b, c} = {}) { if (a) {} else if (b) {} else {} }
const o = { m() {}, n: function () { return 1 }, 'k': () => 1, [x]: async () => {} };
module.exports.foo = x => x;
export default function () { a ||= b; outer: for (;;) { continue outer; } }
items.map(x => x.a).on('click', function named(e) { switch (e) { case 1: case 2: a(); break; default: b() } });
namespace N { export const z = () => 1 }
