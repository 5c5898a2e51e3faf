/** Sizes, alignments and offsets against what clang computes for the same structs of C. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { integerConstant } from '../../src/ir/constants.js';
import { DataLayout } from '../../src/ir/data-layout.js';
import type { Module } from '../../src/ir/model.js';
import { i32, i64, integerType, ptr, structType } from '../../src/ir/types.js';
import { compileToIr, read, wasm64 } from './clang.js';

const scalars = [
  ...['char', 'short', 'int', 'long', '__int128', '_Bool', 'float', 'double', 'long double', 'void *'],
  ...['enum e', 'v2', 'v4', '_Complex float', '_BitInt(24)', '_BitInt(37)', '_BitInt(100)', 'int (*)(void)'],
];

interface Struct {
  readonly packed: boolean;
  /**
   * A scalar or an earlier struct (by a number that is taken modulo how many there are), and array
   * dimensions.
   */
  readonly members: readonly {
    readonly type: number;
    readonly nested: boolean;
    readonly lengths: readonly number[];
  }[];
}

const struct: fc.Arbitrary<Struct> = fc.record({
  packed: fc.boolean(),
  members: fc.array(
    fc.record({
      type: fc.nat(1000),
      nested: fc.boolean(),
      lengths: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
});

function sourceOf(structs: readonly Struct[]): string {
  const lines = [
    'enum e { A, B };',
    'typedef int v2 __attribute__((vector_size(8)));',
    'typedef float v4 __attribute__((vector_size(16)));',
  ];
  structs.forEach(({ packed, members }, index) => {
    const fields = members.map(({ type, nested, lengths }, member) => {
      const dimensions = lengths.map(length => `[${length}]`).join('');
      const name = `m${member}${dimensions}`;
      if (nested && index > 0) return `struct s${type % index} ${name};`;
      const scalar = scalars[type % scalars.length]!;
      return scalar.includes('(*)') ? `${scalar.replace('(*)', `(*${name})`)};` : `${scalar} ${name};`;
    });
    const attribute = packed ? '__attribute__((packed)) ' : '';
    lines.push(`struct ${attribute}s${index} { ${fields.join(' ')} } x${index};`);
    const offsets = members.map((_, member) => `__builtin_offsetof(struct s${index}, m${member})`);
    const facts = [`sizeof(struct s${index})`, ...offsets];
    lines.push(`unsigned long facts${index}[] = { ${facts.join(', ')} };`);
  });
  return lines.join('\n');
}

/** The numbers in the initializer of a global array. */
function factsIn(module: Module, name: string): number[] {
  const initializer = module.variables.find(variable => variable.name === name)?.initializer;
  if (initializer?.kind !== 'aggregate') expect.fail(`${name} is not an array`);
  return initializer.elements.map(element =>
    element.kind === 'integer' ? Number(element.value) : Number.NaN,
  );
}

test.each([wasm64, 'x86_64-linux-gnu', 'wasm32-unknown-unknown', 'i386-linux-gnu'])(
  'structs of C have the size, alignment and offsets that clang gives them: %s',
  async target => {
    const structs = fc.sample(struct, { numRuns: 60, seed: 9 });
    const usable = target.startsWith('x86_64') || target === wasm64 ? structs : withoutInt128(structs);
    const module = read(await compileToIr(sourceOf(usable), ['-O0'], target));
    const layout = new DataLayout(module.dataLayout);
    let offsetsCompared = 0;
    usable.forEach((_, index) => {
      const type = module.variables.find(variable => variable.name === `x${index}`)!.valueType;
      if (type.kind !== 'struct') expect.fail('not a struct');
      const [size, ...offsets] = factsIn(module, `facts${index}`);
      const found = layout.structLayout(type);
      expect([index, found.bytes]).toEqual([index, size]);
      // clang writes padding as elements of their own where LLVM's rules would not give it.
      for (const offset of offsets) expect(found.offsets).toContain(offset);
      if (found.offsets.length === offsets.length) {
        expect(found.offsets).toEqual(offsets);
        offsetsCompared += offsets.length;
      }
    });
    expect(offsetsCompared).toBeGreaterThan(50);
  },
);

/** 32-bit targets have none; an `int` takes its place. */
function withoutInt128(structs: readonly Struct[]): Struct[] {
  const position = scalars.indexOf('__int128');
  return structs.map(each => ({
    ...each,
    members: each.members.map(member =>
      member.type % scalars.length === position ? { ...member, type: member.type + 1 } : member,
    ),
  }));
}

test('scalars of C have the size and alignment that clang gives them', async () => {
  const usual = scalars.filter(scalar => !/_BitInt|\(\*\)|enum|v2|v4/.test(scalar));
  const lines = usual.map(
    (scalar, index) =>
      `${scalar} x${index}; unsigned long facts${index}[] = { sizeof(${scalar}), _Alignof(${scalar}) };`,
  );
  for (const target of [wasm64, 'x86_64-linux-gnu']) {
    const module = read(await compileToIr(lines.join('\n'), ['-O0'], target));
    const layout = new DataLayout(module.dataLayout);
    usual.forEach((scalar, index) => {
      const type = module.variables.find(variable => variable.name === `x${index}`)!.valueType;
      const found = [layout.allocBytes(type), layout.align(type)];
      expect([scalar, ...found]).toEqual([scalar, ...factsIn(module, `facts${index}`)]);
    });
  }
});

test('the three sizes of odd integers', () => {
  const layout = new DataLayout('e-m:e-p:64:64-i64:64-i128:128-n32:64-S128');
  const sizes = (bits: number): number[] => {
    const type = integerType(bits);
    return [layout.bits(type), layout.storeBytes(type), layout.allocBytes(type)];
  };
  expect(sizes(1)).toEqual([1, 1, 1]);
  expect(sizes(37)).toEqual([37, 5, 8]);
  expect(sizes(128)).toEqual([128, 16, 16]);
  expect(sizes(200)).toEqual([200, 25, 32]);
  expect(layout.stackAlign).toBe(16);
});

test('a getelementptr adds up constants and leaves the rest as scaled indices', () => {
  const layout = new DataLayout('e-p:64:64-i64:64');
  const type = structType([i32, structType([ptr, i64])]);
  const index = integerConstant(i64, -2);
  const variable = { kind: 'argument', type: i64, name: 'i', attributes: undefined as never } as const;
  const steps = layout.gepSteps(type, [index, integerConstant(i32, 1), integerConstant(i32, 1)]);
  expect(steps).toEqual({ constantBytes: -2n * 24n + 16n, scaled: [] });
  expect(layout.gepSteps(i32, [variable])).toEqual({
    constantBytes: 0n,
    scaled: [{ index: variable, strideBytes: 4 }],
  });
});
