/* <stdarg.h>: arguments of every kind, copies of lists, lists passed on. */
#include <stdarg.h>
#include <stdio.h>

struct pair {
  int a, b;
};

static double sum(const char *kinds, ...) {
  va_list list, copy;
  double total = 0;
  va_start(list, kinds);
  va_copy(copy, list);
  for (const char *k = kinds; *k; k++) {
    switch (*k) {
      case 'i': total += va_arg(list, int); break;
      case 'l': total += (double)va_arg(list, long); break;
      case 'd': total += va_arg(list, double); break;
      case 'L': total += (double)va_arg(list, long double); break;
      case 's': total += va_arg(list, char *)[0]; break;
      case 'p': {
        struct pair p = va_arg(list, struct pair);
        total += p.a * 10 + p.b;
        break;
      }
    }
  }
  va_end(list);
  if (kinds[0] == 'i') total += va_arg(copy, int) * 1000;
  va_end(copy);
  return total;
}

static int forward(const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int n = vprintf(format, list);
  va_end(list);
  return n;
}

int main(void) {
  printf("%g\n", sum("ildLs", 1, 2L, 3.5, 4.25L, "A"));
  printf("%g\n", sum("pip", (struct pair){1, 2}, 3, (struct pair){4, 5}));
  printf("%g\n", sum("diiiiiiiiiiiid", 0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0.25));
  printf("%d\n", forward("%d %s %c %.2f\n", 7, "seven", '7', 7.7));
  return 0;
}
