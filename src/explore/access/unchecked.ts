/**
 * Accesses that are wrong where that is not looked for (`--checks`). The path goes on as the run
 * does under `check`:
 *
 *     a load       reads zeros; what else it may read is not explored, and that is noted
 *     a store      is left out, and that is noted
 *     a range      is read or written as far as it lies in its object
 *
 * So nothing invalid is ever written, and errors of the other kinds are found behind it. What a
 * machine cannot go on behind (a null pointer, a division by zero) ends its path, which then counts
 * as abandoned (`Machine.fail`).
 */

import type { AccessKind } from '../../findings/finding.js';
import { Region } from '../../kdalloc/index.js';
import type { Target } from '../memory/object-state.js';
import { Origin } from '../memory/origin.js';
import type { Decisions, Failures } from '../state/running.js';
import type { Scalar } from '../values/register-value.js';

/**
 * So much room at least, so that it seldom has to grow, and at most: a machine would hardly survive
 * to touch more.
 */
const LEAST_BYTES = 64;
const MOST_BYTES = 2 ** 20;

/**
 * A range of zeros that is no object of the program, in the place of one that must not be touched.
 */
export function standIn(machine: Failures, bytes: number, kind: AccessKind): Target {
  const { state } = machine;
  const { memory } = state;
  machine.note(
    kind === 'write'
      ? 'a write outside of live objects was left out'
      : 'what is read outside of live objects was given one of its values',
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

/** Do ranges that leave their object, or lie in one that is gone, go on as far as they can? */
export function cutsRanges(machine: Failures): boolean {
  return rangeCodes.some(code => machine.isUnchecked(code));
}

/** One of each kind of check. */
const rangeCodes = ['heap-buffer-overflow', 'use-after-free'] as const;

/** How many bytes of a range lie in its object, from its start on. */
export function bytesInside(machine: Decisions, pointer: Scalar, bytes: number): number {
  const address = Number(machine.fewValues(pointer, 'the symbolic start of a range'));
  const object = machine.state.memory.find(address);
  if (object === undefined || object.life !== 'live') return 0;
  const { base, length, bytes: size } = object.info;
  const end = base + (length === undefined ? size : Number(machine.onTest(length)));
  return Math.max(0, Math.min(bytes, end - address));
}
