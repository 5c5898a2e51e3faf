/**
 * Inserts a check before each store of a program with `assigns` clauses: if a frame is open, it
 * must allow the write. The inline part is one load and one branch; `runtime/monitor/acsl-frames.c`
 * does the rest.
 *
 * ```
 *   call void @__rz_raw_assigns(ptr %p, i64 4)        define internal void @__rz_raw_assigns(ptr, i64) alwaysinline {
 *   store i32 %v, ptr %p                                if (__rz_frames != null) __rz_assigns_check(p, bytes) }
 * ```
 *
 * This is a separate pass before the instrumentation, which treats the call like any other and
 * gives it a site. Stores into locals of the function itself are left out, because a frame never
 * forbids those. Copies of whole structs are checked in the runtime (`range.c`).
 *
 * Members of the C library are checked as well, because they store through pointers of the program
 * (`strtol`, `sscanf`, `modf`). Their own variables are not checked, and a member without other
 * stores is unchanged, so that it shares its object with programs without frames.
 */
import { AttributeSet, attribute } from '../ir/attributes.js';
import { Builder, getOrDeclareFunction, makeBlock, makeFunction, makeVariable } from '../ir/builder.js';
import { integerConstant, nullConstant } from '../ir/constants.js';
import { DataLayout } from '../ir/data-layout.js';
import type { Instruction, IrFunction, Module } from '../ir/model.js';
import { functionType, i64, ptr, voidType } from '../ir/types.js';
import { accessOf } from './instrument/memory-access.js';
import { type PointerOrigin, pointerOrigin } from './instrument/pointer-origin.js';
import { isComputation } from './instrument/raw-functions.js';

/** Whether the program has `assigns` clauses. */
export function opensFrames(module: Module): boolean {
  return module.functions.some(({ name }) => name === '__rz_frame_enter');
}

export function hookWrites(module: Module): void {
  // Functions that the weaver generated are not the program's.
  const targets = module.functions.filter(({ name }) => !name.startsWith('__rz_'));
  hook(module, targets, object => object.kind === 'instruction');
}

export function hookLibraryWrites(module: Module): void {
  const targets = module.functions.filter(target => !isComputation(target));
  hook(module, targets, () => true);
}

/** `isFree` says whether no frame forbids stores into the object. */
function hook(
  module: Module,
  targets: readonly IrFunction[],
  isFree: (object: PointerOrigin['object']) => boolean,
): void {
  const layout = new DataLayout(module.dataLayout);
  let ask: IrFunction | undefined;
  const hooked = (instruction: Instruction): Instruction[] => {
    const access = accessOf(instruction);
    if (access === undefined || !access.isStore) return [instruction];
    const origin = pointerOrigin(access.pointer, layout);
    if (origin !== undefined && isFree(origin.object)) return [instruction];
    ask ??= makeHook(module);
    const before: Instruction[] = [];
    const bytes = integerConstant(i64, layout.storeBytes(access.type));
    new Builder(before, instruction.debugLocation).call(ask, [access.pointer, bytes]);
    return [...before, instruction];
  };
  for (const { blocks } of targets)
    for (const block of blocks) block.instructions = block.instructions.flatMap(hooked);
}

function makeHook(module: Module): IrFunction {
  const frames =
    module.variables.find(({ name }) => name === '__rz_frames') ?? makeVariable('__rz_frames', ptr);
  if (!module.variables.includes(frames)) module.variables.push(frames);
  const type = functionType(voidType, [ptr, i64]);
  const check = getOrDeclareFunction(module, '__rz_assigns_check', type);
  const hook = makeFunction('__rz_raw_assigns', type);
  hook.linkage = 'internal';
  hook.attributes = AttributeSet.of(attribute('alwaysinline'), attribute('nounwind'));
  const [start, ask, done] = [makeBlock('start'), makeBlock('ask'), makeBlock('done')];
  const builder = new Builder(start.instructions);
  const open = builder.load(ptr, frames, { align: 8 });
  builder.condBr(builder.icmp('ne', open, nullConstant), ask, done);
  builder.into = ask.instructions;
  builder.call(check, [...hook.arguments]);
  builder.br(done);
  builder.into = done.instructions;
  builder.ret();
  hook.blocks = [start, ask, done];
  module.functions.push(hook);
  return hook;
}
