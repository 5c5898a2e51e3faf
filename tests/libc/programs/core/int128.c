/* Arithmetic of 128 bits, which the compiler leaves to the library */
#include "checksum.h"

typedef __int128 i128;
typedef unsigned __int128 u128;

static uint64_t odd_word(void) {
  switch (random64() % 5) {
    case 0: return random64() >> random64() % 64;
    case 1: return 0;
    case 2: return ~0ull << random64() % 64;
    case 3: return 1ull << random64() % 64;
    default: return random64();
  }
}

static u128 random128(void) {
  u128 high = odd_word();
  return high << 64 | odd_word();
}

static void add128(u128 x) { add64((uint64_t)x), add64((uint64_t)(x >> 64)); }

int main(void) {
  for (int i = 0; i < 20000; i++) {
    u128 a = random128(), b = random128();
    int n = (int)(random64() % 128);
    add128(a << n), add128(a >> n), add128((u128)((i128)a >> n)), add128(a * b), add128(a + b), add128(a - b);
    if (b != 0 && !(b == ~(u128)0 && a == (u128)1 << 127)) add128(a / b), add128(a % b), add128((i128)a / (i128)b), add128((i128)a % (i128)b);
    i128 product;
    int overflow = __builtin_mul_overflow((i128)a, (i128)b, &product);
    add64(overflow), add128(product), add64(a < b), add64((i128)a < (i128)b);
    int64_t narrow;
    overflow = __builtin_mul_overflow((int64_t)a, (int64_t)b, &narrow);
    add64(overflow), add64(narrow);
    double d = (double)a, e = (double)(i128)a;
    add_double(d), add_double(e), add_double((float)a), add_double((float)(i128)a);
    if (d < 0x1p127) add128((u128)d), add128((i128)e);
    add_double((double)(long double)(int64_t)a), add64((uint64_t)(long double)(uint32_t)a);
    add_double(__builtin_powi(e / 0x1p127, (int)(random64() % 20)));
  }
  print_sum("int128");
}
