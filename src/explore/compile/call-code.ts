/** Calls as JavaScript: of compiled functions directly, of natives through the machine. */
import type { CallInstruction } from '../../ir/model.js';
import { scopedLocal } from '../instructions/calls.js';
import { intrinsicOf } from '../instructions/intrinsics.js';
import { alignOf } from '../instructions/memory.js';
import { natives } from '../natives/natives.js';
import type { Emitter } from './emit.js';

/** Natives that work on the frame itself. */
const needsFrame = /^(setjmp|longjmp|__wasm_call_ctors|llvm\.va_.*|llvm\.stack.*)$/;

/** So many calls may be nested in JavaScript; deeper ones go on in frames. */
const DEEPEST = 600;

export function emitCall(emitter: Emitter, instruction: CallInstruction): string | undefined {
  const { callee, args, functionType, argAttributes } = instruction;
  if (callee.kind !== 'function' || functionType.variadic) return undefined;
  if (argAttributes.some(attributes => attributes.has('byval'))) return undefined;
  if (args.some(({ kind, type }) => kind === 'metadata' || type.kind === 'vector' || type.kind === 'struct'))
    return undefined;
  if (callee.name.startsWith('llvm.lifetime.start')) return emitScope(emitter, instruction);
  const native = callee.name.startsWith('llvm.')
    ? intrinsicOf(emitter.program.layout, instruction, callee.name)
    : natives.get(callee.name);
  const values = args.map(arg => emitter.operand(arg));
  const site = emitter.instructions.push(instruction) - 1;
  const result = instruction.type.kind === 'void' ? '' : `${emitter.result(instruction)} = t;`;
  if (native !== undefined) {
    if (needsFrame.test(callee.name) || instruction.type.kind === 'vector') return undefined;
    const k = emitter.natives.push(native) - 1;
    return `t = M.callNative(N[${k}], I[${site}], [${values.join(', ')}]); if (t === LEAVE) ${emitter.leave} ${result}`;
  }
  const target = emitter.program.functionNamed(callee.name);
  if (target === undefined || target.ir.blocks.length === 0 || target.ir.functionType.variadic)
    return undefined;
  const k = emitter.callees.push(target) - 1;
  const call = `F[${k}].compiled(${['M', 'null', '0', ...values].join(', ')})`;
  return `if (C[2] > ${DEEPEST}) ${emitter.leave} M.sites[C[2]++] = I[${site}]; t = ${call}; C[2]--; if (t === SPILL) ${emitter.leave} ${result}`;
}

function emitScope(emitter: Emitter, instruction: CallInstruction): string {
  const local = scopedLocal(instruction);
  if (local === undefined) return '';
  const site = emitter.instructions.push(instruction) - 1;
  const r = emitter.result(local);
  return `${r} = M.enterScope(${r}, ${alignOf(emitter.program.layout, local)}, L, I[${site}]);`;
}
