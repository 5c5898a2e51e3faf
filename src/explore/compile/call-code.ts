/**
 * Calls as JavaScript: compiled functions are called directly, natives through the machine.
 *
 * A rarely called function is left to the interpreter, because compiling it would cost more than
 * running it. A call through a pointer caches its last target. Arguments that are passed in memory,
 * copies of structures and lists of variable arguments, are made before the call (`give`); the
 * callee takes ownership of them at its beginning, and they end with it.
 */

import type { CallInstruction } from '../../ir/model.js';
import { sameType } from '../../ir/types.js';
import { store } from '../access/access.js';
import { isEmptyAssembly, passingOf, scopedLocal } from '../instructions/calls.js';
import { intrinsicOf } from '../instructions/intrinsics.js';
import { alignOf } from '../instructions/loads-and-stores.js';
import { natives } from '../natives/natives.js';
import type { DecodedFunction, Native } from '../state/decoded.js';
import type { FunctionCode } from './function-code.js';

/** Whether a native accesses the frame, which compiled code does not have. */
function needsFrame(name: string): boolean {
  return /^(setjmp|longjmp|__wasm_call_ctors|llvm\.stack.*)$/.test(name);
}

/** Whether compiled code may make this call of this function. */
export function mayCall(target: DecodedFunction, { functionType, argAttributes }: CallInstruction): boolean {
  const { ir, native, name } = target;
  if (!sameType(ir.functionType, functionType)) return false;
  if (native !== undefined) return !needsFrame(name);
  const isSamePassing = ir.arguments.every(
    ({ attributes }, i) => attributes.has('byval') === argAttributes[i]!.has('byval'),
  );
  return ir.blocks.length > 0 && isSamePassing;
}

export function emitCall(emitter: FunctionCode, instruction: CallInstruction): string | undefined {
  const { callee, args } = instruction;
  if (isEmptyAssembly(instruction)) return '';
  if (callee.kind === 'assembly') return undefined;
  if (args.some(({ kind, type }) => kind === 'metadata' || type.kind === 'vector' || type.kind === 'struct'))
    return undefined;
  if (callee.kind !== 'function') return emitIndirectCall(emitter, instruction);
  // Values in compiled code are concrete, and concrete values have no label.
  if (callee.name === 'llvm.rz.flow.sink') return '';
  if (callee.name.startsWith('llvm.lifetime.start')) return emitScope(emitter, instruction);
  if (callee.name.startsWith('llvm.va_start')) {
    const [list] = args.map(arg => emitter.operand(arg));
    return callNative(emitter, instruction, `N[${emitter.natives.push(startVariadics) - 1}]`, [list!, 'A']);
  }
  const native = callee.name.startsWith('llvm.')
    ? intrinsicOf(emitter.program.layout, instruction, callee.name)
    : natives.get(callee.name);
  if (native !== undefined) {
    if (needsFrame(callee.name) || instruction.type.kind === 'vector') return undefined;
    const values = args.map(arg => emitter.operand(arg));
    if ((callee.name === 'malloc' || callee.name === 'free') && args.length === 1) {
      const site = emitter.instructions.push(instruction) - 1;
      const remember = emitter.isStoredThrough(instruction)
        ? ` if (W.view !== null) ${emitter.cacheFor(instruction, 'writable').take}();`
        : '';
      return `t = M.${callee.name}(${values[0]}, I[${site}]);${remember} ${result(emitter, instruction)}`;
    }
    return callNative(emitter, instruction, `N[${emitter.natives.push(native) - 1}]`, values);
  }
  const target = emitter.program.functionNamed(callee.name);
  if (target === undefined || !mayCall(target, instruction)) return undefined;
  return callCompiled(emitter, instruction, `F[${emitter.callees.push(target) - 1}]`);
}

/** `va_start` with the address of the running function's variable arguments. */
const startVariadics: Native = (machine, [list, variadics]) => {
  store(machine, list, 8, variadics);
  return undefined;
};

function emitIndirectCall(emitter: FunctionCode, instruction: CallInstruction): string {
  const p = emitter.operand(instruction.callee);
  const k = emitter.newIndirectCall();
  const site = emitter.instructions.push(instruction) - 1;
  const find = `if (P${k} !== ${p}) { t = M.callee(${p}, I[${site}]); if (t === undefined) ${emitter.leave} P${k} = ${p}; G${k} = t; }`;
  const values = instruction.args.map(arg => emitter.operand(arg));
  const ofNative = callNative(emitter, instruction, `G${k}.native`, values);
  return `${find} if (G${k}.native !== undefined) { ${ofNative} } else { ${callCompiled(emitter, instruction, `G${k}`)} }`;
}

function callNative(
  emitter: FunctionCode,
  instruction: CallInstruction,
  native: string,
  values: readonly string[],
): string {
  const site = emitter.instructions.push(instruction) - 1;
  return `t = M.callNative(${native}, I[${site}], [${values.join(', ')}]); if (t === LEAVE) ${emitter.leave} ${result(emitter, instruction)}`;
}

function callCompiled(emitter: FunctionCode, instruction: CallInstruction, target: string): string {
  const passing = passingOf(emitter.program.layout, instruction);
  const site = emitter.instructions.push(instruction) - 1;
  const values = instruction.args.map(arg => emitter.operand(arg));
  const isGiving = instruction.functionType.variadic || passing.byValue.length > 0;
  const give = isGiving
    ? `t = [${values.join(', ')}]; if (!M.give(I[${site}], ${target}, Q[${emitter.passings.push(passing) - 1}], t)) ${emitter.leave} `
    : '';
  const passed = isGiving ? values.slice(0, passing.fixed).map((_, i) => `t[${i}]`) : values;
  const call = `${target}.compiled(${['M', 'null', '0', ...passed].join(', ')})`;
  return `if (${target}.isCold) { M.leavesForCold = true; ${emitter.leave} } if (C[2] >= C[6]) ${emitter.leave} ${give}M.sites[C[2]++] = I[${site}]; t = ${call}; C[2]--; if (t === SPILL) ${emitter.leave} ${result(emitter, instruction)}`;
}

function result(emitter: FunctionCode, instruction: CallInstruction): string {
  return instruction.type.kind === 'void' ? '' : `${emitter.result(instruction)} = t;`;
}

function emitScope(emitter: FunctionCode, instruction: CallInstruction): string {
  const local = scopedLocal(instruction);
  if (local === undefined) return '';
  const site = emitter.instructions.push(instruction) - 1;
  const r = emitter.result(local);
  return `${r} = M.enterScope(${r}, ${alignOf(emitter.program.layout, local)}, L, I[${site}]);`;
}
