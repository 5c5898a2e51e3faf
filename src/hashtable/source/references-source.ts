/**
 * Which tables a handle holds, and how the last holder of a table releases it. The lowest layer of
 * a handle.
 *
 * Reading a pointer to a table and counting the reference must be one step, or the table may be
 * released in between. So a *link* to a table, the descriptor's `head` or a table's `previous`, is
 * one 64-bit word with the address in the lower half and the number of references taken through
 * this link in the upper one. To pin a table is to add 1 to the upper half and to read the lower. A
 * thread that replaces the link reads that number in the same step and adds it to the table's own
 * `references`, from which released references are subtracted. A handle holds a table as the
 * current one (`head`), to which it may write, or as the old one (`previous`), which it only
 * migrates. These are counted separately in one word:
 *
 *     references = HEAD_LINK + PREVIOUS_LINK, each until that link is cut
 *                + USES × (counted at the head when that was cut − released as the current table)
 *                + MIGRATES × (counted at `previous` when that was cut − released as the old table)
 *
 * It is zero exactly when no link leads to the table any more and no handle holds it. Every table
 * has two links in its life, `head` and then `previous` of its successor, so it starts with both.
 * The units are far enough apart: a count at a link has 32 bits, PREVIOUS_LINK is 2^36 USES, and an
 * old table is released at most once per block and handle, which is less than half of USES, 2^23.
 * The SRI report took a lock for this ("we have not found a way … that relies only on CAS"); here
 * no thread waits for another.
 *
 * A table that is being migrated is *quiet* when PREVIOUS_LINK and no USES are left: all handles
 * that had it as their current table have moved on, and no other can come. From then on nothing is
 * added to it or removed from it. The links differ because `previous` may be cut first: a thread
 * that has replaced the head may be slow to add what was counted there, while others migrate
 * everything. With two links of one size the table would look quiet then.
 *
 * **Invariants.** `table` and `old` are 0 or counted. A handle touches only these two tables, and
 * tables it has not published.
 */
export const referencesSource = `
field pool;
field head;         // the address of the head
field block;        // entries per block
field load;         // the percentage at which a table grows

field table;        // the current one, as far as this handle has noticed; 0 once it is deleted or the handle closed
field mask;
field entries;      // addresses of the entries and cells of 'table'
field cells;
field batch;        // in what steps this handle counts in 'table'

field old;          // the table being migrated into 'table', or 0
field oldMask;
field oldEntries;
field oldCells;
field oldBlocks;    // how many blocks it has
field oldSettled;   // blocks below this one are known to be settled

// How many handles there are now.
export fn open(pool, descriptor): i32 {
  my.pool = pool;
  my.head = descriptor + Descriptor.head;
  my.load = load32('table.read', descriptor + Descriptor.load);
  my.block = load32('table.read', descriptor + Descriptor.block);
  let handles = add32('handles.count', descriptor + Descriptor.handles, 1);
  my.table = 0;
  my.old = 0;
  my.calm = NEVER;
  my.quota = 0;
  my.wantsGrowth = 0;
  my.removals = 0;
  moveToCurrent();
  return handles;
}

// Gives up all tables. The handle must not be used afterwards.
export fn close() {
  returnQuota();
  unpin();
  add32('handles.count', my.head + (Descriptor.handles - Descriptor.head), -1);
}

export fn reopen(pool, descriptor) {
  close();
  open(pool, descriptor);
}

inline fn blocksOf(capacity): i32 {
  return (capacity + SPECIAL_ENTRIES + my.block - 1) / my.block;
}

// Where in a table its entries begin: the marks of its blocks lie before them.
inline fn entriesOf(capacity): i32 {
  return (Table.settled + 4 * blocksOf(capacity) + 63) & ~63;
}

inline fn cellsOf(capacity): i32 {
  return entriesOf(capacity) + ENTRY_BYTES * (capacity + SPECIAL_ENTRIES);
}

// A fresh table that no other thread knows, or 0 if there is no memory for it.
fn createTable(capacity, previous): i32 {
  let cells = cellsOf(capacity);
  let table = allocate(my.pool, cells + 16 * (capacity + SPECIAL_ENTRIES), cells - BLOCK_PREFIX);
  if (table == 0) return 0;
  store64('table.write', table + Table.references, HEAD_LINK + PREVIOUS_LINK);
  store32('table.write', table + Table.previous, previous);
  store32('table.write', table + Table.capacity, capacity);
  return table;
}

// Makes the first table of a descriptor; false if there is no memory for it.
export fn create(pool, descriptor, capacity, load, block): i32 {
  my.pool = pool;
  my.block = block;
  let table = createTable(capacity, 0);
  if (table == 0) return 0;
  store32('table.write', descriptor + Descriptor.load, load);
  store32('table.write', descriptor + Descriptor.block, block);
  store32('table.write', descriptor + Descriptor.head, table | State.INITIAL);
  return 1;
}

// Pins the current table instead of whatever was pinned; returns the lower half of the head.
fn moveToCurrent(): i32 {
  let head = low(add64('head.pin', my.head, ONE_PIN));
  unpin();
  use(head & ~STATE_BITS);
  return head;
}

// Makes a pinned table the handle's current one.
fn use(table) {
  my.table = table;
  if (table == 0) return;
  let capacity = load32('table.read', table + Table.capacity);
  my.mask = capacity - 1;
  my.entries = table + entriesOf(capacity);
  my.cells = table + cellsOf(capacity);
  my.batch = batchOf(capacity);
}

// Counters are shared, so a handle counts in steps: those of all handles that are open now together
// are at most a 32nd of the capacity.
fn batchOf(capacity): i32 {
  if (capacity < 1024) return 1;
  let batch = capacity / (32 * load32('handles.read', my.head + (Descriptor.handles - Descriptor.head)));
  if (batch > 256) return 256;
  if (batch < 1) return 1;
  return batch;
}

// Pins the table that is being migrated; false if it is assimilated.
fn pinOld(): i32 {
  if (my.old != 0) return 1;
  let old = low(add64('previous.pin', my.table + Table.previous, ONE_PIN));
  my.old = old;
  if (old == 0) return 0;
  let capacity = load32('table.read', old + Table.capacity);
  my.oldMask = capacity - 1;
  my.oldEntries = old + entriesOf(capacity);
  my.oldCells = old + cellsOf(capacity);
  my.oldBlocks = blocksOf(capacity);
  my.oldSettled = 0;
  return 1;
}

// Whether it is certain that no thread will ever add to the table that is being migrated, or remove
// from it.
fn isOldQuiet(): i32 {
  return ((load64('references.read', my.old + Table.references) + HALF_USES) & -USES) == PREVIOUS_LINK;
}

fn unpinOld() {
  if (my.old == 0) return;
  giveUp(my.old, MIGRATES);
  my.old = 0;
}

fn unpin() {
  unpinOld();
  if (my.table == 0) return;
  giveUp(my.table, USES);
  my.table = 0;
}

// Ends the link to a table's predecessor, once that is assimilated or the table itself is released.
fn cutPrevious(table) {
  while (1) {
    let previous = load64('previous.look', table + Table.previous);
    if (low(previous) == 0) return;
    if (cas64('previous.cut', table + Table.previous, previous, 0n)) {
      linkWasCut(low(previous), join(high(previous), 0) * MIGRATES - PREVIOUS_LINK);
      return;
    }
  }
}

fn linkWasCut(table, change: i64) {
  if (add64('references.add', table + Table.references, change) == 0n) releaseTable(table);
}

fn giveUp(table, reference: i64) {
  if (add64('references.drop', table + Table.references, -reference) == 0n) releaseTable(table);
}

fn releaseTable(table) {
  cutPrevious(table);
  release(my.pool, table);
}

// Deletes the table: operations of all handles find nothing from now on. The last handle to be
// closed releases the memory.
export fn delete() {
  while (1) {
    let head = load64('head.look', my.head);
    let table = low(head) & ~STATE_BITS;
    if (table == 0) return;
    if (cas64('head.final', my.head, head, FINAL_HEAD)) {
      linkWasCut(table, join(high(head), 0) * USES - HEAD_LINK - PREVIOUS_LINK);
      return;
    }
  }
}
`;
