/**
 * The scopes of locals: `llvm.lifetime.start` and `end`, and the arrays of variable length that `llvm.stackrestore` ends.
 *
 * A local of a block is a new object each time the block is entered. So when a scope begins again its local gets a new address, and the
 * register of its `alloca` is changed: a pointer that was kept from the time before still names the object that is gone. (clang computes
 * nothing from an `alloca` before its scope begins.)
 */
import { Region } from '../../kdalloc/index.js';
import type { Machine } from '../machine/machine.js';

/** The scope of the local at an address begins; returns its address from now on. `locals` are those of its activation. */
export function enterScope(machine: Machine, address: number, align: number, locals: number[]): number {
  const { memory } = machine.state;
  const held = memory.at(address);
  if (held === undefined || held.life === 'live') return address;
  const fresh = memory.allocate(Region.stack, align, held.origin);
  if (fresh === 0) return machine.fail('stack-exhausted', 'no place is left for a local variable');
  memory.deallocate(address, 'out-of-scope', held.ended);
  const at = locals.indexOf(address);
  if (at >= 0) locals[at] = fresh;
  return fresh;
}

export function leaveScope(machine: Machine, address: number): void {
  const { memory } = machine.state;
  if (memory.at(address) !== undefined) memory.leaveScope(address, machine.trace());
}

/** Ends the locals that the running activation has made since it had `count` of them. */
export function restoreStack(machine: Machine, count: number): void {
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
