/**
 * Promotion on what clang makes of C: LLVM takes the result, programs compute the same, names are
 * kept.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordVariable } from '../../src/ir/debug.js';
import type { Instruction, IrFunction, Module } from '../../src/ir/model.js';
import { verifyModule } from '../../src/ir/verify.js';
import { writeModule } from '../../src/ir/writer.js';
import { promoteLocals } from '../../src/passes/mem2reg.js';
import { analysisFlags, compileToIr, printedByLlvm, program, read, runnable, wasm32 } from '../ir/clang.js';

function promoted(ir: string, promoteUninitialized = false): Module {
  const module = read(ir);
  for (const target of module.functions) promoteLocals(target, { promoteUninitialized });
  expect(verifyModule(module)).toEqual([]);
  return module;
}

function instructions(target: IrFunction): Instruction[] {
  return target.blocks.flatMap(block => block.instructions);
}

function functionNamed(module: Module, name: string): IrFunction {
  const found = module.functions.find(each => each.name === name);
  if (found === undefined) expect.fail(`no function ${name}`);
  return found;
}

const source = readFileSync(join(import.meta.dirname, 'programs.c'), 'utf8');
const names = [...source.matchAll(/^int (\w+)\(int \w+(, int \w+)?\)/gm)].map(match => match[1]!);

test('programs compute the same after promotion', async () => {
  const ir = await compileToIr(source, analysisFlags, wasm32);
  const original = await runnable(ir, names);
  const again = await runnable(writeModule(promoted(ir)), names);
  expect(names.length).toBe(8);
  for (const name of names) {
    for (let n = 0; n < 30; n++)
      expect([name, n, again[name]!(n, 18)]).toEqual([name, n, original[name]!(n, 18)]);
  }
});

test('LLVM takes the result with its debug information', async () => {
  const ir = await compileToIr(program('features.c'), analysisFlags);
  for (const all of [true, false]) {
    const printed = await printedByLlvm(writeModule(promoted(ir, all)));
    expect(printed).toContain('#dbg_value');
    expect(printed).toContain('!llvm.dbg.cu');
  }
});

test('what stays in memory and what does not', async () => {
  const module = promoted(await compileToIr(source, analysisFlags));
  const kept = (name: string): (string | undefined)[] =>
    instructions(functionNamed(module, name)).flatMap(each => (each.op === 'alloca' ? [each.name] : []));
  expect(kept('factorial')).toEqual([]);
  expect(kept('search')).toEqual([]);
  // `kept` has its address taken, `observed` is volatile.
  expect(kept('through_pointer')).toEqual(['kept', 'observed']);
  // `case 3` reads `kind` before anything was written to it: that read must not disappear.
  expect(kept('classify')).toEqual(['kind']);
});

test('a value has the name of the variable that it was', async () => {
  const module = promoted(await compileToIr(source, analysisFlags));
  const target = functionNamed(module, 'factorial');
  const phis = instructions(target).filter(each => each.op === 'phi');
  const named = new Map<unknown, string>();
  for (const record of instructions(target)) {
    if (record.op !== 'debug-record') continue;
    expect(record.record).toBe('value');
    named.set(record.values[0], recordVariable(record)!.name);
  }
  expect(phis.map(phi => named.get(phi)).sort()).toEqual(['i', 'product']);
  expect(named.get(target.arguments[0])).toBe('n');
});
