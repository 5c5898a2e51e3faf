/* For programs that compute more results than a person wants to read: a deterministic source of inputs, and a sum of results. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t random_state = 88172645463325252u;

static inline uint64_t random64(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state * 2685821657736338717u;
}

static uint64_t sum;

static inline void add64(uint64_t value) { sum = (sum ^ value) * 1099511628211u + (sum >> 29); }

static inline void add_bytes(const void *bytes, size_t n) {
  for (size_t i = 0; i < n; i++) add64(((const unsigned char *)bytes)[i]);
}

static inline void add_string(const char *text) { add_bytes(text, strlen(text) + 1); }

/* All NaNs count as one: their signs and payloads are unspecified. */
static inline void add_double(double x) {
  uint64_t bits = 1;
  if (x == x) memcpy(&bits, &x, sizeof bits);
  add64(bits);
}

static inline void print_sum(const char *title) {
  printf("%-12s %016llx\n", title, (unsigned long long)sum);
  sum = 0;
}
