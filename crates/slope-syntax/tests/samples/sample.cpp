#include <x>
#if A && B
namespace n {
class A : B {
 public:
  A() = default;
  ~A() { }
  void m(int a, int b = 1, ...) const override { if (a and b) { } else if (c) {} else {} }
  operator bool() const { return 1; }
  T& operator=(const T&& o) { return o; }
  virtual void v() = 0;
};
}
#endif
template <typename T> int A::b(void) { for (auto x : xs) { } auto f = [&](int a) { return a; }; switch (x) { case 1: case 2: break; default: break; } goto L; try {} catch (...) {} return a ? b : c; }
int *fp(int (*cb)(int), char **p) { return 0; }
n::A::A(int x) : a(x), b(y) {}
