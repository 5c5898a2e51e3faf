/*
 * <obstack.h>: stacks of objects, GNU.
 *
 * Before `obstack_init`, a program defines `obstack_chunk_alloc` and `obstack_chunk_free`.
 */
#ifndef _OBSTACK_H
#define _OBSTACK_H

#include <stdarg.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct _obstack_chunk;

struct obstack {
  size_t chunk_size;
  struct _obstack_chunk *chunk;
  char *object_base;
  char *next_free;
  char *chunk_limit;
  size_t alignment_mask;
  void *(*__allocate)(size_t);
  void (*__release)(void *);
  void *(*__allocate_with)(void *, size_t);
  void (*__release_with)(void *, void *);
  void *extra_arg;
};

extern void (*obstack_alloc_failed_handler)(void);
extern int obstack_exit_failure;

int _obstack_begin(struct obstack *__stack, size_t __size, size_t __alignment, void *(*__allocate)(size_t),
                   void (*__release)(void *));
int _obstack_begin_1(struct obstack *__stack, size_t __size, size_t __alignment, void *(*__allocate)(void *, size_t),
                     void (*__release)(void *, void *), void *__argument);

#define obstack_begin(stack, size) obstack_specify_allocation(stack, size, 0, obstack_chunk_alloc, obstack_chunk_free)
#define obstack_init(stack) obstack_begin(stack, 0)
#define obstack_specify_allocation(stack, size, alignment, allocate, release) \
  _obstack_begin(stack, size, alignment, (void *(*)(size_t))(allocate), (void (*)(void *))(release))
#define obstack_specify_allocation_with_arg(stack, size, alignment, allocate, release, argument) \
  _obstack_begin_1(stack, size, alignment, (void *(*)(void *, size_t))(allocate), (void (*)(void *, void *))(release), argument)

/* An object at once. */
void *obstack_alloc(struct obstack *__stack, size_t __size);
void *obstack_copy(struct obstack *__stack, const void *__bytes, size_t __size);
void *obstack_copy0(struct obstack *__stack, const void *__bytes, size_t __size);
void obstack_free(struct obstack *__stack, void *__object);

/* An object that grows. */
void obstack_blank(struct obstack *__stack, ptrdiff_t __size);
void obstack_grow(struct obstack *__stack, const void *__bytes, size_t __size);
void obstack_grow0(struct obstack *__stack, const void *__bytes, size_t __size);
void obstack_1grow(struct obstack *__stack, char __byte);
void obstack_ptr_grow(struct obstack *__stack, const void *__pointer);
void obstack_int_grow(struct obstack *__stack, int __number);
void obstack_make_room(struct obstack *__stack, size_t __size);
void *obstack_finish(struct obstack *__stack);
int obstack_printf(struct obstack *__restrict __stack, const char *__restrict __format, ...)
    __attribute__((__format__(__printf__, 2, 3)));
int obstack_vprintf(struct obstack *__restrict __stack, const char *__restrict __format, va_list __arguments)
    __attribute__((__format__(__printf__, 2, 0)));

int _obstack_memory_used(struct obstack *__stack);
int _obstack_allocated_p(struct obstack *__stack, void *__object);

#define obstack_memory_used(stack) _obstack_memory_used(stack)
#define obstack_base(stack) ((void *)(stack)->object_base)
#define obstack_next_free(stack) ((void *)(stack)->next_free)
#define obstack_object_size(stack) ((size_t)((stack)->next_free - (stack)->object_base))
#define obstack_room(stack) ((size_t)((stack)->chunk_limit - (stack)->next_free))
#define obstack_empty_p(stack) ((stack)->chunk == 0)
#define obstack_chunk_size(stack) ((stack)->chunk_size)
#define obstack_alignment_mask(stack) ((stack)->alignment_mask)

/* After obstack_make_room. */
#define obstack_1grow_fast(stack, byte) ((void)(*(stack)->next_free++ = (byte)))
#define obstack_ptr_grow_fast(stack, pointer) __obstack_put(stack, const void *, pointer)
#define obstack_int_grow_fast(stack, number) __obstack_put(stack, int, number)
#define obstack_blank_fast(stack, size) ((void)((stack)->next_free += (size)))
#define __obstack_put(stack, type, value) \
  ((void)(*(type *)(void *)(stack)->next_free = (value), (stack)->next_free += sizeof(type)))

#ifdef __cplusplus
}
#endif

#endif
