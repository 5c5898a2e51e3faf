/**
 * The functions of the C library that allocate and free blocks. A replacement of the library's
 * malloc (the monitor's runtime, the explorer, a malloc in TypeScript) defines all of them, so that
 * no block is allocated by one implementation and freed by another.
 */
export const allocationFunctions: readonly string[] = [
  ...['malloc', 'calloc', 'realloc', 'reallocarray', 'free', 'aligned_alloc', 'memalign', 'valloc'],
  ...['posix_memalign', 'malloc_usable_size'],
];
