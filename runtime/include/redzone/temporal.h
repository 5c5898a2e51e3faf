#ifndef REDZONE_TEMPORAL_H
#define REDZONE_TEMPORAL_H 1

/*
 * The interface of the paper "Runtime Detection of Temporal Memory Errors", for programs that are
 * instrumented by hand or by another tool: blocks have origin numbers, pointer variables have
 * referent numbers, and a pointer is stale when the two differ.
 *
 *     char *p = malloc(8);        rz_store(p, 8);  rz_map_origin(&p, p);
 *     char *q = p + 1;            rz_map_referent(&q, &p);
 *     rz_delete(p);  free(p);
 *     if (rz_svalid(q, p, 1) && rz_tvalid(&q, q)) *q = 1;
 *
 * `redzone check` itself needs none of this: its numbers travel inside the pointers. The two see
 * the same, except where a pointer passes through an integer: by rule R3 the interface then takes
 * it for a new reference. Works under `redzone check`; a program that uses it cannot be linked
 * elsewhere.
 */

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A block of s bytes begins at a, with a fresh origin number; the block that begins at a ends. */
void rz_store(const void *a, size_t s);
void rz_delete(const void *a);

/*
 * The pointer variable p refers from now on to the block that a lies in, or to what the pointer
 * variable q refers to.
 */
void rz_map_origin(const void *p, const void *a);
void rz_map_referent(const void *p, const void *q);

/*
 * n bytes were copied, or overwritten: the referent numbers of the pointer variables in them
 * follow, or are gone.
 */
void rz_copy_referents(const void *to, const void *from, size_t n);
void rz_clear_referents(const void *start, size_t n);

/* Whether the sz bytes at a lie in one block, the one that base lies in. */
int rz_svalid(const void *a, const void *base, size_t sz);
/* Whether a lies in the block that the pointer variable p refers to. */
int rz_tvalid(const void *p, const void *a);

/*
 * Whether sz bytes at a may be accessed through this pointer, by the number in it: the answer of
 * the monitor itself.
 */
int rz_tags_valid(const void *a, size_t sz);

#ifdef __cplusplus
}
#endif

#endif
