/*
 * An allocator of the BIBOP kind (big bag of pages), as small as one can be: pages of an arena are cut into chunks of one size,
 * the facts about a page are kept apart from it, in a hash table by page number, and which chunks are free is a bitmap.
 *
 *     page_of(p) ──hash──▶ directory ──▶ struct page { size of a chunk, bits of the free ones, next page of that size }
 *
 * Driven as in the study of OpenBSD's malloc: sizes of any value, any number of rounds up to ROUNDS, each block freed at once.
 */
#include <assert.h>
#include <redzone.h>

#ifndef ROUNDS
#define ROUNDS 8
#endif
#define PAGE 256
#define PAGES 16
#define CLASSES 2

struct page {
  struct page *next; /* of the same class, with free chunks */
  unsigned number, chunk, free_bits;
};

static unsigned char arena[PAGES][PAGE];
static struct page pages[PAGES];
static struct page *directory[2 * PAGES];
static struct page *with_room[CLASSES];
static const unsigned chunk_of[CLASSES] = {16, 128};
static unsigned used_pages;

static unsigned slot_of(unsigned number) { return number * 2654435761u >> 27; }

static struct page *find(const void *p) {
  unsigned number = (unsigned)(((const unsigned char *)p - &arena[0][0]) / PAGE);
  for (unsigned i = slot_of(number);; i = (i + 1) % (2 * PAGES)) {
    struct page *page = directory[i];
    if (page == 0 || page->number == number) return page;
  }
}

static struct page *new_page(unsigned chunk) {
  if (used_pages == PAGES) return 0;
  struct page *page = &pages[used_pages];
  page->number = used_pages++;
  page->chunk = chunk;
  page->free_bits = PAGE / chunk == 32 ? ~0u : (1u << PAGE / chunk) - 1;
  unsigned i = slot_of(page->number);
  while (directory[i]) i = (i + 1) % (2 * PAGES);
  directory[i] = page;
  return page;
}

static void *bag_malloc(unsigned size) {
  if (size > PAGE) return 0;
  if (size > chunk_of[CLASSES - 1]) {
    struct page *page = new_page(PAGE);
    if (page == 0) return 0;
    page->free_bits = 0;
    return arena[page->number];
  }
  int class = 0;
  while (size > chunk_of[class]) class ++;
  if (with_room[class] == 0) with_room[class] = new_page(chunk_of[class]);
  struct page *page = with_room[class];
  if (page == 0) return 0;
  unsigned bit = __builtin_ctz(page->free_bits);
  page->free_bits &= page->free_bits - 1;
  if (page->free_bits == 0) {
    with_room[class] = page->next;
    page->next = 0;
  }
  return arena[page->number] + bit * page->chunk;
}

static void bag_free(void *p) {
  if (p == 0) return;
  struct page *page = find(p);
  unsigned bit = (unsigned)((unsigned char *)p - arena[page->number]) / page->chunk;
  assert((page->free_bits >> bit & 1) == 0);
  if (page->chunk == PAGE) return; /* pages as a whole are not used again */
  if (page->free_bits == 0) {
    int class = page->chunk == chunk_of[0] ? 0 : 1;
    page->next = with_room[class];
    with_room[class] = page;
  }
  page->free_bits |= 1u << bit;
}

int main(void) {
  for (int round = 0; round < ROUNDS && __VERIFIER_nondet_bool(); round++) {
    unsigned size = __VERIFIER_nondet_uint();
    __VERIFIER_assume(size <= PAGE);
    unsigned char *p = bag_malloc(size);
    assert(p != 0);
    p[0] = 1;
    bag_free(p);
  }
  return 0;
}
