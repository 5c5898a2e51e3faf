/**
 * Reports expressions with two unsequenced accesses to one variable: `a[i] = i++`. clang warns
 * about them if both accesses name the variable (`-Wunsequenced`); the IR only has the order that
 * clang chose. So its warning becomes a call at its location, and the error is reported when the
 * expression is evaluated.
 *
 * ```
 *   a.c:3:9: warning: unsequenced modification and access to 'i'
 *
 *   %inc = add i32 %0, 1, !dbg (3:9)      becomes      call @__rz_unsequenced("i", 0)
 *                                                      %inc = add i32 %0, 1, !dbg (3:9)
 * ```
 */
import { Builder, getOrDeclareFunction, makeVariable } from '../ir/builder.js';
import { integerConstant } from '../ir/constants.js';
import { locationStack } from '../ir/debug.js';
import type { Instruction, Module } from '../ir/model.js';
import { arrayType, functionType, i8, i32, ptr, voidType } from '../ir/types.js';
import { unsequencedHandler } from './promise-handlers.js';

interface Place {
  readonly file: string;
  readonly variable: string;
  readonly areBothWrites: boolean;
}

const warning =
  /^(.+?):(\d+):(\d+): \w+: (multiple unsequenced modifications|unsequenced modification and access) to '(\w+)'/gm;

/** `texts` are the warnings of clang, as it wrote them. */
export function markUnsequenced(module: Module, texts: readonly string[]): void {
  const places = new Map<string, Place>();
  for (const text of texts)
    for (const [, file, line, column, what, variable] of text.matchAll(warning))
      places.set(`${line}:${column}`, {
        file: file!,
        variable: variable!,
        areBothWrites: what!.startsWith('multiple'),
      });
  if (places.size === 0) return;
  for (const { blocks } of module.functions) {
    const left = new Map(places);
    for (const block of blocks) {
      block.instructions = block.instructions.flatMap(instruction => {
        const key = keyOf(instruction);
        const place = key === undefined ? undefined : left.get(key);
        if (place === undefined || !isIn(instruction, place.file)) return [instruction];
        left.delete(key!);
        return [report(module, place, instruction), instruction];
      });
    }
  }
}

function keyOf(instruction: Instruction): string | undefined {
  if (instruction.op === 'phi' || instruction.op === 'debug-record' || instruction.op === 'alloca')
    return undefined;
  const [at] = locationStack(instruction.debugLocation);
  return at && `${at.line}:${at.column}`;
}

function isIn(instruction: Instruction, file: string): boolean {
  const [at] = locationStack(instruction.debugLocation);
  return (
    at !== undefined && (at.file === file || at.file.endsWith(`/${file}`) || file.endsWith(`/${at.file}`))
  );
}

function report(module: Module, { variable, areBothWrites }: Place, at: Instruction): Instruction {
  const handler = getOrDeclareFunction(module, unsequencedHandler, functionType(voidType, [ptr, i32]));
  const data = `${variable}\0`;
  const type = arrayType(i8, data.length);
  const name = makeVariable(`.unsequenced.${module.variables.length}`, type, { kind: 'bytes', type, data });
  name.linkage = 'private';
  name.isConstant = true;
  module.variables.push(name);
  return new Builder([], at.debugLocation).call(handler, [name, integerConstant(i32, areBothWrites ? 1 : 0)]);
}
