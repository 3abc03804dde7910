using System;
namespace N {
class A : B {
  int P { get { return 1; } set => x = value; }
  int Q => a ? 1 : 2;
  int R { get; set; }
  int this[int i] { get { return 1; } }
  public A(int a) : base(a) { }
  abstract int Abs();
  int E(int a, params int[] b) => a;
  static A operator +(A a, A b) => a;
  void M() {
    if (a && b || c ?? d) { } else if (e) { } else { }
    switch (x) { case 1: case 2 when y: break; default: break; }
    var r = x switch { 1 => 2, > 3 and < 5 => 3, _ when z => 4, _ => 5 };
    try { } catch (E e) when (e.x) { } finally { }
    goto L;
    xs.Where(x => x.a).Select((a, b) => { return a; });
    a?.b();
    a ??= b;
    void Local(int q) { }
    var s = $"a {x} b";
#if A && B
    x();
#endif
  }
}
}
