/**
 * `add`, `remove` and `find`: the top layer of a handle; `docs/hashtable.md` has the proofs.
 *
 * Each operation reads the head, and if it is unchanged since the handle's last operation, accesses
 * the entries directly: find takes four atomic loads if the key is at its home or in the next
 * entry. A frozen or closed entry means that the table has been replaced, and the operation starts
 * again on the new one; only `find` may answer from a frozen entry.
 *
 * **Linearisation points.** `add`: the compare-and-swap `value.write`. `remove`: `value.remove`, or
 * the point of a `find` that finds nothing. `find`: the load `value.read`, or the load `key.read`
 * of an empty entry. If these saw a frozen value or a closed entry, the point is the earlier moment
 * when it was frozen or closed: that is after this operation read the head, since tables are only
 * frozen once they are no longer current, and it was the last moment of that table for the key.
 *
 * Keys and values have two forms: 64-bit words, and, for speed, JavaScript numbers that are
 * integers below 2^53.
 */
export const operationsSource = `
field found: i64;   // the value that 'find' found

export fn add(key: i64, value: i64): i32 {
  return put(key, value);
}

export fn addNumber(key: f64, value: f64): i32 {
  return put(fromNumber(key), fromNumber(value));
}

export fn remove(key: i64): i32 {
  return take(key);
}

export fn removeNumber(key: f64): i32 {
  return take(fromNumber(key));
}

// Whether the key is there; its value is in 'found' then.
export fn find(key: i64): i32 {
  let word = search(key);
  my.found = valueOf(word);
  return (word & PRESENT) != 0n;
}

export fn found(): i64 {
  return my.found;
}

// The value, or -1. It must have been added as a number.
export fn findNumber(key: f64): f64 {
  let word = search(fromNumber(key));
  if ((word & PRESENT) == 0n) return toNumber(-1n);
  return toNumber(word & VALUE_BITS);
}

// Mixes all bits of a key into 32.
inline fn hashOf(key: i64): i32 {
  let hash = low(key) ^ high(key) * 0x9e3779b1;
  hash = (hash ^ hash >>> 15) * 0x2c1b3c6d;
  hash = (hash ^ hash >>> 12) * 0x297a2d39;
  return hash ^ hash >>> 15;
}

// Nearly every add to a large table finds the handle calm and an entry reserved, and writes to an
// entry that is empty or has a value. What is rare is called last, as in 'search'; so is every add
// to a table where entries are reserved one by one: more ways would only be more states for the
// explorer.
inline fn put(key: i64, value: i64): i32 {
  if (my.batch == 1 || isSpecial(key) || (value & ~VALUE_BITS) != 0n) return putSlowly(key, value);
  if (load32('head.read', my.head) != my.calm) return putSlowly(key, value);
  let entries = my.entries;
  let mask = my.mask;
  let word = value | PRESENT;
  let index = hashOf(key) & mask;
  let end = index + mask;
  // Half of the homes are taken, so a branch on that would be mispredicted, which stops the
  // processor from fetching lines for later operations. So two entries are passed without a branch:
  // an entry of another key keeps that key forever, and every other entry is read again.
  index = index + isOther(load64('key.guess', entries + index * ENTRY_BYTES), key);
  index = index + isOther(load64('key.guess', entries + (index & mask) * ENTRY_BYTES), key);
  while (index <= end) {
    let entry = entries + (index & mask) * ENTRY_BYTES;
    let found = load64('key.read', entry);
    if (found == EMPTY) {
      if (my.quota == 0) break;
      if (!cas64('key.claim', entry, EMPTY, key)) continue;
      my.quota = my.quota - 1;
      if (!cas64('value.write', entry + VALUE, ABSENT, word)) break;
      if (my.wantsGrowth) return growAfterInsertion();
      return Added.inserted;
    }
    if (found == key) {
      while (1) {
        let before = load64('value.read', entry + VALUE);
        if ((before & (FROZEN | PRESENT)) != PRESENT) break;
        if (cas64('value.write', entry + VALUE, before, word)) return Added.replaced;
      }
      break;
    }
    if (found == CLOSED) break;
    index = index + 1;
  }
  return putSlowly(key, value);
}

inline fn isOther(found: i64, key: i64): i32 {
  return (found != key) & !isSpecial(found);
}

fn growAfterInsertion(): i32 {
  grow(0);
  return Added.inserted;
}

fn putSlowly(key: i64, value: i64): i32 {
  let hash = hashOf(key);
  while (1) {
    if (!enter(key, hash)) return Added.deleted;
    let entry = claim(key, hash, 0);
    if (entry == MOVED) continue;
    let word = value | PRESENT;
    if (entry != FULL && (value & ~VALUE_BITS) != 0n) word = wordOfWide(value);
    if (entry == FULL || word == ABSENT) {
      if (!grow(1)) return Added.noMemory;
      continue;
    }
    let outcome = commit(entry + VALUE, word);
    if (outcome < 0) continue;
    if (my.wantsGrowth) grow(0);
    return outcome;
  }
}

// Writes a value word; negative if the entry is frozen.
inline fn commit(at, word: i64): i32 {
  while (1) {
    let before = load64('value.read', at);
    if ((before & FROZEN) != 0n) return -1;
    if (!cas64('value.write', at, before, word)) continue;
    if ((before & PRESENT) != 0n) return Added.replaced;
    if (before == TOMBSTONE) countRemoval(-1);
    return Added.inserted;
  }
}

inline fn take(key: i64): i32 {
  let hash = hashOf(key);
  while (1) {
    if (!enter(key, hash)) return 0;
    let entry = locate(key, hash);
    if (entry == 0) return 0;
    while (1) {
      let word = load64('value.read', entry + VALUE);
      if ((word & PRESENT) == 0n) return 0;
      if ((word & FROZEN) != 0n) break;
      if (!cas64('value.remove', entry + VALUE, word, TOMBSTONE)) continue;
      countRemoval(1);
      return 1;
    }
  }
}

// The value word of a key, or one that is not PRESENT. What is rare is in a function of its own: a
// call in the middle would make V8 save variables on the stack, and the fewer instructions a search
// has, the more of them a processor has under way while it waits for memory.
inline fn search(key: i64): i64 {
  let head = load32('head.read', my.head);
  if (head != my.calm) return searchAfter(head, key);
  return look(key, hashOf(key));
}

fn searchAfter(head, key: i64): i64 {
  let hash = hashOf(key);
  if (!catchUp(head, key, hash)) return ABSENT;
  return look(key, hash);
}

inline fn look(key: i64, hash): i64 {
  let entry = locate(key, hash);
  if (entry == 0) return ABSENT;
  return load64('value.read', entry + VALUE);
}

// The key's entry, or 0. Most keys are at home or in the next entry, which is found out without a
// branch, as in 'put'.
inline fn locate(key: i64, hash): i32 {
  let entries = my.entries;
  let mask = my.mask;
  if (isSpecial(key)) return specialEntry(entries, mask, key);
  let index = hash & mask;
  let end = index + mask;
  let found = load64('key.read', entries + index * ENTRY_BYTES);
  let entry = entries + (index + (found != key) & mask) * ENTRY_BYTES;
  if (load64('key.read', entry) == key) return entry;
  while (!isSpecial(found) && index < end) {
    index = index + 1;
    entry = entries + (index & mask) * ENTRY_BYTES;
    found = load64('key.read', entry);
    if (found == key) return entry;
  }
  return 0;
}

inline fn valueOf(word: i64): i64 {
  if ((word & WIDE) == 0n) return word & VALUE_BITS;
  return load64('wide.read', my.cells + 8 * low(word));
}

// A word that refers to a fresh cell with the value; ABSENT if the cells are used up.
fn wordOfWide(value: i64): i64 {
  let entryCount = my.mask + 1 + SPECIAL_ENTRIES;
  let reserved = add32('wide.reserve', my.table + Table.wide, 1) - 1;
  if (reserved < 0 || reserved >= entryCount) return ABSENT;
  // The first cells belong to the entries, for copies.
  let cell = entryCount + reserved;
  store64('wide.write', my.cells + 8 * cell, value);
  return join(cell, 0) | PRESENT | WIDE;
}
`;
