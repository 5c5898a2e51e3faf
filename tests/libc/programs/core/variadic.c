// Variable arguments, among them some whose format disagrees with their type, as programs for x86-64 have them.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
struct one { float f; }; struct two { int a, b, c; }; struct small { char c; };
// Reads one argument of each kind, and leaves three for `vprintf`.
static void show(int n, ...) {
  va_list l; va_start(l, n);
  int a = va_arg(l, int); va_arg(l, int); long c = va_arg(l, long); double d = va_arg(l, double);
  struct one o = va_arg(l, struct one); struct one o2 = va_arg(l, struct one); struct two t = va_arg(l, struct two); long double e = va_arg(l, long double);
  struct small s = va_arg(l, struct small); unsigned u = va_arg(l, unsigned); char *p = va_arg(l, char *);
  va_list m; va_copy(m, l); int last = va_arg(m, int); va_end(m);
  printf("%d %ld %g %g %g %d %Lg %c %u %s %d ", a, c, d, o.f, o2.f, t.c, e, s.c, u, p, last);
  vprintf("%d %s %d\n", l);
  va_end(l);
}
int main(void) {
  const char *s = "hello"; volatile int x = -3;
  printf("%d %d %s\n", strlen(s), sizeof s, s);
  printf("%ld %ld %s\n", x, 6, "x");
  printf("%d %x %hhd %c %lld %s\n", (char)x, x, 1000, 'q', 1LL << 40, "end");
  show(1, 1, 2, 3L, 4.5, (struct one){1.5f}, (struct one){2.5f}, (struct two){1, 2, 3}, (long double)7, (struct small){'z'}, 9u, "p", 11, "v", 12);
  return 0; }
