/**
 * An activation of a function: where it is, and what its registers hold.
 *
 * Frames form a list through `caller` and are shared by forked states; `owner` says who may change
 * a frame. Constants are registers too, filled in when the frame is made, so that reading an
 * operand is one array access.
 */

import type { Owner } from '../../support/owner.js';
import type { Trace } from '../memory/call-trace.js';
import type { RegisterValue } from '../values/register-value.js';
import type { DecodedBlock, DecodedFunction } from './decoded.js';

/** A function at this depth calls no other: its stack is exhausted. */
export const MAXIMUM_CALL_DEPTH = 50_000;

/** What a frame is made of; a frame itself is, too, when it is copied. */
export interface FrameParts {
  readonly target: DecodedFunction;
  readonly caller: Frame | undefined;
  /** The calls that lead here. */
  readonly calls: Trace | undefined;
  readonly depth: number;
  /** Tells activations apart, for longjmp. */
  readonly serial: number;
  readonly regs: RegisterValue[];
  readonly block: DecodedBlock;
  /** The step of the block that is being run; in a caller, the call. */
  readonly pc: number;
  /** Addresses of what this activation has on the stack. */
  readonly locals: readonly number[];
  /** Where the variable arguments lie; 0 without any. */
  readonly variadics: number;
  /** On return the caller runs its call again. */
  readonly isRepeated: boolean;
}

export class Frame implements FrameParts {
  owner: Owner;
  readonly target: DecodedFunction;
  readonly caller: Frame | undefined;
  readonly calls: Trace | undefined;
  readonly depth: number;
  readonly serial: number;
  regs: RegisterValue[];
  block: DecodedBlock;
  pc: number;
  locals: readonly number[];
  variadics: number;
  isRepeated: boolean;

  constructor(owner: Owner, parts: FrameParts) {
    this.owner = owner;
    this.target = parts.target;
    this.caller = parts.caller;
    this.calls = parts.calls;
    this.depth = parts.depth;
    this.serial = parts.serial;
    this.regs = parts.regs;
    this.block = parts.block;
    this.pc = parts.pc;
    this.locals = parts.locals;
    this.variadics = parts.variadics;
    this.isRepeated = parts.isRepeated;
  }

  copy(owner: Owner): Frame {
    const copy = new Frame(owner, this);
    copy.regs = this.regs.slice();
    return copy;
  }
}

/**
 * May a turn be over here? Besides the beginning of some blocks, where longjmp has led: nothing
 * else stops there.
 */
export function isAtTurnPoint({ block, pc }: Frame): boolean {
  if (pc === 0) return block.isTurnPoint;
  const { ir } = block.steps[pc - 1]!;
  return ir.op === 'call' && ir.callee.kind === 'function' && ir.callee.name === 'setjmp';
}
