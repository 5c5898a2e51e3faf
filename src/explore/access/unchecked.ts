/**
 * Invalid accesses whose check is turned off (`--checks`). The path continues as a run under
 * `check` does:
 *
 *     a load       reads zeros; other values are not explored, which is noted
 *     a store      is left out, and that is noted
 *     a range      is read or written as far as it lies in its object
 *
 * So nothing invalid is ever written, and later errors of other kinds are found. An error after
 * which no machine can continue (a null pointer, a division by zero) ends the path, which then
 * counts as abandoned (`Machine.fail`).
 */

import type { AccessKind } from '../../findings/finding.js';
import { Region } from '../../kdalloc/index.js';
import type { Target } from '../memory/object-state.js';
import { Origin } from '../memory/origin.js';
import type { Decisions, Failures } from '../state/running.js';
import type { Scalar } from '../values/register-value.js';

/**
 * The smallest size, so that the object rarely has to grow, and the largest: real machines rarely
 * survive larger overflows.
 */
const LEAST_BYTES = 64;
const MOST_BYTES = 2 ** 20;

/**
 * A range of zeros outside the program's objects, used in place of one that must not be
 * accessed.
 */
export function standIn(machine: Failures, bytes: number, kind: AccessKind): Target {
  const { state } = machine;
  const { memory } = state;
  machine.note(
    kind === 'write'
      ? 'a write outside live objects was skipped'
      : 'a read outside live objects was concretized',
  );
  const known = state.standIn === 0 ? undefined : memory.find(state.standIn);
  if (known === undefined || known.info.bytes < bytes) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(bytes, LEAST_BYTES)));
    const origin = new Origin({
      kind: 'stack',
      name: undefined,
      bytes: size,
      allocated: undefined,
      declared: undefined,
      contents: 'zero',
    });
    const address = bytes > MOST_BYTES ? 0 : memory.allocate(Region.stack, 16, origin);
    if (address === 0)
      return machine.end({ kind: 'partial', reason: `an access that is not checked has ${bytes} bytes` });
    state.standIn = address;
  }
  const object = memory.writable(memory.find(state.standIn)!);
  object.fill(0, bytes, 0);
  return { object, offset: 0 };
}

/** Whether ranges that leave their object, or are in a dead one, are shortened. */
export function cutsRanges(machine: Failures): boolean {
  return rangeCodes.some(code => machine.isUnchecked(code));
}

/** A code of each kind of check. */
const rangeCodes = ['heap-buffer-overflow', 'use-after-free'] as const;

/** The number of bytes of a range that are in its object, from its start on. */
export function bytesInside(machine: Decisions, pointer: Scalar, bytes: number): number {
  const address = Number(machine.fewValues(pointer, 'the symbolic start of a range'));
  const object = machine.state.memory.find(address);
  if (object === undefined || object.life !== 'live') return 0;
  const { base, length, bytes: size } = object.info;
  const end = base + (length === undefined ? size : Number(machine.onTest(length)));
  return Math.max(0, Math.min(bytes, end - address));
}
