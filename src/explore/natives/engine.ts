/**
 * The engine interface of the C library (`runtime/libc/internal/engine.h`), and the start and end
 * of a program.
 */

import { arithmeticFacts, handlerNames } from '../../findings/undefined-arithmetic.js';
import { innerRangeHandler, innerTextHandler } from '../../passes/inner-array-handlers.js';
import { lostGotoName } from '../../passes/number-block-addresses.js';
import { resolve } from '../access/access.js';
import { checkApart, checkRange, failOverlap, type Length, leastOf, lengthOf } from '../access/copy.js';
import { findLeaks } from '../access/path-leaks.js';
import { noteRange } from '../access/shared-access.js';
import { requireWritten } from '../access/undefined-use.js';
import { makeArgumentsSymbolic } from '../inputs/symbolic-start.js';
import { type CallArguments, type Native, SWITCHED } from '../state/decoded.js';
import type { Accesses } from '../state/running.js';
import type { Scalar } from '../values/register-value.js';
import { checkInnerRange, checkInnerText, failInnerBounds } from './inner-array-natives.js';
import { labelStart } from './path-flows.js';
import { dataReader, textAt } from './text.js';

const rangeChecked =
  (kind: 'read' | 'write'): Native =>
  (machine, [pointer, bytes]) => {
    checkBytes(machine, pointer, bytes, kind);
    return undefined;
  };

/** An empty range is valid everywhere. */
function checkBytes(machine: Accesses, pointer: Scalar, bytes: Scalar, kind: 'read' | 'write'): Length {
  checkRange(machine, pointer, bytes, kind);
  const length = lengthOf(machine, bytes);
  if (length === 0) return 0;
  resolve(machine, pointer, leastOf(length), kind);
  noteRange(machine, pointer, bytes, kind);
  return length;
}

function checkOutput(machine: Accesses, [pointer, bytes]: CallArguments): undefined {
  checkRange(machine, pointer, bytes, 'read');
  const n = Number(machine.fewValues(bytes, 'the symbolic length of a range'));
  if (n === 0) return undefined;
  const { object, offset } = resolve(machine, pointer, n, 'read');
  if (typeof offset === 'number') requireWritten(machine, object, offset, n);
  noteRange(machine, pointer, n, 'read');
  return undefined;
}

/** `RANGES_OVERLAP` of `runtime/libc/internal/engine.h`. */
const rangesOverlap = 2;

function checkCopy(machine: Accesses, [to, from, bytes, mayOverlap]: CallArguments): undefined {
  if (mayOverlap === rangesOverlap) {
    failOverlap(machine, Number(machine.concretizeQuietly(bytes)), 0);
    return undefined;
  }
  const read = checkBytes(machine, from, bytes, 'read');
  if (read === 0) return undefined;
  const written = checkBytes(machine, to, bytes, 'write');
  if (mayOverlap === 0) checkApart(machine, to, from, written);
  return undefined;
}

/**
 * The checks of clang that `passes/plain-arithmetic.ts` keeps, because the IR alone does not show
 * the error.
 */
function undefinedArithmetic(name: string): Native {
  return (machine, args) => {
    const [data, ...operands] = args.map(each => BigInt(machine.concretizeQuietly(each)));
    return machine.fail(arithmeticFacts(name, Number(data), operands, dataReader(machine)));
  };
}

export const engineNatives: Record<string, Native> = {
  __rz_range_read: rangeChecked('read'),
  __rz_range_output: checkOutput,
  /** The loops of text functions (`raw.ts`) have ended the path at the first invalid byte. */
  __rz_range_scan: (machine, args) => {
    checkOutput(machine, args);
    return args[1];
  },
  __rz_range_write: rangeChecked('write'),
  /** Only checked code follows symbolic values. */
  __rz_range_is_written: () => 0,
  __rz_range_takes_write: () => 0,
  __rz_range_copy: checkCopy,
  __rz_exit: (machine, [status]) => {
    // Only the interpreter's frames show the values of active functions.
    if (machine.runner.isRunning) machine.runner.abandon();
    const code = machine.concretizeQuietly(status);
    machine.plugins?.ended(machine, Number(code) | 0);
    const { threads } = machine.state;
    const leaks = machine.isUnchecked('memory-leak')
      ? []
      : [...findLeaks(machine, machine.trace()), ...(threads?.left ?? [])];
    machine.endAfterStep({ kind: 'exit', status: Number(code) | 0, leaks });
    return SWITCHED;
  },
  __rz_abort: (machine, [kind, message]) => {
    const code = textAt(machine, kind);
    return machine.fail({ kind: 'abort', code, message: textAt(machine, message) });
  },
  ...Object.fromEntries(handlerNames.map(name => [name, undefinedArithmetic(name)])),
  __ubsan_handle_out_of_bounds_abort: failInnerBounds,
  [innerTextHandler]: checkInnerText,
  [innerRangeHandler]: checkInnerRange,
  [lostGotoName]: machine => machine.fail({ kind: 'lost-goto' }),
  __rz_unwanted_run: machine => machine.end({ kind: 'unwanted' }),
  /** Executed again after each constructor, until none is left. */
  __wasm_call_ctors: machine => {
    if (machine.state.constructorsRun === 0) {
      labelStart(machine);
      makeArgumentsSymbolic(machine);
    }
    const next = machine.program.constructors[machine.state.constructorsRun];
    if (next === undefined) return undefined;
    machine.state.constructorsRun++;
    machine.pushConstructor(next);
    return SWITCHED;
  },
};
