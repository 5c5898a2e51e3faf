/**
 * The atomic steps of the shipped hash table on its entries: the model that its code
 * refines.
 *
 * It is a more detailed model of the migration of `lfht.ts`, with the change that makes it hold for
 * any number of threads: a table gets a successor only when its predecessor is assimilated. There,
 * moving M entries is one step; here an entry of the old table is *frozen* in one step and *copied*
 * in another, by any thread, while others add, remove and grow. Threads and handles are not
 * modelled: each step of any number of them is one of these commands.
 *
 *     old table     left:  present, may still change      ── freeze ──▶  in flight: cannot change, not yet in the new table
 *                                                         ── quiet ───▶      │
 *                                                                            │ copy
 *     new table     present                               ◀──────────────────┘
 *
 * Entries are frozen one by one, or all at once when the last thread that could write to the old
 * table has left it: then it is *quiet*.
 */
import { bool, integer } from '../cells.js';
import { composeNamed } from '../compose.js';
import { and, eq, ge, implies, not, sub, sum, TRUE } from '../expression.js';
import { type Model, ModelBuilder, set } from '../model-builder.js';
import type { System } from '../system.js';

export function tableProtocol(): Model {
  const m = new ModelBuilder('table-protocol');
  const generation = m.shared('generation', integer());
  const isExpanding = m.shared('expanding', bool);
  const isDeleted = m.shared('deleted', bool);
  const present = m.shared('present', integer());
  const left = m.shared('left', integer());
  const inFlight = m.shared('in flight', integer());

  m.initially(
    eq(generation.value, 1),
    not(isExpanding.value),
    not(isDeleted.value),
    ge(present.value, 0),
    eq(left.value, 0),
    eq(inFlight.value, 0),
  );
  const isAlive = not(isDeleted.value);
  m.command('insert', isAlive, set(present, sum(present.value, 1)));
  m.command('remove', and(isAlive, ge(present.value, 1)), set(present, sub(present.value, 1)));
  const isMigrating = and(isAlive, isExpanding.value);
  m.command('insert into the old table', isMigrating, set(left, sum(left.value, 1)));
  m.command('remove from the old table', and(isMigrating, ge(left.value, 1)), set(left, sub(left.value, 1)));
  m.command(
    'freeze',
    and(isMigrating, ge(left.value, 1)),
    set(left, sub(left.value, 1)),
    set(inFlight, sum(inFlight.value, 1)),
  );
  m.command('quiet', isMigrating, set(left, 0), set(inFlight, sum(inFlight.value, left.value)));
  m.command(
    'copy',
    and(isMigrating, ge(inFlight.value, 1)),
    set(inFlight, sub(inFlight.value, 1)),
    set(present, sum(present.value, 1)),
  );
  m.command(
    'grow',
    and(isAlive, not(isExpanding.value)),
    set(generation, sum(generation.value, 1)),
    set(isExpanding, TRUE),
    set(left, present.value),
    set(present, 0),
  );
  m.command(
    'assimilated',
    and(isMigrating, eq(left.value, 0), eq(inFlight.value, 0)),
    set(isExpanding, not(TRUE)),
  );
  m.command(
    'delete',
    isAlive,
    set(isDeleted, TRUE),
    set(isExpanding, not(TRUE)),
    set(present, 0),
    set(left, 0),
    set(inFlight, 0),
  );
  m.lemma('counts', and(ge(present.value, 0), ge(left.value, 0), ge(inFlight.value, 0)), {
    text: 'nothing is counted below zero',
  });
  m.property('MInv', implies(not(isExpanding.value), and(eq(left.value, 0), eq(inFlight.value, 0))), {
    text: 'a table that is not being migrated has nothing left, so only one ever is',
    restsOn: ['counts'],
  });
  return m.build();
}

/** Any number of threads: none of them is in it. */
export function tableProtocolSystem(): System {
  return composeNamed(tableProtocol(), 0);
}
