/*
 * Atomic objects that are too large for one instruction: the compiler calls these functions for
 * `_Atomic` structures of more than 16 bytes and for `long double`.
 *
 * One thread runs at a time and threads switch only at scheduling points, so a scheduling point
 * before the access makes the operation atomic. The object is accessed by plain loops: `memcpy`
 * would report accesses that can race, and this one is reported to the engine as atomic.
 */
#include <stdbool.h>

#include "thread-engine.h"
#include "thread-state.h"

/* The compiler has built-in functions of these names with other types. */
#define NAMED(name) __asm__(#name)
void __rz_atomic_load(size_t n, const void *object, void *value, int memory_order) NAMED(__atomic_load);
void __rz_atomic_store(size_t n, void *object, const void *value, int memory_order) NAMED(__atomic_store);
void __rz_atomic_exchange(size_t n, void *object, const void *value, void *old, int memory_order)
    NAMED(__atomic_exchange);
bool __rz_atomic_compare_exchange(size_t n, void *object, void *expected, const void *value, int success, int failure)
    NAMED(__atomic_compare_exchange);
bool __rz_atomic_is_lock_free(size_t n, const volatile void *object) NAMED(__atomic_is_lock_free);

enum kind { LOAD, STORE, UPDATE };

static void copy(void *to, const void *from, size_t n) {
  for (size_t i = 0; i < n; i++) ((char *)to)[i] = ((const char *)from)[i];
}

static bool is_equal(const void *a, const void *b, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (((const char *)a)[i] != ((const char *)b)[i]) return false;
  return true;
}

static void order(const void *object, size_t n, enum kind kind, int order) {
  if (!__rz_has_threads) return;
  const bool acquires = order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
  const bool releases = order >= __ATOMIC_RELEASE;
  __rz_thread_atomic(object, n, kind, (unsigned)acquires | (unsigned)releases << 1);
}

void __rz_atomic_load(size_t n, const void *object, void *value, int memory_order) {
  __rz_point(__RZ_READS, object);
  order(object, n, LOAD, memory_order);
  __rz_range_write(value, n);
  copy(value, object, n);
}

void __rz_atomic_store(size_t n, void *object, const void *value, int memory_order) {
  __rz_point(__RZ_WRITES, object);
  order(object, n, STORE, memory_order);
  __rz_range_read(value, n);
  copy(object, value, n);
}

void __rz_atomic_exchange(size_t n, void *object, const void *value, void *old, int memory_order) {
  __rz_point(__RZ_WRITES, object);
  order(object, n, UPDATE, memory_order);
  __rz_range_read(value, n);
  __rz_range_write(old, n);
  for (size_t i = 0; i < n; i++) {
    const char found = ((char *)object)[i];
    ((char *)object)[i] = ((const char *)value)[i];
    ((char *)old)[i] = found;
  }
}

bool __rz_atomic_compare_exchange(size_t n, void *object, void *expected, const void *value, int success, int failure) {
  __rz_point(__RZ_WRITES, object);
  const bool stores = is_equal(object, expected, n);
  order(object, n, stores ? UPDATE : LOAD, stores ? success : failure);
  if (stores) {
    __rz_range_read(value, n);
    copy(object, value, n);
  } else {
    __rz_range_write(expected, n);
    copy(expected, object, n);
  }
  return stores;
}

bool __rz_atomic_is_lock_free(size_t n, const volatile void *object) {
  (void)object;
  return n == 1 || n == 2 || n == 4 || n == 8;
}
