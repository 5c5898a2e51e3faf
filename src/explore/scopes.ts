/**
 * The scopes of locals: `llvm.lifetime.start` and `end`, and the arrays of variable length that `llvm.stackrestore` ends.
 *
 * A local of a block is a new object each time the block is entered. So when a scope begins again its local gets a new address, and the
 * register of its `alloca` is changed: a pointer that was kept from the time before still names the object that is gone. (clang computes
 * nothing from an `alloca` before its scope begins.)
 */
import { Region } from '../kdalloc/index.js';
import type { Machine } from './machine.js';
import type { ObjectState } from './object-state.js';

/** The scope of the local at an address begins; returns its address from now on. `locals` are those of its activation. */
export function enterScope(machine: Machine, address: number, align: number, locals: number[]): number {
  const { memory } = machine.state;
  const object = memory.find(address);
  if (object === undefined || object.life === 'live') return address;
  const { info } = object;
  const fresh = memory.allocate(Region.stack, align, {
    kind: info.kind,
    name: info.name,
    bytes: info.bytes,
    isReadOnly: false,
    allocated: undefined,
    declared: info.declared,
    contents: 'unwritten',
  });
  if (fresh === undefined) return machine.fail('stack-exhausted', 'no place is left for a local variable');
  memory.deallocate(object, 'out-of-scope', object.ended);
  const at = locals.indexOf(address);
  if (at >= 0) locals[at] = fresh.info.base;
  return fresh.info.base;
}

export function leaveScope(machine: Machine, address: number): void {
  const object = machine.state.memory.find(address);
  if (object !== undefined) machine.state.memory.leaveScope(object, machine.trace());
}

/** Ends the locals that the running activation has made since it had `count` of them. */
export function restoreStack(machine: Machine, count: number): void {
  const { state } = machine;
  const { frame, memory } = state;
  const isObject = (object: ObjectState | undefined): object is ObjectState => object !== undefined;
  const ended = frame.locals.slice(count).map(address => memory.find(address));
  frame.locals = frame.locals.slice(0, count);
  for (const object of ended.filter(isObject)) {
    state.stackBytes -= object.info.bytes;
    memory.deallocate(object, 'out-of-scope', machine.trace());
  }
}
