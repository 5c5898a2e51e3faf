/**
 * Finds the accesses of the program whose address must be a multiple of their size: those with the
 * alignment of their type, which excludes members of packed structures. Accesses of the C library
 * are not listed, because it reads words out of texts.
 *
 * This is for `explore`, which compiles nothing again; `check` has the same in
 * `instrument/checks.ts`.
 */
import { DataLayout } from '../ir/data-layout.js';
import type { Instruction, Module } from '../ir/model.js';

const natural = new WeakSet<Instruction>();

export function expectAlignment(module: Module): void {
  const layout = new DataLayout(module.dataLayout);
  for (const { blocks } of module.functions)
    for (const { instructions } of blocks)
      for (const instruction of instructions) {
        if (instruction.op !== 'load' && instruction.op !== 'store') continue;
        const type = instruction.op === 'load' ? instruction.type : instruction.value.type;
        if (type.kind !== 'integer' && type.kind !== 'pointer' && type.kind !== 'float') continue;
        const bytes = layout.storeBytes(type);
        if ((bytes === 2 || bytes === 4 || bytes === 8) && instruction.align >= bytes)
          natural.add(instruction);
      }
}

/** Whether the address must be a multiple of the size. */
export function isNatural(access: Instruction): boolean {
  return natural.has(access);
}
