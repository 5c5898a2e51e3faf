/**
 * Functions that call `setjmp` (docs/decisions/0007): a `try` around all blocks, whose `catch`
 * determines whether a `longjmp` belongs to this call of the function, and continues after its
 * `setjmp`.
 *
 * ```
 *   loop
 *     try
 *       block … br_table over all blocks, and over what follows each setjmp …
 *     catch __c_longjmp                       (the address of { env, value })
 *       label = __wasm_setjmp_test(env, frame)
 *       label == 0 ? __wasm_longjmp(env, value)          for another function
 *       result of setjmp number `label` = value, and next is what follows it
 *     end
 *     br loop
 * ```
 *
 * Requires that no two values share a local, because the values that are live after a `setjmp` must
 * be intact when control returns.
 */
import type { CallInstruction, Instruction } from '../ir/model.js';
import { noResult, wasm } from '../wasm/instruction-bytes.js';
import { i32, i64 } from '../wasm/wasm-opcodes.js';
import type { FunctionCode } from './function-body.js';

export function isSetjmp(instruction: Instruction): instruction is CallInstruction {
  return (
    instruction.op === 'call' &&
    instruction.callee.kind === 'function' &&
    instruction.callee.name === 'setjmp' &&
    instruction.callee.attributes.has('returns_twice')
  );
}

export class SetjmpCode {
  readonly #calls: { readonly call: CallInstruction; readonly next: number }[] = [];

  constructor(private readonly code: FunctionCode) {
    // Its address identifies the call of the function.
    code.reserve(16, 16);
  }

  begin(): void {
    this.code.op(wasm.try);
    this.code.op(noResult);
  }

  /** The first return; `next` is the number of the following case. */
  call(call: CallInstruction, next: number): void {
    const { code } = this;
    this.#calls.push({ call, next });
    code.push(call.args[0]!);
    code.out.i32Const(this.#calls.length);
    code.pushFrame(0);
    code.out.call(code.library('__wasm_setjmp', { parameters: [i64, i32, i64], results: [] }));
    code.out.zero(i32);
    code.assign(call);
  }

  /** Writes the `catch`; `next` is the local with the number of the next block. */
  end(next: number): void {
    const { code } = this;
    const { out } = code;
    const pair = code.scratch(i64, 'thrown');
    const label = code.scratch(i32, 'label');
    const value = code.scratch(i32, 'value');
    const pushEnvironment = (): void => {
      out.local(wasm.localGet, pair);
      out.access(wasm.i64Load, 8, 0);
    };
    out.catchTag(code.object.longjmpTag);
    out.local(wasm.localSet, pair);
    // The frames below are gone.
    code.pushFrame(0);
    out.global(wasm.globalSet, code.object.stackPointer);
    out.local(wasm.localGet, pair);
    out.access(wasm.i32Load, 4, 8);
    out.local(wasm.localSet, value);
    pushEnvironment();
    code.pushFrame(0);
    out.call(code.library('__wasm_setjmp_test', { parameters: [i64, i64], results: [i32] }));
    out.local(wasm.localTee, label);
    code.op(wasm.i32Eqz);
    out.append(Uint8Array.of(wasm.if, noResult));
    pushEnvironment();
    out.local(wasm.localGet, value);
    out.call(code.library('__wasm_longjmp', { parameters: [i64, i32], results: [] }));
    code.op(wasm.unreachable);
    code.op(wasm.end);
    this.#calls.forEach(({ call, next: number }, i) => {
      out.local(wasm.localGet, label);
      out.i32Const(i + 1);
      code.op(wasm.i32Eq);
      out.append(Uint8Array.of(wasm.if, noResult));
      out.local(wasm.localGet, value);
      code.assign(call);
      out.i32Const(number);
      out.local(wasm.localSet, next);
      code.op(wasm.end);
    });
    code.op(wasm.end);
  }
}
