/* Control flow of every shape, calls of every kind, and memory. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long hash = 5381;
static void add(long value) { hash = hash * 33 + (unsigned long)value; }

static int dense(int n) {
  switch (n) {
  case 0: return 10;
  case 1: return 11;
  case 2: n += 5; /* falls through */
  case 3: return n;
  case 5: case 6: return 12;
  case 9: break;
  case -1: return 13;
  default: return 14;
  }
  return 15;
}

static int sparse(long n) {
  switch (n) {
  case -5000000000: return 1;
  case -1: return 2;
  case 0: return 3;
  case 7: return 4;
  case 100: return 5;
  case 101: return 6;
  case 102: return 7;
  case 103: return 8;
  case 104: return 9;
  case 65536: return 10;
  case 4294967296: return 11;
  case 9000000000000000000: return 12;
  }
  return 0;
}

/* Two entrances into one loop. */
static int irreducible(int n) {
  int sum = 0;
  if (n & 1) goto middle;
top:
  sum += n;
  if (sum > 1000) return sum;
middle:
  sum += 3;
  n--;
  if (n > -20) goto top;
  if (sum & 4) { sum++; goto middle; }
  return sum;
}

static int loops(int n) {
  int total = 0, a = 0, b = 1;
  for (int i = 0; i < n; i++) {
    for (int k = i; k--; ) {
      if (k % 7 == 3) continue;
      if (k % 11 == 5) break;
      total += k;
      int turns = 0;
      do { total ^= a; } while (total % 5 == 2 && turns++ < 9);
    }
    int swap = a; /* the phis of a and b change at once */
    a = b;
    b = swap + b;
    b &= 0xffff;
    if (total > 1000000) goto out;
  }
out:
  return total + a * 3 + b;
}

static long variable(int n, ...) {
  va_list list, again;
  va_start(list, n);
  va_copy(again, list);
  long sum = 0;
  for (int i = 0; i < n; i++)
    switch (i % 5) {
    case 0: sum += va_arg(list, int); break;
    case 1: sum += va_arg(list, long); break;
    case 2: sum += (long)va_arg(list, double); break;
    case 3: sum += *va_arg(list, char *); break;
    case 4: sum += (long)va_arg(list, long double); break;
    }
  sum += va_arg(again, int);
  va_end(list);
  va_end(again);
  return sum;
}

struct small { int a; };
struct pair { long a; short b; };
struct large { char text[40]; double number; };

static struct small makeSmall(int n) { return (struct small){n * 2}; }
static struct pair makePair(struct pair p, int n) { p.a += n; p.b++; return p; }
static struct large makeLarge(struct large l, struct small s) {
  l.text[s.a % 40] = 'x';
  l.number += s.a;
  return l;
}
static signed char narrow(signed char c, unsigned short s, _Bool b) { return (signed char)(c + s + b); }

static int apply(int (*f)(int), int n) { return f(n); }
static int twice(int n) { return n * 2; }
static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
__attribute__((weak)) int absent(int);
__attribute__((weak)) int present(int n) { return n + 1; }
extern int other(int) __attribute__((alias("present")));

static int frames(int n) {
  char fixed[24] __attribute__((aligned(64)));
  int sum = (int)((unsigned long)fixed % 64);
  for (int i = 1; i < n; i++) {
    char text[i * 3];
    memset(text, i, sizeof text);
    char *more = __builtin_alloca(5);
    memcpy(more, text, i < 2 ? 3 : 5);
    sum += text[i] + more[2];
  }
  memset(fixed, 1, sizeof fixed);
  return sum + fixed[20];
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static const struct { const char *name; int (*f)(int); int *where; double number; } table[] = {
  {"twice", twice, 0, 2.5}, {"present", present, (int *)&hash + 1, -1}, {.number = 3},
};

__attribute__((constructor)) static void begin(void) { add(77); }

int main(int argc, char **argv) {
  for (int i = -2; i < 12; i++) add(dense(i));
  static const long keys[] = {-5000000000, -1, 0, 1, 7, 100, 102, 104, 105, 65536, 4294967296, 4294967303, 9000000000000000000};
  for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++) add(sparse(keys[i]));
  for (int i = 0; i < 10; i++) add(irreducible(i));
  add(loops(60));
  add(variable(10, 1, 2L, 3.5, "d", (long double)5, 6, 7L, 8.5, "i", (long double)10));
  add(variable(0, 4));
  struct pair p = makePair((struct pair){5, 6}, 7);
  add(makeSmall(4).a + p.a + p.b);
  struct large l = {"hello", 1.5};
  l = makeLarge(l, makeSmall(3));
  add(l.text[6] + (long)(l.number * 10));
  add(narrow(-100, 65530, 1));
  add(apply(twice, 21) + apply(present, 1) + other(5));
  add(absent ? absent(1) : 99);
  add(depth(1000));
  add(frames(20));
  int numbers[50];
  for (int i = 0; i < 50; i++) numbers[i] = i * 7919 % 101;
  qsort(numbers, 50, sizeof *numbers, compare);
  for (int i = 0; i < 50; i++) add(numbers[i]);
  for (int i = 0; i < 3; i++) add((table[i].f ? table[i].f(i) : 1) + (long)table[i].number + (table[i].name ? *table[i].name : 0));
  add(table[1].where - (int *)&hash);
  char text[100] = "abcdefghijklmnopqrstuvwxyz";
  memmove(text + 1, text, 5);
  memmove(text + 3, text + 5, 20);
  memcpy(text + 40, text, argc * 13);
  memset(text + 60, argc, (unsigned long)argc * 9);
  for (int i = 0; i < 100; i++) add(text[i]);
  printf("%016lx %s %d %.3f %ld %c\n", hash, text, argc, 1.5, 123456789012L, **argv);
  return (int)(hash % 7);
}
