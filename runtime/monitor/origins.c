#include "origins.h"

#include "report.h"

#define STORES 1024u
#define COPIES 256u
/* Longer chains of copies are not followed; the report then names a copy. */
#define LONGEST_CHAIN 64

static u32 now;
static struct stored {
  u32 at, bytes, number, when;
  struct undefined_bytes origin;
} stores[STORES];
static struct copied {
  u32 to, number, bytes, from, source, when;
} copies[COPIES];

static struct stored *store_at(u32 at) { return &stores[at / 4 % STORES]; }

int __rz_pass_origin(u32 at, u32 bytes, u32 number, u32 from, u32 source) {
  const struct stored *store = store_at(from);
  if (source && store->at == from && store->number == source) __rz_note_store(at, bytes, number, store->origin);
  else if (source == number) __rz_forget_store(at);
  else return 0;
  return 1;
}

void __rz_note_store(u32 at, u32 bytes, u32 number, struct undefined_bytes origin) {
  *store_at(at) = (struct stored){at, bytes, number, ++now, origin};
}

void __rz_forget_store(u32 at) { store_at(at)->number = 0; }

void __rz_note_copy(const void *to, const void *from, u32 bytes) {
  struct copied *copy = &copies[address_of(to) / 8 % COPIES];
  *copy = (struct copied){address_of(to), effective_number(to), bytes, address_of(from), effective_number(from), ++now};
}

/* The last store before `before` of a value with this byte: values have at most eight. */
static const struct stored *last_store(u32 at, u32 number, u32 before) {
  const struct stored *last = 0;
  for (u32 back = 0; back <= 8; back += 4) {
    const struct stored *store = store_at(at - back);
    if (store->number == number && at - store->at < store->bytes && store->when < before && (!last || store->when > last->when)) last = store;
  }
  return last;
}

/*
 * The bytes in the origin of a stored value. A part of a value that was loaded and stored as a
 * whole, as small structures are, is the same part of the origin.
 */
static struct undefined_bytes before_store(struct undefined_bytes bytes, const struct stored *store) {
  struct undefined_bytes origin = store->origin;
  u32 skipped = bytes.value - store->at;
  int is_part = bytes.value != store->at || bytes.value_bytes < store->bytes;
  if (!is_part || store->bytes != origin.value_bytes || skipped >= store->bytes) return origin;
  return (struct undefined_bytes){origin.value + bytes.first - store->at, origin.number, bytes.count, origin.value + skipped, bytes.value_bytes};
}

/* The last copy to this address before `before`. */
static const struct copied *last_copy(u32 at, u32 number, u32 before) {
  const struct copied *last = 0;
  for (const struct copied *copy = copies; copy < copies + COPIES; copy++)
    if (copy->number == number && at - copy->to < copy->bytes && copy->when < before && (!last || copy->when > last->when)) last = copy;
  return last;
}

/* The bytes in the source of a copy. */
static struct undefined_bytes before_copy(struct undefined_bytes bytes, const struct copied *copy) {
  u32 skipped = bytes.first - copy->to, some_bits = bytes.count & SOME_BITS, count = bytes.count & ~SOME_BITS;
  u32 first = copy->from + skipped, value = bytes.value - copy->to;
  if (count > copy->bytes - skipped) count = copy->bytes - skipped;
  int whole = value < copy->bytes && bytes.value_bytes <= copy->bytes - value;
  return (struct undefined_bytes){first, copy->source, count | some_bits, whole ? copy->from + value : first,
                                  whole ? bytes.value_bytes : count};
}

struct undefined_bytes __rz_birthplace(struct undefined_bytes bytes) {
  u32 before = ~0u;
  for (int i = 0; i < LONGEST_CHAIN && bytes.number; i++) {
    const struct stored *store = last_store(bytes.first, bytes.number, before);
    const struct copied *copy = last_copy(bytes.first, bytes.number, before);
    if (store && (!copy || store->when > copy->when)) before = store->when, bytes = before_store(bytes, store);
    else if (copy) before = copy->when, bytes = before_copy(bytes, copy);
    else break;
  }
  return bytes;
}
