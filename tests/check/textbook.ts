/**
 * The textbook twenty: the errors with threads that textbooks describe, each a case of a program
 * whose fixed twin is the same file with FIXED defined. `docs/threads.md` has the table of
 * verdicts.
 *
 * Errors that every run shows are cases of `tests/golden/threads.c`, for `check`; those that need a
 * schedule are cases of `tests/explore/schedules.c`, for `explore --threads`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FindingCode } from '../../src/index.js';

export const golden: string = join(import.meta.dirname, '../golden/threads.c');
export const schedules: string = join(import.meta.dirname, '../explore/schedules.c');

/** The names of a program's cases, in the order of their numbers. */
export function casesOf(program: string): string[] {
  const [, list] = /^CASES\(([\s\S]*?)\)/m.exec(readFileSync(program, 'utf8'))!;
  return list!.split(',').map(name => name.trim());
}

export interface Textbook {
  /** As `docs/threads.md` calls it. */
  readonly title: string;
  readonly program: string;
  readonly name: string;
  readonly code: FindingCode;
}

const row = (program: string, title: string, name: string, code: FindingCode = 'data-race'): Textbook => ({
  title,
  program,
  name,
  code,
});

export const textbook: readonly Textbook[] = [
  row(golden, 'lost update', 'lost_update'),
  row(golden, 'double-checked locking', 'double_checked_locking'),
  row(golden, 'publication without release', 'publication_without_release'),
  row(schedules, 'ABA on a lock-free stack', 'aba_on_a_stack', 'assertion-failure'),
  row(golden, 'spin lock that orders nothing', 'broken_spin_lock'),
  row(schedules, 'upgrade of a read lock', 'upgrade_of_readers', 'deadlock'),
  row(schedules, 'dining philosophers', 'philosophers', 'deadlock'),
  row(schedules, 'condition without loop', 'condition_without_loop', 'assertion-failure'),
  row(schedules, 'lost wake-up', 'lost_wake_up', 'deadlock'),
  row(golden, 'use after join', 'use_after_join', 'use-after-return'),
  row(golden, 'error code of all threads', 'error_of_all_threads'),
  row(golden, 'static buffer of all threads', 'buffer_of_all_threads'),
  row(golden, 'flag of a signal handler', 'flag_of_a_handler'),
  row(golden, 'barrier reuse', 'barrier_phases'),
  row(schedules, 'producer and consumer in both directions', 'both_directions', 'assertion-failure'),
  row(schedules, 'work stealing', 'work_stealing', 'assertion-failure'),
  row(schedules, 'RCU-like publication', 'read_copy_update'),
  row(golden, 'SPSC ring buffer', 'ring_buffer'),
  row(schedules, "Peterson's lock", 'peterson'),
  row(schedules, "Dekker's lock", 'dekker'),
];
