/**
 * Growth and migration: moves the entries of a table that became too full to its successor. The
 * middle layer of a handle.
 *
 * An entry of the old table is *settled* when nothing can be added to it any more and the new table
 * contains its value:
 *
 *     empty     key word EMPTY → CLOSED                    an adder that comes later goes to the new table
 *     claimed   value word v → v | FROZEN, then, if v is present, the key is claimed in the new table and its value word
 *               goes from ABSENT to v. A thread that finds v frozen copies it again, since it cannot know whether that was done; only
 *               the first copy finds ABSENT, and a value word never becomes ABSENT again, so a late copy is refused.
 *
 * Both steps are on one 64-bit word, and the value word alone determines the meaning of the pair: a
 * claimed key whose value is ABSENT is not in the table. So no 128-bit operation is needed, and the
 * race of the SRI report's third footnote cannot happen here: a migrator that meets a key whose
 * value is not written yet freezes ABSENT, and the adder's commit fails.
 *
 * A table is *quiet* once all handles have moved from it to its successor (`references-source.ts`).
 * Then only marks change in it and no entry needs to be frozen or closed, so a block is copied with
 * two compare-and-swaps for a present entry and none for any other. An unused handle holds only the
 * table that it saw last, so it keeps that one table from becoming quiet, and not those after
 * it.
 *
 * Every operation that finds the table EXPANDING first pays a tax: it settles the old table from
 * its own key's home to its key or to the end of that probe sequence, then one more block of
 * entries. So its key is settled before it works on the new table.
 *
 * **Invariants.** A table gets a successor only when its predecessor is assimilated, so at most one
 * table is being migrated (MInv of the SRI report). A key's value word in the new table is ABSENT
 * until the key is settled in the old one.
 */
export const migrationSource = `
field calm;         // the head that needs no attention: 'table', not expanding; or NEVER
field quota;        // entries of 'table' that are counted as used and that this handle may still claim
field wantsGrowth;
field removals;     // tombstones made, minus tombstones overwritten, that are not in the table's counter yet

fn returnQuota() {
  if (my.table != 0 && my.quota > 0) add32('used.return', my.table + Table.used, -my.quota);
  my.quota = 0;
}

// Gets ready for an operation on a key: notices growth and pays the tax. False if the table is
// deleted.
inline fn enter(key: i64, hash): i32 {
  let head = load32('head.read', my.head);
  if (head == my.calm) return 1;
  return catchUp(head, key, hash);
}

fn catchUp(seen, key: i64, hash): i32 {
  let head = seen;
  my.calm = NEVER;
  if ((head & ~STATE_BITS) != my.table) {
    head = moveToCurrent();
    my.quota = 0;
    my.wantsGrowth = 0;
    my.removals = 0;
  }
  if (my.table == 0) return 0;
  if ((head & STATE_BITS) == State.EXPANDING) {
    if (pinOld()) {
      settleKey(key, hash);
      settleSomeBlock();
    }
  } else {
    unpinOld();
    my.calm = head;
  }
  return 1;
}

inline fn isSpecial(key: i64): i32 {
  return ((key + 1n) & -2n) == 0n;
}

// The entry past the end of the array for a key that looks like EMPTY or CLOSED.
inline fn specialEntry(entries, mask, key: i64): i32 {
  return entries + (mask + 1 + (low(key) & 1)) * ENTRY_BYTES;
}

// The key's entry in 'table', claimed for it if it had none; or FULL, or MOVED. A copy must
// succeed; the capacities see to it.
inline fn claim(key: i64, hash, copying): i32 {
  let entries = my.entries;
  let mask = my.mask;
  if (isSpecial(key)) return specialEntry(entries, mask, key);
  let index = hash & mask;
  let end = index + mask;
  while (index <= end) {
    let entry = entries + (index & mask) * ENTRY_BYTES;
    let found = load64('key.read', entry);
    if (found == key) return entry;
    if (found == CLOSED) return MOVED;
    if (found == EMPTY) {
      if (my.quota == 0 && !reserve(copying)) return FULL;
      if (cas64('key.claim', entry, EMPTY, key)) {
        my.quota = my.quota - 1;
        return entry;
      }
      continue; // Another thread claimed or closed the entry; the next read shows for which key.
    }
    index = index + 1;
  }
  return FULL;
}

// Notes that a tombstone was made (1) or overwritten (-1). The counter is rough: it only chooses
// the next capacity.
fn countRemoval(change) {
  let removals = my.removals + change;
  let batch = my.batch;
  my.removals = removals;
  if (removals < batch && -removals < batch) return;
  add32('removed.add', my.table + Table.removed, removals);
  my.removals = 0;
}

// Makes a larger table current, or one of the same size if mostly tombstones fill this one. One
// thread is enough, and the others continue with the old table meanwhile; but a thread that finds
// it 'full' does not wait. False if there is no memory.
fn grow(full): i32 {
  let table = my.table;
  my.wantsGrowth = 0;
  if (full) {
    while (load32('head.read', my.head) == (table | State.EXPANDING)) settleSomeBlock();
  } else {
    if (load32('head.read', my.head) == (table | State.EXPANDING)) return 1;
    if (!cas32('growing.claim', table + Table.growing, 0, 1)) return 1;
  }
  let fresh = createTable(nextCapacity(), table);
  if (fresh == 0) {
    store32('growing.clear', table + Table.growing, 0);
    return (load32('head.read', my.head) & ~STATE_BITS) != table;
  }
  while (1) {
    let head = load64('head.look', my.head);
    if ((low(head) & ~STATE_BITS) != table) {
      release(my.pool, fresh);
      return 1;
    }
    if (cas64('head.grow', my.head, head, join(fresh | State.EXPANDING, 0))) {
      linkWasCut(table, join(high(head), 0) * USES - HEAD_LINK);
      return 1;
    }
  }
}

// Settles the old table from the key's home on, until nothing more can be said about the key there.
fn settleKey(key: i64, hash) {
  let entries = my.oldEntries;
  let mask = my.oldMask;
  if (isSpecial(key)) {
    settleValue(specialEntry(entries, mask, key), key);
    return;
  }
  let index = hash & mask;
  let end = index + mask;
  while (index <= end) {
    if (settle(entries + (index & mask) * ENTRY_BYTES, key)) return;
    index = index + 1;
  }
}

// Settles the next block that no thread has taken or, when all are taken, whatever is left. The
// last one marks the migration as done.
fn settleSomeBlock() {
  if (!pinOld()) return;
  let taken = add32('tax.take', my.old + Table.cursor, 1) - 1;
  if (taken < my.oldBlocks) {
    settleBlock(taken);
    // Searching for the end before it is near would only wait for words that others write.
    if (taken + 1 < my.oldBlocks || firstUnsettledBlock() < my.oldBlocks) return;
  } else {
    let left = firstUnsettledBlock();
    while (left < my.oldBlocks) {
      settleBlock(left);
      left = firstUnsettledBlock();
    }
  }
  declareExpanded();
}

fn settleBlock(number) {
  let capacity = my.oldMask + 1;
  let index = number * my.block;
  let end = index + my.block;
  if (end > capacity + SPECIAL_ENTRIES) end = capacity + SPECIAL_ENTRIES;
  if (index < capacity && isOldQuiet()) index = copyQuietBlock(index, end);
  while (index < end) {
    let entry = my.oldEntries + index * ENTRY_BYTES;
    if (index < capacity) settle(entry, EMPTY);
    else if (index == capacity) settleValue(entry, EMPTY);
    else settleValue(entry, CLOSED);
    index = index + 1;
  }
  store32('tax.done', my.old + Table.settled + 4 * number, 1);
}

// Copies the entries of a block of a quiet table except those past its end. Returns where it ended.
fn copyQuietBlock(from, to): i32 {
  let capacity = my.oldMask + 1;
  let end = to;
  if (end > capacity) end = capacity;
  let index = from;
  while (index < end) {
    let count = end - index;
    if (count > 32) count = 32;
    // A copy goes to about the place where it was or, in a table twice as large, to about that
    // place in the second half.
    ownLines(index, count);
    if (my.mask > my.oldMask) ownLines(capacity + index, count);
    copyQuietEntries(my.oldEntries + index * ENTRY_BYTES, count);
    index = index + count;
  }
  return end;
}

// Gets the lines of some entries of the new table for writing, all at once. The compare-and-swaps
// to come would wait for one after the other, and where a line was loaded before, twice: for what
// is in it, and then for the other core to give it up. So a zero is stored where a zero is.
inline fn ownLines(index, count) {
  let at = my.entries + index * ENTRY_BYTES;
  let end = at + count * ENTRY_BYTES;
  while (at < end) {
    own('line.own', at + ZERO_BYTE);
    at = at + LINE_BYTES;
  }
}

// Copies up to 32 entries of a quiet table. What a processor cannot guess, which of them are
// present and whether the place of a copy is taken, is computed where it can be and not branched
// on: a misprediction costs more than a compare-and-swap.
fn copyQuietEntries(start, count) {
  let end = start + count * ENTRY_BYTES;
  let present = 0;
  let kinds = 0;
  let at = start;
  while (at < end) {
    let kind = high(load64('quiet.read', at + VALUE)) >>> KIND_SHIFT;
    present = present << 1 | (kind >>> 1 & 1);
    kinds = kinds | kind;
    at = at + ENTRY_BYTES;
  }
  let entries = my.entries;
  let mask = my.mask;
  let left = present << (32 - count);
  while (left != 0) {
    let number = clz(left);
    left = left & ~(0x80000000 >>> number);
    let old = start + number * ENTRY_BYTES;
    let key = load64('quiet.read', old);
    let word = load64('quiet.read', old + VALUE);
    if ((word & WIDE) != 0n) continue;
    let index = hashOf(key);
    let first = load64('key.guess', entries + (index & mask) * ENTRY_BYTES);
    index = index + ((first != EMPTY) & (first != key));
    while (1) {
      let entry = entries + (index & mask) * ENTRY_BYTES;
      let found = load64('key.read', entry);
      if (found == EMPTY) {
        if (my.quota == 0) reserve(1);
        if (!cas64('key.claim', entry, EMPTY, key)) continue;
        my.quota = my.quota - 1;
        found = key;
      }
      if (found == key) {
        cas64('value.copy', entry + VALUE, ABSENT, word & ~FROZEN);
        break;
      }
      index = index + 1;
    }
  }
  if (!(kinds & 1)) return;
  at = start;
  while (at < end) {
    let word = load64('quiet.read', at + VALUE);
    if ((word & WIDE) != 0n) copy(load64('quiet.read', at), word & ~FROZEN);
    at = at + ENTRY_BYTES;
  }
}

fn firstUnsettledBlock(): i32 {
  let settled = my.old + Table.settled;
  while (my.oldSettled < my.oldBlocks) {
    if (load32('tax.check', settled + 4 * my.oldSettled) == 0) break;
    my.oldSettled = my.oldSettled + 1;
  }
  return my.oldSettled;
}

// EXPANDING to EXPANDED, in one step with the check that the head is still the table whose
// predecessor is assimilated. A thread that was slow cannot end the next migration instead, as in
// the SRI report's second footnote: its own pin keeps the table's address from being used again.
fn declareExpanded() {
  let table = my.table;
  while (1) {
    let head = load64('head.look', my.head);
    if (low(head) != (table | State.EXPANDING)) break;
    if (cas64('head.expanded', my.head, head, join(table | State.EXPANDED, high(head)))) break;
  }
  cutPrevious(table);
}

// Settles an entry of the old table; true if it is the end of the search for the key.
inline fn settle(entry, sought: i64): i32 {
  while (1) {
    let key = load64('key.read', entry);
    if (key == CLOSED) return 1;
    if (key != EMPTY) {
      settleValue(entry, key);
      return key == sought;
    }
    if (cas64('key.close', entry, EMPTY, CLOSED)) return 1;
  }
}

inline fn settleValue(entry, key: i64) {
  let word = freeze(entry + VALUE);
  if ((word & PRESENT) != 0n) copy(key, word & ~FROZEN);
}

// Freezes a value word if it is not; returns it.
inline fn freeze(at): i64 {
  while (1) {
    let word = load64('value.read', at);
    if ((word & FROZEN) != 0n || cas64('value.freeze', at, word, word | FROZEN)) return word;
  }
}

fn copy(key: i64, word: i64) {
  let entry = claim(key, hashOf(key), 1);
  assert(entry > 0, 'a new table has room for what the old one held');
  if ((word & WIDE) == 0n) {
    cas64('value.copy', entry + VALUE, ABSENT, word);
    return;
  }
  // Copies use the cell of the entry itself: all threads that copy this key write the same value
  // there.
  let value = load64('wide.read', my.oldCells + 8 * low(word));
  let cell = (entry - my.entries) / ENTRY_BYTES;
  store64('wide.write', my.cells + 8 * cell, value);
  cas64('value.copy', entry + VALUE, ABSENT, join(cell, 0) | PRESENT | WIDE);
}

// Reserves entries to claim. Beyond the load and its headroom only copies may.
fn reserve(copying): i32 {
  let batch = my.batch;
  let used = add32('used.reserve', my.table + Table.used, batch);
  if (exceeds(used + 1, my.load)) my.wantsGrowth = 1;
  if (!copying && exceeds(used, my.load + HEADROOM_PERCENT)) {
    add32('used.return', my.table + Table.used, -batch);
    return 0;
  }
  my.quota = batch;
  return 1;
}

fn exceeds(entryCount, percent): i32 {
  return join(entryCount, 0) * 100n > join(my.mask + 1, 0) * join(percent, 0);
}

// Twice the capacity, or the same if less than half of the load is alive. The second needs 'used'
// to be within the headroom, because then the table can never hold more than the next one has room
// for, whatever happens before that is public.
fn nextCapacity(): i32 {
  let capacity = my.mask + 1;
  let used = load32('counters.read', my.table + Table.used);
  let removed = load32('counters.read', my.table + Table.removed);
  let alive = used - removed;
  if (alive < 0) alive = 0;
  if (capacity >= SMALLEST_SAME_SIZE && !exceeds(2 * alive, my.load) && !exceeds(used, my.load + HEADROOM_PERCENT))
    return capacity;
  return 2 * capacity;
}
`;
