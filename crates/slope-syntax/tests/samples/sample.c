#include <stdio.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
typedef struct s { int a; union { char c; } u; } s_t;
#if defined(A) && !B
static int *one(int (*cb)(int), char **p, ...)
{
  for (int i = 0; i < 10 && p; i++) { if (i) continue; else if (p) break; else goto out; }
  switch (*p) { case 'a': case 'b': cb(1); break; default: ; }
  do { p--; } while (p);
out:
  return p ? 0 : (int *)"a\
b" "c";
}
#else
static int *one(void) { return 0; }
#endif
int (*two(int a))(int) { return 0; }
