// Calls of every kind in loops that are long enough to be compiled, with values of every width; half of the paths meet a symbolic value on the way.
#include <klee/klee.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

struct pair { int a; long b; };
struct big { char text[24]; struct pair pair; };
struct bits { unsigned low : 3; unsigned char mid : 5; int high : 20; _Bool flag : 1; };
typedef int four __attribute__((vector_size(16)));

static unsigned hash = 17;
static void mix(unsigned long value) { hash = hash * 31 + (unsigned)(value ^ (value >> 32)); }

static long by_value(struct pair p, struct big b, int k) {
  p.a += k;
  b.text[k % 24]++;
  return p.a + p.b + b.text[k % 24] + b.pair.a;
}

static long sum(int count, ...) {
  va_list list, again;
  va_start(list, count);
  va_copy(again, list);
  long total = 0;
  for (int i = 0; i < count; i++) total += i % 2 ? va_arg(list, long) : va_arg(list, int);
  total += va_arg(again, int);
  va_end(list);
  va_end(again);
  return total;
}

static double scaled(const char *format, ...) {
  va_list list;
  va_start(list, format);
  double result = 0;
  for (; *format; format++) result += *format == 'd' ? va_arg(list, double) : va_arg(list, struct pair).b;
  va_end(list);
  return result;
}

static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x % 1000; }
static int less(int x) { return x > 3 ? less(x - 3) + 1 : x; }
static int (*const steps[])(int) = {twice, square, less};

static __int128 wide(__int128 x, long y) { return x * y + ((unsigned __int128)x >> 70) - y; }

static bool flags[8];
static atomic_int counter;

static void round_of(int i, unsigned char input) {
  struct big b = {"abc", {i, 2}};
  struct pair p = {i, -i};
  struct bits f = {(unsigned)i, (unsigned char)(i * 7), -i, i & 1};
  f.low += 3;
  f.mid = (unsigned char)(f.mid << 1 | f.low);
  f.high = f.high * 3 / 2;
  mix(f.low + f.mid + (unsigned)f.high + f.flag);
  mix((unsigned long)by_value(p, b, i));
  mix((unsigned long)sum(4, i, -5L, 7, (long)i << 33));
  mix((unsigned long)(long)scaled("dpd", 1.5 * i, p, 2.25));
  mix((unsigned long)steps[i % 3](i));
  __int128 x = wide((__int128)i << 60, i - 9);
  mix((unsigned long)x);
  mix((unsigned long)(x >> 64));
  flags[i % 8] = !flags[(i + 3) % 8];
  mix(flags[i % 8]);
  mix((unsigned long)atomic_fetch_add(&counter, i) + (unsigned)atomic_exchange(&counter, i ^ 5));
  four v = {i, 2, 3, 4};
  v = v * v + (four){1, i, 1, i};
  mix((unsigned long)v[i % 4]);
  short s = (short)(i * 1000);
  signed char c = (signed char)(s >> 3);
  mix((unsigned long)(s / 7 + c % 5));
  mix(((unsigned long)i << 50 | 1) / 3 + ((unsigned long)-i >> 7) % 1000 + (unsigned long)((long)-i >> 2));
  mix((unsigned)(float)(i * 0.75f) + (unsigned long)(i * 1e10));
  memmove(b.text + 1, b.text, 8);
  memset(b.text + 12, i, 5);
  struct big other = b;
  mix((unsigned long)other.text[i % 24]);
  if (i == 40 && input > 100) mix(1);
  if (i == 41) {
    struct pair q = {input, input};
    long r = by_value(q, b, 1) + sum(2, (int)input, (long)input) + steps[2](9);
    if (r > 200) mix(2);
  }
}

int main(void) {
  unsigned char input;
  klee_make_symbolic(&input, 1, "input");
  for (int i = 0; i < 120; i++) round_of(i, input);
  return (int)(hash % 251);
}
