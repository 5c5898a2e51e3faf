/* <stdatomic.h>: the operations, on one thread. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static atomic_int counter = ATOMIC_VAR_INIT(5);
static atomic_flag flag = ATOMIC_FLAG_INIT;

int main(void) {
  atomic_int a;
  atomic_init(&a, 10);
  printf("%d\n", atomic_load(&a));
  atomic_store(&a, 20);
  printf("%d ", atomic_exchange(&a, 30));
  printf("%d\n", atomic_load_explicit(&a, memory_order_acquire));
  int expected = 31;
  printf("%d ", atomic_compare_exchange_strong(&a, &expected, 40));
  printf("%d\n", expected);
  printf("%d ", atomic_compare_exchange_strong(&a, &expected, 40));
  printf("%d\n", atomic_load(&a));
  expected = 40;
  while (!atomic_compare_exchange_weak(&a, &expected, 41)) {
  }
  printf("%d\n", atomic_load(&a));
  printf("%d ", atomic_fetch_add(&a, 5));
  printf("%d ", atomic_fetch_sub(&a, 2));
  printf("%d ", atomic_fetch_or(&a, 0xf0));
  printf("%d ", atomic_fetch_xor(&a, 0xff));
  printf("%d\n", atomic_fetch_and(&a, 0x0f));
  printf("%d\n", atomic_load(&a));
  atomic_store_explicit(&a, 1, memory_order_release);
  printf("%d\n", atomic_fetch_add_explicit(&a, 1, memory_order_relaxed));
  printf("%d\n", atomic_fetch_sub_explicit(&a, 1, memory_order_relaxed));
  printf("%d\n", atomic_fetch_or_explicit(&a, 4, memory_order_relaxed));
  printf("%d\n", atomic_fetch_xor_explicit(&a, 5, memory_order_relaxed));
  printf("%d\n", atomic_fetch_and_explicit(&a, 3, memory_order_relaxed));
  printf("%d\n", atomic_exchange_explicit(&a, 9, memory_order_acq_rel));
  expected = 9;
  printf("%d\n", atomic_compare_exchange_strong_explicit(&a, &expected, 1, memory_order_seq_cst, memory_order_relaxed));
  expected = 1;
  while (!atomic_compare_exchange_weak_explicit(&a, &expected, 2, memory_order_seq_cst, memory_order_relaxed)) {
  }
  printf("%d ", atomic_flag_test_and_set(&flag));
  printf("%d\n", atomic_flag_test_and_set_explicit(&flag, memory_order_acquire));
  atomic_flag_clear(&flag);
  printf("%d\n", atomic_flag_test_and_set(&flag));
  atomic_flag_clear_explicit(&flag, memory_order_release);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_seq_cst);
  counter++;
  counter += 10;
  printf("%d %d\n", counter, atomic_is_lock_free(&counter));
  _Atomic(double) d = 1.5;
  atomic_store(&d, 3.5);
  printf("%g\n", atomic_load(&d));
  atomic_uintptr_t p = 0;
  atomic_fetch_add(&p, 3);
  atomic_bool b = true;
  atomic_uchar small = 255;
  small++;
  printf("%d %d %d\n", (int)p, b, small);
  printf("%d\n", kill_dependency(3));
  return 0;
}
