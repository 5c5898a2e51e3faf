/* <malloc.h>: the allocator's functions beyond <stdlib.h>, as in glibc. */
#ifndef _MALLOC_H
#define _MALLOC_H

#include <stdio.h>
#include <stdio.h>
#include <stdlib.h>

#define M_MXFAST 1
#define M_NLBLKS 2
#define M_GRAIN 3
#define M_KEEP 4
#define M_TRIM_THRESHOLD (-1)
#define M_TOP_PAD (-2)
#define M_MMAP_THRESHOLD (-3)
#define M_MMAP_MAX (-4)
#define M_CHECK_ACTION (-5)
#define M_PERTURB (-6)
#define M_ARENA_TEST (-7)
#define M_ARENA_MAX (-8)

struct mallinfo {
  int arena;
  int ordblks;
  int smblks;
  int hblks;
  int hblkhd;
  int usmblks;
  int fsmblks;
  int uordblks;
  int fordblks;
  int keepcost;
};

struct mallinfo2 {
  size_t arena;
  size_t ordblks;
  size_t smblks;
  size_t hblks;
  size_t hblkhd;
  size_t usmblks;
  size_t fsmblks;
  size_t uordblks;
  size_t fordblks;
  size_t keepcost;
};

void *memalign(size_t __alignment, size_t __size);
size_t malloc_usable_size(void *__block);
void *pvalloc(size_t __size);
int mallopt(int __parameter, int __value);
int malloc_trim(size_t __kept);
int malloc_info(int __options, FILE *__stream);
void malloc_stats(void);
struct mallinfo mallinfo(void);
struct mallinfo2 mallinfo2(void);

#endif
