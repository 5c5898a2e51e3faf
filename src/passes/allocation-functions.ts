/**
 * The functions of the C library that allocate and free blocks. Whoever takes the place of the
 * library's malloc (the monitor's runtime, the explorer, a malloc of the family) defines all of
 * them, so that no block comes from one implementation and goes to another.
 */
export const allocationFunctions: readonly string[] = [
  ...['malloc', 'calloc', 'realloc', 'reallocarray', 'free', 'aligned_alloc', 'memalign', 'valloc'],
  ...['posix_memalign', 'malloc_usable_size'],
];
