/**
 * An activation of a function: its position and its registers.
 *
 * Frames form a list through `caller` and are shared by forked states; `owner` says which state
 * may change a frame. Constants are registers too, initialized when the frame is made, so that
 * reading an operand is one array access.
 */

import { calledName } from '../../ir/called-functions.js';
import type { Owner } from '../../support/owner.js';
import type { Trace } from '../memory/call-trace.js';
import type { RegisterValue } from '../values/register-value.js';
import type { DecodedBlock, DecodedFunction } from './decoded.js';

/** The depth at which the stack is exhausted. */
export const MAXIMUM_CALL_DEPTH = 50_000;

/** The parts of a frame; a frame itself has them, for copying. */
export interface FrameParts {
  readonly target: DecodedFunction;
  readonly caller: Frame | undefined;
  /** The calls that lead here. */
  readonly calls: Trace | undefined;
  readonly depth: number;
  /** Distinguishes activations, for longjmp. */
  readonly serial: number;
  readonly regs: RegisterValue[];
  readonly block: DecodedBlock;
  /** The current step of the block; in a caller, the call. */
  readonly pc: number;
  /** Addresses of this activation's locals. */
  readonly locals: readonly number[];
  /** The address of the variable arguments; 0 without any. */
  readonly variadics: number;
  /** On return the caller executes its call again. */
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

/** Whether a time slice may end here: at slice points, and where longjmp has led. */
export function isAtSlicePoint({ block, pc }: Frame): boolean {
  if (pc === 0) return block.isSlicePoint;
  return calledName(block.steps[pc - 1]!.ir) === 'setjmp';
}
