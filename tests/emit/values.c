/* Integers of every width, floats, conversions and builtins, printed as hashes. */
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef __int128 wide;
typedef unsigned __int128 uwide;

static unsigned long state = 88172645463325252u;
static unsigned long next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

/* Small and extreme numbers are likelier than others. */
static unsigned long pick(void) {
  static const unsigned long special[] = {0, 1, 2, 127, 128, 255, 32767, 32768, 65535, 0x7fffffff, 0x80000000,
    0xffffffff, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff};
  unsigned long n = next();
  return n % 3 == 0 ? special[n / 3 % 15] : n % 3 == 1 ? n >> (n / 3 % 64) : n;
}

static unsigned long hash = 14695981039346656037u;
static void add(unsigned long value) { hash = (hash ^ value) * 1099511628211u; }
static void show(const char *name) {
  printf("%s %016lx\n", name, hash);
}

#define ARITHMETIC(T, U) \
  static void arithmetic_##T(void) { \
    for (int i = 0; i < 300; i++) { \
      T a = (T)pick(), b = (T)pick(); \
      int s = (int)(pick() % (sizeof(T) * 8)); \
      add((unsigned long)(T)((U)a + (U)b)); \
      add((unsigned long)(T)((U)a - (U)b)); \
      add((unsigned long)(T)((unsigned long)a * (unsigned long)b)); \
      add((unsigned long)(a & b) ^ (unsigned long)(a | b) << 1 ^ (unsigned long)(a ^ b) << 2); \
      add((unsigned long)(T)(a >> s)); \
      add((unsigned long)(T)((U)a << s)); \
      if (b != 0 && !(b == (T)-1 && (T)-1 < 0)) { add((unsigned long)(a / b)); add((unsigned long)(a % b)); } \
      add((unsigned long)(a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5); \
      add((unsigned long)(a ? b : !b)); \
      double d = (double)a; \
      float f = (float)a; \
      uint64_t bits; \
      memcpy(&bits, &d, 8); \
      add(bits); \
      uint32_t half; \
      memcpy(&half, &f, 4); \
      add(half); \
      T r; \
      add((unsigned long)__builtin_add_overflow(a, b, &r)); add((unsigned long)r); \
      add((unsigned long)__builtin_sub_overflow(a, b, &r)); add((unsigned long)r); \
      add((unsigned long)__builtin_mul_overflow(a, b, &r)); add((unsigned long)r); \
    } \
    show(#T); \
  }

typedef signed char sc;
typedef unsigned char uc;
typedef unsigned short us;
typedef unsigned int ui;
typedef unsigned long ul;
ARITHMETIC(sc, uc)
ARITHMETIC(uc, uc)
ARITHMETIC(short, us)
ARITHMETIC(us, us)
ARITHMETIC(int, ui)
ARITHMETIC(ui, ui)
ARITHMETIC(long, ul)
ARITHMETIC(ul, ul)

static wide pickWide(void) { return (wide)((uwide)pick() << 64 | pick()); }
static void addWide(uwide value) {
  add((unsigned long)value);
  add((unsigned long)(value >> 64));
}

static uwide passed(uwide a, int b, wide c) { return a + (uwide)b * (uwide)c; }

static void wides(void) {
  for (int i = 0; i < 200; i++) {
    wide a = pickWide(), b = pickWide();
    int s = (int)(pick() % 128);
    addWide((uwide)a + (uwide)b);
    addWide((uwide)a - (uwide)b);
    addWide((uwide)a * (uwide)b);
    addWide((uwide)(a & b) ^ (uwide)(a | b) ^ (uwide)~a);
    addWide((uwide)a << s);
    addWide((uwide)a >> s);
    addWide((uwide)(a >> s));
    if (b != 0 && b != -1) {
      addWide((uwide)(a / b));
      addWide((uwide)(a % b));
      addWide((uwide)a / (uwide)b);
      addWide((uwide)a % (uwide)b);
    }
    add((unsigned long)(a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5);
    add((unsigned long)((uwide)a < (uwide)b) | ((uwide)a >= (uwide)b) << 1);
    addWide((uwide)(long)a);
    addWide((uwide)(wide)(signed char)a);
    add((unsigned long)(short)a);
    addWide(passed((uwide)a, s, b));
    addWide((uwide)(a < b ? a : b));
  }
  show("int128");
}

static long double half(long double x, int n) { return x / 2 + n; }

static void longDoubles(void) {
  for (int i = 0; i < 100; i++) {
    long a = (long)pick();
    int b = (int)pick();
    long double x = a, y = b, z = half(x, 3);
    double d = (double)(x + y * z - x / (y == 0 ? 1 : y));
    float f = (float)(x - z);
    uint64_t bits;
    memcpy(&bits, &d, 8);
    add(bits);
    add((unsigned long)(x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5);
    add((unsigned long)(long)(x / 4) + (unsigned long)(int)(y / 2));
    add((unsigned long)(f > 1) + (unsigned long)(-x < 0) * 2 + (unsigned long)(f != (float)d) * 4);
    long double w = (long double)(float)b + (long double)(double)a;
    add((unsigned long)(unsigned)(w > 0 && w < 4e9L ? w : 7));
  }
  show("long double");
}

static void doubles(void) {
  static const double numbers[] = {0, -0.0, 1, -1, 0.5, 2.5, 3.5, -2.5, 1e300, -1e300, 1e-310, 123456.789, INFINITY, -INFINITY, NAN};
  for (int i = 0; i < 15; i++)
    for (int k = 0; k < 15; k++) {
      volatile double a = numbers[i], b = numbers[k];
      float f = (float)a, g = (float)b;
      double all[] = {a + b, a - b, a * b, a / b, -a, fabs(a), floor(a), ceil(a), trunc(a), rint(a), sqrt(fabs(a)), copysign(a, b), fmin(a, b), fmax(a, b), f + g, f * g, -f, fmod(a, b), round(a)};
      for (unsigned j = 0; j < sizeof all / sizeof *all; j++) {
        uint64_t bits = 1;
        if (all[j] == all[j]) memcpy(&bits, &all[j], 8);
        add(bits);
      }
      add((unsigned long)(a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5);
      add((unsigned long)!(a < b) | !(a <= b) << 1 | !(a > b) << 2 | !(a >= b) << 3 | (f < g) << 4 | (f != g) << 5);
      add((unsigned long)__builtin_isunordered(a, b) | __builtin_islessgreater(a, b) << 1);
      if (fabs(a) < 1e6) add((unsigned long)(int)a + (unsigned long)(long)f * 3 + (unsigned char)(a < 0 ? 0 : (int)a));
    }
  show("double");
}

static void bits(void) {
  for (int i = 0; i < 300; i++) {
    unsigned long a = pick() | 1;
    unsigned b = (unsigned)a;
    int s = (int)(pick() % 64);
    add((unsigned long)__builtin_clzl(a) + (unsigned long)__builtin_ctzl(a) * 100 + (unsigned long)__builtin_popcountl(a) * 10000);
    add((unsigned long)__builtin_clz(b) + (unsigned long)__builtin_ctz(b) * 100 + (unsigned long)__builtin_popcount(b) * 10000);
    add(__builtin_bswap64(a) ^ __builtin_bswap32(b) ^ __builtin_bswap16((unsigned short)b));
    add((a << s | a >> (64 - s) % 64) ^ (b << s % 32 | b >> (32 - s % 32) % 32));
#ifdef __clang__
    add(__builtin_rotateleft64(a, (unsigned)s) ^ __builtin_rotateright32(b, (unsigned)s));
#else
    add((a << s | a >> (64 - s) % 64) ^ (b >> s % 32 | b << (32 - s % 32) % 32));
#endif
    add((unsigned long)labs((long)(a >> 1)) + (unsigned long)abs((int)(b >> 1)));
    add((unsigned long)__builtin_expect(a > b, 1) + (unsigned long)__builtin_constant_p(3));
  }
  show("bits");
}

struct fields {
  unsigned a : 3;
  int b : 7;
  unsigned long c : 41;
  signed d : 1;
  _Bool e : 1;
  unsigned f : 24;
};

static void bitFields(void) {
  struct fields all[4];
  memset(all, 0, sizeof all);
  for (int i = 0; i < 200; i++) {
    struct fields *p = &all[i % 4];
    p->a += (unsigned)pick();
    p->b ^= (int)pick();
    p->c = p->c * 3 + pick();
    p->d = (int)(p->c & 1);
    p->e = pick() > 99;
    p->f--;
    add(p->a + (unsigned long)p->b * 10 + (unsigned long)p->c * 100 + (unsigned long)p->d + p->e + p->f);
  }
  for (unsigned i = 0; i < sizeof all; i++) add(((unsigned char *)all)[i]);
  show("bit-fields");
}

static void atomics(void) {
  static int n;
  static unsigned long m;
  static unsigned char c;
  for (int i = 0; i < 50; i++) {
    __atomic_fetch_add(&n, (int)(pick() % 1000), 5);
    __atomic_fetch_xor(&m, pick(), 5);
    __atomic_fetch_add(&c, 1, 5);
    __atomic_fetch_or(&c, 4, 5);
    int expected = i % 2 ? n : 7;
    add((unsigned long)__atomic_compare_exchange_n(&n, &expected, i, 0, 5, 5) + (unsigned long)expected);
    add(__atomic_exchange_n(&m, 5, 5) + __atomic_fetch_sub(&c, 2, 5) + __atomic_fetch_and(&m, 4, 5));
  }
  add((unsigned long)n + m + c);
  show("atomics");
}

int main(void) {
  arithmetic_sc();
  arithmetic_uc();
  arithmetic_short();
  arithmetic_us();
  arithmetic_int();
  arithmetic_ui();
  arithmetic_long();
  arithmetic_ul();
  wides();
  doubles();
  bits();
  bitFields();
  atomics();
  longDoubles();
  return 0;
}
