/**
 * Compiles IR to WebAssembly without LLVM: quickly, function by function. V8 optimises hot code.
 *
 * ```
 *   Module ──▶ for each function: value-plan.ts   which values are locals
 *                                 emit-function.ts  control flow ── instructions.ts … ── CodeBuffer
 *          ──▶ object-file.ts     symbols and relocations, for wasm-ld
 * ```
 *
 * Objects can be linked with those of LLVM: signatures, frames, variable arguments and memory
 * layout are the same. A module with an unsupported construct is refused, with the reason, and
 * compiled by LLVM.
 *
 * **Invariant:** the module is not changed.
 */
import { returnsTwice } from '../ir/called-functions.js';
import { DataLayout } from '../ir/data-layout.js';
import type { Instruction, IrFunction, Module } from '../ir/model.js';
import { DominatorTree } from '../passes/dominators.js';
import { wasm } from '../wasm/instruction-bytes.js';
import type { ValueType } from '../wasm/wasm-opcodes.js';
import { CodeBuffer } from './code-buffer.js';
import { emitVariables } from './emit-data.js';
import { ControlFlow, receiveArguments } from './emit-function.js';
import { FunctionCode } from './function-body.js';
import { emitValue, needsFrame, rulesFor } from './instructions.js';
import { aliasSymbol, functionSymbol } from './known-address.js';
import { ObjectFile } from './object-file.js';
import { isSetjmp } from './setjmp.js';
import { ValuePlan } from './value-plan.js';
import { isReturnedInMemory, NotEmitted } from './value-types.js';

export type EmittedModule =
  | { readonly kind: 'object'; readonly object: Uint8Array }
  /** The function, if there is one, and the unsupported construct. */
  | { readonly kind: 'left to LLVM'; readonly where: string; readonly reason: string };

export function emitModule(module: Module): EmittedModule {
  let where = '';
  try {
    const object = new ObjectFile();
    const layout = new DataLayout(module.dataLayout);
    if (module.assembly.length + module.ifuncs.length > 0) throw new NotEmitted('assembly');
    for (const alias of module.aliases) aliasSymbol(object, alias);
    for (const target of module.functions) {
      if (target.blocks.length === 0 || target.linkage === 'available_externally') continue;
      where = target.name;
      emitFunction(object, layout, target);
    }
    where = '';
    emitVariables(object, layout, module);
    return { kind: 'object', object: object.finish() };
  } catch (error) {
    if (!(error instanceof NotEmitted)) throw error;
    return { kind: 'left to LLVM', where, reason: error.message };
  }
}

/** V8 refuses functions of more than 7,654,321 bytes or 50,000 locals. */
const mostBytes = 7_000_000;
const mostLocals = 49_000;

function emitFunction(object: ObjectFile, layout: DataLayout, target: IrFunction): void {
  if (target.attributes.has('wasm-export-name')) throw new NotEmitted('a function that names its export');
  const tree = new DominatorTree(target);
  const flow = new ControlFlow(tree);
  const instructions = tree.cfg.blocks.flatMap(block => block.instructions);
  const callsSetjmp = instructions.some(isSetjmp);
  const isEnteredAgain = (one: Instruction): boolean => returnsTwice(one) && !isSetjmp(one);
  if (instructions.some(isEnteredAgain) || (callsSetjmp && instructions.some(isDynamic)))
    throw new NotEmitted('a function that returns twice');
  const symbol = functionSymbol(object, target);
  const { parameters } = object.signatureOf(symbol);
  const firstParameter = isReturnedInMemory(target.functionType.returns) ? 1 : 0;
  const rules = rulesFor(tree.cfg.blocks[0]!.instructions);
  const plan = new ValuePlan(tree.cfg, target, parameters, firstParameter, rules, callsSetjmp);
  const variable = target.functionType.variadic ? parameters.length - 1 : undefined;
  const compute = (code: FunctionCode, planned: { readonly value: unknown }): void =>
    emitValue(code, planned.value as Instruction);
  const code = new FunctionCode(object, layout, target, plan, compute, variable);
  code.hasFrame = callsSetjmp || instructions.some(needsFrame);
  receiveArguments(code);
  flow.write(code, callsSetjmp);
  code.op(wasm.end);
  const prologue = enterFrame(code);
  if (code.out.length > mostBytes || plan.localTypes.length > mostLocals)
    throw new NotEmitted('a function that is too large for V8');
  object.define(symbol, [declareLocals(plan.localTypes.slice(parameters.length)), prologue, code.out]);
}

/** A local below the frame: `longjmp` could not restore the stack pointer. */
function isDynamic(instruction: Instruction): boolean {
  return (
    instruction.op === 'alloca' && instruction.count !== undefined && instruction.count.kind !== 'integer'
  );
}

/** The size of the frame is known only now. */
function enterFrame(code: FunctionCode): CodeBuffer {
  const out = new CodeBuffer(64);
  if (!code.hasFrame) return out;
  out.global(wasm.globalGet, code.object.stackPointer);
  out.local(wasm.localTee, code.entryPointer);
  out.i64Const(BigInt(Math.ceil(code.frameBytes / 16) * 16));
  out.byte(wasm.i64Sub);
  if (code.frameAlign > 16) {
    out.i64Const(BigInt(-code.frameAlign));
    out.byte(wasm.i64And);
  }
  out.local(wasm.localTee, code.framePointer);
  out.global(wasm.globalSet, code.object.stackPointer);
  return out;
}

function declareLocals(types: readonly ValueType[]): CodeBuffer {
  const groups: { readonly type: ValueType; count: number }[] = [];
  for (const type of types) {
    if (groups.at(-1)?.type === type) groups.at(-1)!.count++;
    else groups.push({ type, count: 1 });
  }
  const out = new CodeBuffer(16 + groups.length * 3);
  out.u32(groups.length);
  for (const { type, count } of groups) {
    out.u32(count);
    out.byte(type);
  }
  return out;
}
