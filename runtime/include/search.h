#ifndef _SEARCH_H
#define _SEARCH_H 1

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct entry {
  char *key;
  void *data;
} ENTRY;

typedef enum { FIND, ENTER } ACTION;

typedef enum { preorder, postorder, endorder, leaf } VISIT;

struct hsearch_data {
  struct __rz_hash_slot *table;
  unsigned int size;
  unsigned int filled;
};

struct qelem {
  struct qelem *q_forw;
  struct qelem *q_back;
  char q_data[1];
};

int hcreate(size_t __count);
ENTRY *hsearch(ENTRY __item, ACTION __action);
void hdestroy(void);
int hcreate_r(size_t __count, struct hsearch_data *__table);
int hsearch_r(ENTRY __item, ACTION __action, ENTRY **__found, struct hsearch_data *__table);
void hdestroy_r(struct hsearch_data *__table);

void insque(void *__element, void *__after);
void remque(void *__element);

void *lfind(const void *__key, const void *__base, size_t *__count, size_t __size,
            int (*__compare)(const void *, const void *));
void *lsearch(const void *__key, void *__base, size_t *__count, size_t __size,
              int (*__compare)(const void *, const void *));

void *tsearch(const void *__key, void **__root, int (*__compare)(const void *, const void *));
void *tfind(const void *__key, void *const *__root, int (*__compare)(const void *, const void *));
void *tdelete(const void *__restrict __key, void **__restrict __root, int (*__compare)(const void *, const void *));
void twalk(const void *__root, void (*__action)(const void *, VISIT, int));
void twalk_r(const void *__root, void (*__action)(const void *, VISIT, void *), void *__closure);
void tdestroy(void *__root, void (*__free)(void *));

#ifdef __cplusplus
}
#endif

#endif
