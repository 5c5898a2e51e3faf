/**
 * The pre-analysis on the example of the hybrid-monitoring paper, and on the ways that a pointer
 * can take.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Instruction, Module, Value } from '../../src/ir/model.js';
import { promoteLocals } from '../../src/passes/mem2reg.js';
import { observedPurposes, purpose } from '../../src/passes/observation.js';
import { analysisFlags, compileToIr, read } from '../ir/clang.js';

const source = `
  void *malloc(unsigned long);
  void valid(void *), initialized(void *), other(void *);

  void paper(int c) {
    char *p;
    int x = 0, unseen[3] = {1, 2, 3};
    if (c) {
      p = malloc(4);
      for (int k = 0; k < 4; k++) p[k] = (char)k;
    } else {
      x = 1;
      p = (char *)&x;
    }
    p[3] = 5;
    for (int k = 0; k < 4; k++) { valid(p + k); initialized(p + k); }
    c = unseen[c];
  }

  static int *pick(int **from, int i) { return from[i]; }
  void through_memory(int i) {
    int a[2] = {1, 2}, b[2] = {3, 4}, *table[2] = {a, b};
    valid(pick(table, i));
  }

  static void asks(int *p) { initialized(p); }
  static void asks_not(int *p) { *p = 1; }
  void through_calls(void (*unknown)(void *)) {
    int asked = 1, unasked = 2, given = 3, integer = 4;
    asks(&asked);
    asks_not(&unasked);
    unknown(&given);
    valid((void *)((long)&integer + 4));
  }
  void (*taken)(int *) = asks_not;
`;

let module: Module;
beforeAll(async () => {
  module = read(await compileToIr(source, analysisFlags));
  for (const target of module.functions) if (target.blocks.length > 0) promoteLocals(target, {});
});

/** The purposes of the locals and allocations of a function, by name. */
function purposesIn(name: string, outside = 0): Record<string, number> {
  const asks = (instruction: Instruction, note: (pointer: Value, purposes: number) => void) => {
    if (instruction.op !== 'call' || instruction.callee.kind !== 'function') return;
    if (instruction.callee.name === 'valid') note(instruction.args[0]!, purpose.validity);
    if (instruction.callee.name === 'initialized') note(instruction.args[0]!, purpose.initialisation);
  };
  const purposesOf = observedPurposes(module, { asks, outside });
  const found: Record<string, number> = {};
  const target = module.functions.find(candidate => candidate.name === name)!;
  for (const { instructions } of target.blocks)
    for (const instruction of instructions)
      if (instruction.op === 'alloca') found[instruction.name!] = purposesOf(instruction);
      else if (
        instruction.op === 'call' &&
        instruction.callee.kind === 'function' &&
        instruction.callee.name === 'malloc'
      )
        found.malloc = purposesOf(instruction);
  return found;
}

const { validity, initialisation } = purpose;

describe('a query reaches', () => {
  test('earlier values of the pointer: the example of the paper', () => {
    const both = validity | initialisation;
    expect(purposesIn('paper')).toEqual({ x: both, unseen: 0, malloc: both });
  });

  test('values stored in memory', () => {
    const { a, b, table } = purposesIn('through_memory');
    expect([a! & validity, b! & validity, table]).toEqual([validity, validity, 0]);
  });

  test('values passed by calls, through integers too, and nothing else', () => {
    const purposes = purposesIn('through_calls');
    expect(purposes.integer! & validity).toBe(validity);
    expect(purposes.asked! & initialisation).toBe(initialisation);
    expect(purposes.unasked).toBe(0);
  });

  test('values visible to unknown code', () => {
    expect(purposesIn('through_calls').given! & validity).toBe(validity);
    expect(purposesIn('through_calls', purpose.block).given! & purpose.block).toBe(purpose.block);
    expect(purposesIn('through_calls', purpose.block).unasked).toBe(0);
  });
});
