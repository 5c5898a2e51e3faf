/**
 * Accesses of a program with several threads: which of them are checked for races, and how a race
 * is reported.
 *
 * As under `check`, every access of the program's own code is checked, and functions of the C
 * library by the ranges that they declare. The library's own data is not checked, because real
 * libraries lock it.
 */
import { isInLibrary } from '../../findings/finding.js';
import { withoutSize } from '../../findings/words/object-words.js';
import { functionLocation } from '../../ir/debug.js';
import { stackOfTrace, type Trace } from '../memory/call-trace.js';
import type { ObjectState } from '../memory/object-state.js';
import type { DecodedFunction } from '../state/decoded.js';
import { endsInLibrary, userStack } from '../state/make-finding.js';
import type { Atomic, PastAccess } from '../state/path-races.js';
import type { Accesses, Failures } from '../state/running.js';
import type { Thread } from '../state/state.js';
import type { Scalar } from '../values/register-value.js';

const librarys = new WeakMap<DecodedFunction, boolean>();

/** Whether it is a function of the C library. */
export function isOfLibrary(target: DecodedFunction): boolean {
  const known = librarys.get(target);
  if (known !== undefined) return known;
  const place = functionLocation(target.ir);
  const answer = place === undefined ? target.name.startsWith('__rz_') : isInLibrary(place);
  librarys.set(target, answer);
  return answer;
}

/** Records an access of the running thread in the program's code. */
export function noteAccess(
  machine: Accesses,
  address: Scalar,
  bytes: number,
  operation: 'read' | 'write',
): void {
  const { threads, frame } = machine.state;
  // The handler of atomics records atomic accesses.
  const { ordering } = frame.block.steps[frame.pc]!.ir as { readonly ordering?: unknown };
  if (ordering !== undefined) return;
  if (threads?.isMany && !isOfLibrary(frame.target)) note(machine, address, bytes, operation, false);
}

/** Records an atomic operation and the order that it establishes. */
export function noteAtomic(machine: Accesses, address: number, bytes: number, atomic: Atomic): void {
  const threads = machine.state.threads!;
  if (threads.isMany) look(machine, address, bytes, atomic.stores ? 'write' : 'read', true);
  threads.races.atomic(threads.current.handle, address, atomic);
}

/** The same for a range that is copied or filled. */
export function noteOwnRange(
  machine: Accesses,
  address: Scalar,
  bytes: Scalar,
  operation: 'read' | 'write',
): void {
  const { threads, frame } = machine.state;
  if (threads?.isMany && !isOfLibrary(frame.target)) noteRange(machine, address, bytes, operation);
}

/** Records a range that a library function declares. */
export function noteRange(
  machine: Accesses,
  address: Scalar,
  bytes: Scalar,
  operation: 'read' | 'write',
): void {
  if (!machine.state.threads?.isMany) return;
  const count = Number(machine.fewValues(bytes, 'the symbolic length of a range'));
  if (count > 0) note(machine, address, count, operation, false);
}

/** Records that the block is about to be freed, which must not race with an access. */
export function noteFree(machine: Failures, address: number, bytes: number): void {
  if (machine.state.threads?.isMany) look(machine, address, bytes, 'free', false);
}

/**
 * Records that locals of the running function end, which must not race with an access of another
 * thread. The program ends after those of main.
 */
export function noteEnds(machine: Failures, locals: readonly number[]): void {
  const { threads, frame, memory } = machine.state;
  if (!threads?.isMany || isOfLibrary(frame.target) || frame.target.name === 'main') return;
  for (const address of locals) {
    const held = memory.at(address);
    if (held?.life === 'live') look(machine, address, held.origin.bytes, 'free', false);
  }
}

function note(
  machine: Accesses,
  address: Scalar,
  bytes: number,
  operation: 'read' | 'write',
  isAtomic: boolean,
): void {
  look(machine, Number(machine.fewValues(address, 'a symbolic pointer')), bytes, operation, isAtomic);
}

function look(
  machine: Failures,
  address: number,
  bytes: number,
  operation: PastAccess['operation'],
  isAtomic: boolean,
): void {
  if (machine.isUnchecked('data-race')) return;
  const threads = machine.state.threads!;
  const { handle, id, locks } = threads.current;
  const now: PastAccess = {
    ...{ handle, thread: id, operation, isAtomic, bytes, at: machine.trace() },
    clock: threads.races.clockOf(handle)[handle] ?? 0,
    locks: locks.map(lock => lock.address),
  };
  const race = threads.races.access(now, address);
  if (race === undefined) return;
  const object = machine.state.memory.find(race.at);
  if (object !== undefined && isLibrarysOwn(object)) return;
  const describe = (access: PastAccess): RaceSide => ({
    operation: access.operation,
    isAtomic: access.isAtomic,
    thread: threadFacts(machine, access.handle, access.thread),
    stack: userStack(access.at),
    locks: access.locks.map(lock => lockName(machine, lock)),
  });
  machine.fail({
    kind: 'race',
    now: describe(now),
    earlier: describe(race.earlier),
    bytes,
    ...(object && { object: machine.factsOf(object), offset: race.at - object.info.base }),
  });
}

type RaceSide = Extract<Parameters<Failures['fail']>[0], { kind: 'race' }>['now'];

function isLibrarysOwn({ info }: ObjectState): boolean {
  if (info.isOfLibrary) return true;
  if (info.declared !== undefined) return isInLibrary(info.declared);
  return (
    info.allocated !== undefined &&
    endsInLibrary(info.allocated) &&
    stackOfTrace(info.allocated).every(isInLibrary)
  );
}

/** The thread of a record; another thread may have its handle by now. */
export function threadFacts(
  { state }: Failures,
  handle: number,
  id: number,
): { readonly id: number; readonly created?: ReturnType<typeof userStack> } {
  const thread = state.threads?.thread(handle);
  return thread?.id === id && thread.created !== undefined
    ? { id, created: userStack(thread.created) }
    : { id };
}

/** The name of a lock. */
export function lockName(machine: Failures, address: number): string {
  const object = machine.state.memory.find(address);
  if (object === undefined) return `the lock at 0x${address.toString(16)}`;
  const offset = address - object.info.base;
  const name = withoutSize(machine.factsOf(object));
  return offset === 0 ? name : `${name} + ${offset}`;
}

/** Where a suspended thread continues. */
export function traceOf({ frame }: Thread): Trace | undefined {
  if (frame === undefined) return undefined;
  // It continues after its last call.
  return { at: frame.block.steps[Math.max(0, frame.pc - 1)]!.ir, calls: frame.calls };
}
