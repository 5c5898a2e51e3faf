/**
 * Leaks: the live blocks at the end of a path to which nothing points.
 *
 * Every word of memory with an address in a live block is a pointer to it: integers do not look
 * like one by accident, because the allocator uses addresses in the middle of a large region.
 * Symbolic bytes have their values on the path's test, whose leaks are reported. After `main` has
 * returned only globals can hold blocks; after a call of `exit`, the registers and locals of active
 * functions can too.
 *
 * ```
 *   globals ──▶ A ──▶ B           A, B  still reachable
 *               C ──▶ D           C     lost: nothing points to it;   D  lost with it: only C does
 *               E ◀─▶ F           E     lost: the older of a ring;    F  lost with it
 * ```
 *
 * Blocks that the C library allocates for itself are never lost.
 */

import type { Evaluator } from '../../expr/evaluate.js';
import type { Finding } from '../../findings/finding.js';
import { leakKey } from '../../findings/same-error.js';
import { Region } from '../../kdalloc/index.js';
import type { Memory } from '../memory/address-space.js';
import { stackOfTrace, type Trace } from '../memory/call-trace.js';
import type { ObjectState } from '../memory/object-state.js';
import type { Frame } from '../state/frame.js';
import { isLibrarys, makeFinding, objectFacts } from '../state/make-finding.js';
import type { Failures } from '../state/running.js';
import { isSymbolic, type RegisterValue } from '../values/register-value.js';

/**
 * One finding for each allocation site of lost blocks, the oldest first. Requires that the frames
 * are those of the program.
 */
export function findLeaks(machine: Failures, end: Trace): Finding[] {
  const { memory, frame, allocations, threads } = machine.state;
  if (allocations === 0) return [];
  const live = memory.objects(Region.heap);
  const own = live.filter(({ info }) => info.allocated === undefined || isLibrarys(info.allocated));
  if (own.length === live.length) return [];
  // Threads that still exist hold the blocks that they use.
  const left = threads?.suspended ?? [];
  const hasExited = !isLibrarys(end) || left.length > 0;
  const roots = [...memory.objects(Region.globals), ...own];
  if (hasExited) roots.push(...memory.objects(Region.stack).filter(({ life }) => life === 'live'));
  const reached = new Set<ObjectState>(own);
  const scan = new Scan(memory, machine.runOnTest());
  if (hasExited) scan.followAddresses(scan.registersOf(frame), reached, 8);
  for (const other of left) scan.followAddresses(scan.registersOf(other), reached, 8);
  scan.follow(roots, reached, 8);
  // Packed structures hold pointers at unaligned addresses.
  if (reached.size < live.length) scan.follow([...roots, ...reached], reached, 1);
  const lost = live.filter(object => !reached.has(object));
  return groupsOf(memory, scan, lost).map(explain);
}

/** The distance between addresses at which pointers are searched. */
type Step = 1 | 8;

class Scan {
  readonly #memory: Memory;
  readonly #values: Evaluator;

  constructor(memory: Memory, values: Evaluator) {
    this.#memory = memory;
    this.#values = values;
  }

  /** Adds everything reachable from the objects to `reached`. */
  follow(from: Iterable<ObjectState>, reached: Set<ObjectState>, step: Step): ObjectState[] {
    const added: ObjectState[] = [];
    for (const object of from)
      added.push(...this.followAddresses(this.addressesIn(object, step), reached, step));
    return added;
  }

  followAddresses(addresses: Iterable<number>, reached: Set<ObjectState>, step: Step): ObjectState[] {
    const added: ObjectState[] = [];
    const pending = [addresses];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const address of next) {
        const object = this.#memory.find(address);
        if (object?.info.kind !== 'heap' || object.life !== 'live' || reached.has(object)) continue;
        reached.add(object);
        added.push(object);
        pending.push(this.addressesIn(object, step));
      }
    }
    return added;
  }

  /** The words that may be addresses of blocks. */
  addressesIn(object: ObjectState, step: Step): number[] {
    const bytes = object.bytesOn(this.#values);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const found: number[] = [];
    for (let at = 0; at + 8 <= bytes.length; at += step) {
      const high = view.getUint32(at + 4, true);
      if (high > 0 && high < 0x20_0000) found.push(high * 2 ** 32 + view.getUint32(at, true));
    }
    return found;
  }

  bytesOf({ info }: ObjectState): number {
    return info.length === undefined ? info.bytes : Number(this.#values.value(info.length));
  }

  registersOf(frame: Frame | undefined): number[] {
    const found: number[] = [];
    for (let at = frame; at !== undefined; at = at.caller)
      for (const value of at.regs) found.push(...this.#addressesOf(value));
    return found;
  }

  #addressesOf(value: RegisterValue): readonly number[] {
    if (Array.isArray(value)) return value.flatMap(element => this.#addressesOf(element));
    return [Number(isSymbolic(value) ? this.#values.value(value) : value)];
  }
}

// ------------------------------------------------------------------------------------------ groups

interface LostBlocks {
  readonly first: ObjectState;
  readonly sizes: number[];
  /** Blocks that are reachable only from these. */
  blocks: number;
  bytes: number;
}

/**
 * Separates directly lost blocks from those that are only reachable from them, and groups them by
 * the stack of their allocation.
 */
function groupsOf(memory: Memory, scan: Scan, lost: readonly ObjectState[]): LostBlocks[] {
  const pointedTo = new Set<ObjectState>();
  for (const object of lost) {
    for (const address of scan.addressesIn(object, 8)) {
      const other = memory.find(address);
      if (other !== undefined && other !== object) pointedTo.add(other);
    }
  }
  const heads = lost.filter(object => !pointedTo.has(object));
  const seen = new Set<ObjectState>(heads);
  const groups = new Map<string, LostBlocks>();
  const add = (head: ObjectState): void => {
    const behind = scan.follow([head], seen, 8);
    const key = leakKey(stackOfTrace(head.info.allocated));
    const group = groups.get(key) ?? { first: head, sizes: [], blocks: 0, bytes: 0 };
    groups.set(key, group);
    group.sizes.push(scan.bytesOf(head));
    group.blocks += behind.length;
    for (const object of behind) group.bytes += scan.bytesOf(object);
  };
  for (const head of heads) add(head);
  for (const object of lost) {
    if (seen.has(object)) continue;
    seen.add(object);
    add(object);
  }
  return [...groups.values()];
}

function explain({ first, sizes, blocks, bytes }: LostBlocks): Finding {
  const object = objectFacts(first, sizes[0]!);
  return makeFinding({ kind: 'leak', object, sizes, behind: { blocks, bytes } }, first.info.allocated!);
}
