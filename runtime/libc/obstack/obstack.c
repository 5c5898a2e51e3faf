/*
 * Stacks of objects. Each object is in a chunk of its own, so that an access past its end, or after
 * it was freed, is found as for objects of malloc. A chunk is larger than its object only if the
 * object has grown.
 *
 * Invariants
 *   - The chunks form a list from the newest object to the oldest.
 *   - `object_base` is null, or the beginning of the growing object, which is in the first chunk.
 */
#include <obstack.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the chunk functions return is assumed to be aligned to 16 bytes, as by malloc. */
struct _obstack_chunk {
  _Alignas(16) struct _obstack_chunk *previous;
  char *base;
  char *limit;
};

static void fail(void) {
  fputs("memory exhausted\n", stderr);
  exit(obstack_exit_failure);
}

int obstack_exit_failure = EXIT_FAILURE;
void (*obstack_alloc_failed_handler)(void) = fail;

static void begin(struct obstack *stack, size_t size, size_t alignment) {
  memset(stack, 0, sizeof *stack);
  stack->chunk_size = size ? size : 4064;
  stack->alignment_mask = (alignment ? alignment : 16) - 1;
}

int _obstack_begin(struct obstack *stack, size_t size, size_t alignment, void *(*allocate)(size_t),
                   void (*release)(void *)) {
  begin(stack, size, alignment);
  stack->__allocate = allocate;
  stack->__release = release;
  return 1;
}

int _obstack_begin_1(struct obstack *stack, size_t size, size_t alignment, void *(*allocate)(void *, size_t),
                     void (*release)(void *, void *), void *argument) {
  begin(stack, size, alignment);
  stack->__allocate_with = allocate;
  stack->__release_with = release;
  stack->extra_arg = argument;
  return 1;
}

/* Puts a chunk for an object of this size in front of the list. */
static struct _obstack_chunk *push(struct obstack *stack, size_t size) {
  const size_t slack = stack->alignment_mask > 15 ? stack->alignment_mask : 0;
  const size_t total = sizeof(struct _obstack_chunk) + slack + size;
  struct _obstack_chunk *chunk = 0;
  if (total >= size) chunk = stack->__allocate ? stack->__allocate(total) : stack->__allocate_with(stack->extra_arg, total);
  if (!chunk) {
    obstack_alloc_failed_handler();
    abort();
  }
  char *base = (char *)(chunk + 1);
  chunk->base = slack ? base + (-(uintptr_t)base & stack->alignment_mask) : base;
  chunk->limit = chunk->base + size;
  chunk->previous = stack->chunk;
  return stack->chunk = chunk;
}

static void release(struct obstack *stack, struct _obstack_chunk *chunk) {
  if (stack->__release) stack->__release(chunk);
  else stack->__release_with(stack->extra_arg, chunk);
}

/* The next object begins with the first byte that is asked for. */
static void close(struct obstack *stack) { stack->object_base = stack->next_free = stack->chunk_limit = 0; }

static void grow_to(struct obstack *stack, size_t capacity) {
  const size_t size = obstack_object_size(stack);
  struct _obstack_chunk *old = stack->object_base ? stack->chunk : 0;
  struct _obstack_chunk *chunk = push(stack, capacity);
  if (old) {
    memcpy(chunk->base, old->base, size);
    chunk->previous = old->previous;
    release(stack, old);
  }
  stack->object_base = chunk->base;
  stack->next_free = chunk->base + size;
  stack->chunk_limit = chunk->limit;
}

void obstack_make_room(struct obstack *stack, size_t size) {
  if (stack->object_base && obstack_room(stack) >= size) return;
  const size_t needed = obstack_object_size(stack) + size, doubled = 2 * obstack_object_size(stack);
  grow_to(stack, needed > doubled ? needed : doubled);
}

void obstack_blank(struct obstack *stack, ptrdiff_t size) {
  if (size > 0) obstack_make_room(stack, (size_t)size);
  stack->next_free += size;
}

void obstack_grow(struct obstack *stack, const void *bytes, size_t size) {
  obstack_make_room(stack, size);
  memcpy(stack->next_free, bytes, size);
  stack->next_free += size;
}

void obstack_grow0(struct obstack *stack, const void *bytes, size_t size) {
  obstack_make_room(stack, size + 1);
  obstack_grow(stack, bytes, size);
  obstack_1grow(stack, 0);
}

void obstack_1grow(struct obstack *stack, char byte) { obstack_grow(stack, &byte, 1); }

void obstack_ptr_grow(struct obstack *stack, const void *pointer) { obstack_grow(stack, &pointer, sizeof pointer); }

void obstack_int_grow(struct obstack *stack, int number) { obstack_grow(stack, &number, sizeof number); }

void *obstack_finish(struct obstack *stack) {
  if (!stack->object_base) grow_to(stack, 0);
  void *object = stack->object_base;
  close(stack);
  return object;
}

void *obstack_alloc(struct obstack *stack, size_t size) {
  obstack_make_room(stack, size);
  stack->next_free += size;
  return obstack_finish(stack);
}

void *obstack_copy(struct obstack *stack, const void *bytes, size_t size) {
  obstack_grow(stack, bytes, size);
  return obstack_finish(stack);
}

void *obstack_copy0(struct obstack *stack, const void *bytes, size_t size) {
  obstack_grow0(stack, bytes, size);
  return obstack_finish(stack);
}

static int is_in(const struct _obstack_chunk *chunk, const void *object) {
  return (uintptr_t)object >= (uintptr_t)chunk->base && (uintptr_t)object <= (uintptr_t)chunk->limit;
}

/* Frees the object and all that are newer; all objects for a null pointer. */
void obstack_free(struct obstack *stack, void *object) {
  for (struct _obstack_chunk *chunk = stack->chunk; chunk;) {
    struct _obstack_chunk *previous = chunk->previous;
    const int is_last = object && is_in(chunk, object);
    release(stack, chunk);
    stack->chunk = chunk = previous;
    if (is_last) {
      close(stack);
      return;
    }
  }
  close(stack);
  if (object) abort();
}

int _obstack_memory_used(struct obstack *stack) {
  size_t total = 0;
  for (const struct _obstack_chunk *chunk = stack->chunk; chunk; chunk = chunk->previous)
    total += (size_t)(chunk->limit - (const char *)chunk);
  return (int)total;
}

int _obstack_allocated_p(struct obstack *stack, void *object) {
  const struct _obstack_chunk *chunk = stack->chunk;
  while (chunk && !is_in(chunk, object)) chunk = chunk->previous;
  return chunk != 0;
}

int obstack_vprintf(struct obstack *restrict stack, const char *restrict format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int length = vsnprintf(0, 0, format, again);
  va_end(again);
  if (length < 0) return length;
  obstack_make_room(stack, (size_t)length + 1);
  vsnprintf(stack->next_free, (size_t)length + 1, format, arguments);
  stack->next_free += length;
  return length;
}

int obstack_printf(struct obstack *restrict stack, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = obstack_vprintf(stack, format, arguments);
  va_end(arguments);
  return length;
}
