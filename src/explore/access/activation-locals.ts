/**
 * Locals: objects of an activation. They are made by `alloca`, for `byval` copies and for variable
 * arguments, and end with their scope (`llvm.lifetime.start` and `end`, `llvm.stackrestore`) or
 * with their activation.
 *
 * A local of a block is a new object each time the block is entered. So when a scope begins again
 * its local gets a new address, and the register of its `alloca` is changed: an older pointer still
 * refers to the dead object. (clang computes nothing from an `alloca` before its scope begins.)
 */
import type { SourceLocation } from '../../findings/finding.js';
import { localName } from '../../findings/words/object-words.js';
import { Region } from '../../kdalloc/index.js';
import type { DescribedLocal } from '../../passes/described-locals.js';
import { depthOf } from '../memory/call-trace.js';
import { meaningOf, Origin, type OriginContents } from '../memory/origin.js';
import type { Failures, Path } from '../state/running.js';
import { noteEnds } from './shared-access.js';

/** The usual size of a stack. */
const STACK_BYTES = 8 * 2 ** 20;

/** What a local is, or the variable arguments of a call; undefined if nothing is known. */
export type LocalKind = DescribedLocal | 'variadic' | undefined;

/** A path, and the origin of the last local of each kind, which the next one usually shares. */
export interface Locals extends Failures {
  readonly newContents: OriginContents;
  readonly localOrigins: Map<LocalKind, Origin>;
}

/** Allocates a local of the running activation. */
export function allocateLocal(machine: Locals, bytes: number, align: number, what: LocalKind): number {
  const { frame } = machine.state;
  const address = newLocal(machine, bytes, align, what);
  frame.locals = [...frame.locals, address];
  return address;
}

/** Allocates a local that the caller must record in its activation. */
export function newLocal(machine: Locals, bytes: number, align: number, what: LocalKind): number {
  const { state } = machine;
  state.stackBytes += bytes;
  const isTooMuch = state.stackBytes > STACK_BYTES;
  const address = isTooMuch ? 0 : state.memory.allocate(Region.stack, align, originOf(machine, bytes, what));
  if (address === 0) return failWithoutRoom(machine, placeOf(what));
  if (state.threads?.hasBegun) state.threads.races.fresh(address, bytes);
  return address;
}

/**
 * The stack is exhausted by a local. The instruction of a local of fixed size has no line, so the
 * error is where the local is declared.
 */
function failWithoutRoom(machine: Failures, declared: SourceLocation | undefined): never {
  const trace = machine.trace();
  return machine.fail({ kind: 'exhaustion', depth: depthOf(trace) }, { ...trace, declared });
}

function placeOf(what: LocalKind): SourceLocation | undefined {
  return typeof what === 'object' ? what.location : undefined;
}

function originOf({ localOrigins, newContents }: Locals, bytes: number, what: LocalKind): Origin {
  const last = localOrigins.get(what);
  if (last?.bytes === bytes) return last;
  const local = typeof what === 'object' ? what : undefined;
  const origin = new Origin({
    kind: 'stack',
    name: local && localName(local),
    bytes,
    isVariadic: what === 'variadic',
    meaning: meaningOf(local?.variable),
    contents: newContents,
    allocated: undefined,
    declared: placeOf(what),
  });
  localOrigins.set(what, origin);
  return origin;
}

/** Ends the locals of an activation that has returned. */
export function endLocals({ state }: Path, locals: readonly number[]): void {
  const { memory } = state;
  for (const address of locals) {
    const held = memory.at(address);
    if (held === undefined) continue;
    state.stackBytes -= held.origin.bytes;
    memory.deallocate(address, 'returned', undefined);
  }
}

/**
 * Begins the scope of the local at an address; returns its new address. `locals` are those of its
 * activation.
 */
export function enterScope(machine: Failures, address: number, align: number, locals: number[]): number {
  const { memory, threads } = machine.state;
  const held = memory.at(address);
  if (held === undefined || held.life === 'live') return address;
  const fresh = memory.allocate(Region.stack, align, held.origin);
  if (fresh === 0) return failWithoutRoom(machine, held.origin.declared);
  if (threads?.hasBegun) threads.races.fresh(fresh, held.origin.bytes);
  memory.deallocate(address, 'out-of-scope', held.ended);
  const at = locals.indexOf(address);
  if (at >= 0) locals[at] = fresh;
  return fresh;
}

export function leaveScope(machine: Failures, address: number): void {
  const { memory } = machine.state;
  noteEnds(machine, [address]);
  if (memory.at(address) !== undefined) memory.leaveScope(address, machine.trace());
}

/** Ends the locals of the running activation beyond the first `count`. */
export function restoreStack(machine: Failures, count: number): void {
  const { state } = machine;
  const { frame, memory } = state;
  const ended = frame.locals.slice(count);
  frame.locals = frame.locals.slice(0, count);
  for (const address of ended) {
    const held = memory.at(address);
    if (held === undefined) continue;
    state.stackBytes -= held.origin.bytes;
    memory.deallocate(address, 'out-of-scope', machine.trace());
  }
}
