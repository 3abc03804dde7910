package p;
import a.B;
class A {
  A(int a) { super(a); }
  static { x(); }
  abstract int q();
  <T> int m(A this, int a, String... b) {
    L: for (;;) { break L; }
    if (a && b) { } else if (c) { } else x();
    int r = switch (x) { case 1, 2 -> 3; case A a when a.b -> 4; default -> 5; };
    switch (x) { case 1: case 2: y(); break; default: }
    Runnable f = () -> x.y();
    g((a, b) -> { return 1; });
    new T(1) { void z() { if (a) b(); } };
    assert x;
    return a ? b : c;
  }
}
