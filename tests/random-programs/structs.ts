/**
 * Random C programs that compute with small structures: they pass them to functions, return them,
 * copy them and look at their bytes. Several passes turn such structures into values
 * (`src/passes/inlined-functions.ts`, `split-structs.ts`, `integer-locals.ts`,
 * `by-value-arguments.ts`).
 *
 * The programs have no undefined behaviour, by construction, and end:
 *
 *  - integers are unsigned; shifts, indices and divisors are masked
 *  - a real number is a quarter of an integer below 1024
 *  - a pointer points to the first half of an array of 16 elements, and is indexed below 8
 *  - operands may be evaluated in any order: functions write no global variable but `sum`, to which
 *    they only add
 *
 * `-DBUG=n` breaks the n-th of the places that can be broken. Half of these conditions are known to
 * the compiler, the others are not.
 */
import { Random } from '../../src/support/random.js';

export interface StructProgram {
  readonly text: string;
  /** The codes of the errors that `-DBUG=n` makes, from n = 1. */
  readonly bugs: readonly string[];
}

export function randomStructProgram(seed: number): StructProgram {
  return new Generator(new Random(seed)).program();
}

type Kind = 'integer' | 'real' | 'pointer';

/** A number or a pointer in a structure: `path` leads from a variable to it. */
interface Leaf {
  readonly path: string;
  readonly kind: Kind;
  readonly type: string;
}

interface Structure {
  readonly name: string;
  readonly leaves: readonly Leaf[];
}

interface Variable {
  readonly name: string;
  readonly structure: Structure;
  /** Whether it must not be assigned here. */
  readonly isConstant?: boolean;
}

interface Callable {
  readonly name: string;
  /** Undefined for a number. */
  readonly result: Structure | undefined;
  readonly parameters: readonly (Structure | undefined)[];
}

const integers = ['uint8_t', 'uint16_t', 'uint32_t', 'uint32_t', 'uint64_t', 'uint64_t'];

const prelude = `#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef BUG
#define BUG 0
#endif
static volatile int bug = BUG;
static uint64_t sum = 1;
static uint32_t table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
union word { uint64_t all; uint32_t half[2]; uint8_t bytes[8]; float real; uint32_t *at; };
static void mix(uint64_t x) { sum += (x ^ x >> 29 ^ 0x1234) * 0x9e3779b97f4a7c15u; }
`;

class Generator {
  readonly #random: Random;
  readonly #lines: string[] = [];
  readonly #bugs: string[] = [];
  readonly #structures: Structure[] = [];
  readonly #functions: Callable[] = [];
  #variables: Variable[] = [];
  #scalars: string[] = [];
  #names = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  program(): StructProgram {
    for (let i = 0; i < 3; i++) this.#structure();
    for (const structure of this.#structures)
      this.#emit(`static struct ${structure.name} g_${structure.name};`);
    for (let i = 0; i < 6; i++) this.#function();
    this.#emit('int main(void) {');
    this.#emit('  uint64_t x = 11;');
    [this.#scalars, this.#variables] = [['x'], []];
    this.#variables = this.#structures.map(structure => {
      this.#emit(`  g_${structure.name} = ${this.#literal(structure, 0)};`);
      return { name: `g_${structure.name}`, structure };
    });
    for (let i = 0; i < 3; i++) this.#declare('  ');
    for (let i = 0; i < 12; i++) this.#statement('  ', 2);
    for (const variable of this.#variables) this.#mixAll(variable, '  ');
    this.#emit('  printf("%#llx\\n", (unsigned long long)sum);\n  return 0;\n}');
    return { text: `${prelude}${this.#lines.join('\n')}\n`, bugs: this.#bugs };
  }

  #emit(text: string): void {
    this.#lines.push(text);
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#random.below(from.length)]!;
  }

  #name(prefix: string): string {
    return `${prefix}${this.#names++}`;
  }

  #structure(): void {
    const name = this.#name('s');
    const leaves: Leaf[] = [];
    const members: string[] = [];
    const add = (type: string, kind: Kind): void => {
      const member = this.#name('m');
      if (this.#random.below(4) > 0) {
        members.push(kind === 'pointer' ? `uint32_t *${member};` : `${type} ${member};`);
        leaves.push({ path: `.${member}`, kind, type });
        return;
      }
      members.push(kind === 'pointer' ? `uint32_t *${member}[2];` : `${type} ${member}[2];`);
      for (const i of [0, 1]) leaves.push({ path: `.${member}[${i}]`, kind, type });
    };
    for (let i = 1 + this.#random.below(3); i > 0; i--) {
      const kind = this.#pick(['integer', 'integer', 'integer', 'real', 'pointer', 'structure'] as const);
      if (kind === 'structure' && this.#structures.length > 0) {
        const inner = this.#pick(this.#structures);
        if (inner.leaves.length > 5) continue;
        const member = this.#name('m');
        members.push(`struct ${inner.name} ${member};`);
        for (const leaf of inner.leaves) leaves.push({ ...leaf, path: `.${member}${leaf.path}` });
      } else if (kind === 'real') add(this.#pick(['float', 'double']), 'real');
      else if (kind === 'pointer') add('uint32_t *', 'pointer');
      else add(this.#pick(integers), 'integer');
    }
    if (leaves.length === 0) add('uint64_t', 'integer');
    this.#emit(`struct ${name} { ${members.join(' ')} };`);
    this.#structures.push({ name, leaves });
  }

  #function(): void {
    const structures = this.#structures;
    const result = this.#random.below(3) > 0 ? this.#pick(structures) : undefined;
    const parameters = Array.from({ length: 1 + this.#random.below(3) }, (_, i) =>
      i > 0 && this.#random.below(3) === 0 ? undefined : this.#pick(structures),
    );
    const name = this.#name('f');
    this.#scalars = [];
    this.#variables = [];
    const globals = structures.map(each => ({ name: `g_${each.name}`, structure: each, isConstant: true }));
    const texts = parameters.map(structure => {
      const parameter = this.#name('p');
      if (structure === undefined) this.#scalars.push(parameter);
      else this.#variables.push({ name: parameter, structure });
      return structure === undefined ? `uint64_t ${parameter}` : `struct ${structure.name} ${parameter}`;
    });
    this.#variables.push(...globals);
    const type = result === undefined ? 'uint64_t' : `struct ${result.name}`;
    this.#emit(`${this.#pick(['static ', 'static ', ''])}${type} ${name}(${texts.join(', ')}) {`);
    for (let i = this.#random.below(3); i > 0; i--) this.#statement('  ', 1);
    this.#return(result);
    this.#emit('}');
    this.#functions.push({ name, result, parameters });
  }

  #return(result: Structure | undefined): void {
    if (result === undefined) {
      this.#emit(`  return ${this.#expression(2)};`);
      return;
    }
    if (this.#random.below(3) === 0) {
      const { name } = this.#declare('  ');
      const built = this.#variables.at(-1)!;
      if (built.structure === result) {
        this.#emit(`  return ${name};`);
        return;
      }
    }
    this.#emit(`  return ${this.#value(result, 2)};`);
  }

  /** A condition that holds in a program with this bug, which is added to the list. */
  #broken(code: string): string {
    this.#bugs.push(code);
    const { length } = this.#bugs;
    return this.#random.below(2) === 0 ? `(BUG == ${length})` : `(bug == ${length})`;
  }

  /** A new variable with a value. */
  #declare(indent: string): Variable {
    const structure = this.#pick(this.#structures);
    const variable = { name: this.#name('v'), structure };
    const { name } = variable;
    const type = `struct ${structure.name}`;
    switch (this.#random.below(4)) {
      case 0: {
        // Member by member, of which one may be left out.
        this.#emit(`${indent}${type} ${name};`);
        const left = this.#random.below(2) === 0 ? this.#random.below(structure.leaves.length) : -1;
        for (const [i, leaf] of structure.leaves.entries()) {
          const isWritten = i === left ? `if (!${this.#broken('uninitialized-read')}) ` : '';
          this.#emit(`${indent}${isWritten}${name}${leaf.path} = ${this.#leafValue(leaf, 1)};`);
        }
        this.#variables.push(variable);
        if (left >= 0) this.#mixAll(variable, indent);
        return variable;
      }
      case 1:
        this.#emit(`${indent}${type} ${name} = ${this.#literal(structure, 1)};`);
        break;
      case 2:
        this.#emit(`${indent}${type} ${name};`);
        this.#emit(`${indent}${name} = ${this.#value(structure, 2)};`);
        break;
      default:
        this.#emit(`${indent}${type} ${name} = ${this.#value(structure, 2)};`);
    }
    this.#variables.push(variable);
    return variable;
  }

  #mixAll({ name, structure }: Variable, indent: string): void {
    for (const leaf of structure.leaves) this.#emit(`${indent}mix(${this.#read(name, leaf)});`);
  }

  #statement(indent: string, depth: number): void {
    const cases: (() => void)[] = [
      () => this.#declare(indent),
      () => this.#emit(`${indent}mix(${this.#expression(3)});`),
      () => this.#assign(indent),
      () => this.#assign(indent),
      () => this.#copy(indent),
      () => this.#bytes(indent),
      () => this.#bug(indent),
      () => this.#bug(indent),
      () => this.#branch(indent, depth),
      () => this.#loop(indent, depth),
      () => this.#vector(indent),
    ];
    cases[this.#random.below(depth > 0 ? cases.length : 7)]!();
  }

  #assign(indent: string): void {
    const variable = this.#pick(this.#variables);
    if (variable.isConstant) return;
    const { name, structure } = variable;
    if (this.#random.below(2) === 0) {
      this.#emit(`${indent}${name} = ${this.#value(structure, 3)};`);
      return;
    }
    const leaf = this.#pick(structure.leaves);
    this.#emit(`${indent}${name}${leaf.path} = ${this.#leafValue(leaf, 2)};`);
  }

  #copy(indent: string): void {
    const to = this.#pick(this.#variables);
    const from = this.#variables.find(each => each !== to && each.structure === to.structure);
    if (from === undefined || to.isConstant) {
      this.#assign(indent);
      return;
    }
    const copy = this.#pick(['memcpy', 'memmove']);
    this.#emit(`${indent}${copy}(&${to.name}, &${from.name}, sizeof ${to.name});`);
  }

  /** Numbers whose bytes are read. */
  #bytes(indent: string): void {
    const w = this.#name('w');
    const value = this.#expression(2);
    this.#emit(
      this.#pick([
        `${indent}{ union word ${w}; ${w}.all = ${value}; mix(${w}.half[1] ^ ${w}.bytes[3]); }`,
        `${indent}{ union word ${w} = {${value}}; ${w}.all += ${w}.half[0]; mix(${w}.bytes[7]); }`,
        `${indent}{ union word ${w}; ${w}.at = table + (${value} & 7); mix(${w}.at[${value} & 7] + (${w}.all & 3)); }`,
        `${indent}{ union word ${w}; ${w}.all = 0; ${w}.real = (float)(${value} & 1023) * 0.25f; mix(${w}.half[0]); }`,
        `${indent}{ union { float f; uint32_t u; } ${w}; ${w}.f = (float)(${value} & 1023) * 0.25f; mix(${w}.u >> 7); }`,
        `${indent}{ struct { uint32_t a, b; } ${w}; uint64_t y = ${value}; memcpy(&${w}, &y, 8); mix(${w}.a ^ ${w}.b); }`,
        `${indent}{ struct { uint16_t a[2]; uint32_t b; } ${w} = {{${value}, 2}, 3}; uint64_t y; memcpy(&y, &${w}, 8); mix(y); }`,
      ]),
    );
  }

  #branch(indent: string, depth: number): void {
    const [variables, scalars] = [this.#variables, this.#scalars];
    const block = (): void => {
      [this.#variables, this.#scalars] = [[...variables], [...scalars]];
      for (let i = 1 + this.#random.below(2); i > 0; i--) this.#statement(`${indent}  `, depth - 1);
    };
    this.#emit(`${indent}if (${this.#expression(2)} & ${1 << this.#random.below(3)}) {`);
    block();
    if (this.#random.below(2) === 0) {
      this.#emit(`${indent}} else {`);
      block();
    }
    this.#emit(`${indent}}`);
    [this.#variables, this.#scalars] = [variables, scalars];
  }

  #loop(indent: string, depth: number): void {
    const [variables, scalars] = [this.#variables, this.#scalars];
    const i = this.#name('i');
    this.#emit(`${indent}for (uint32_t ${i} = 0; ${i} < ${2 + this.#random.below(3)}; ${i}++) {`);
    [this.#variables, this.#scalars] = [[...variables], [...scalars, i]];
    for (let n = 1 + this.#random.below(3); n > 0; n--) this.#statement(`${indent}  `, depth - 1);
    this.#emit(`${indent}}`);
    [this.#variables, this.#scalars] = [variables, scalars];
  }

  /** An array of structures that is read, or written, behind its end. */
  #vector(indent: string): void {
    const structure = this.#pick(this.#structures);
    const type = `struct ${structure.name}`;
    const [v, i, n] = [this.#name('v'), this.#name('i'), 2 + this.#random.below(3)];
    const isHeap = this.#random.below(2) === 0;
    const bug = this.#broken(`${isHeap ? 'heap' : 'stack'}-buffer-overflow`);
    const use = this.#usesOf(structure, `${v}[${i}]`);
    this.#emit(
      isHeap ? `${indent}{ ${type} *${v} = malloc(${n} * sizeof *${v});` : `${indent}{ ${type} ${v}[${n}];`,
    );
    this.#emit(
      `${indent}  for (int ${i} = 0; ${i} < ${n}; ${i}++) ${v}[${i}] = ${this.#value(structure, 2)};`,
    );
    this.#emit(`${indent}  for (int ${i} = 0; ${i} < ${n} + ${bug}; ${i}++)`);
    this.#emit(`${indent}    ${use}`);
    this.#emit(`${indent}  ${isHeap ? `free(${v}); ` : ''}}`);
  }

  /** A statement that uses a structure as a whole. */
  #usesOf(structure: Structure, value: string): string {
    const leaf = this.#pick(structure.leaves);
    const taking = this.#functions.filter(({ parameters }) => parameters[0] === structure);
    const own = this.#variables.filter(each => each.structure === structure && !each.isConstant);
    const choices = [`mix(${this.#read(value, leaf)});`];
    for (const { name } of own) choices.push(`${name} = ${value};`);
    for (const each of taking) {
      const call = `${each.name}(${[value, ...each.parameters.slice(1).map(one => this.#argument(one))].join(', ')})`;
      const result = each.result && this.#pick(each.result.leaves);
      choices.push(`mix(${result === undefined ? call : this.#read(call, result)});`);
    }
    return choices.at(-1 - this.#random.below(Math.min(choices.length, 3)))!;
  }

  #bug(indent: string): void {
    const structure = this.#pick(this.#structures);
    const type = `struct ${structure.name}`;
    const [p, q] = [this.#name('q'), this.#name('q')];
    const use = this.#usesOf(structure, `*${p}`).replaceAll(new RegExp(`\\*${p}([.[])`, 'g'), `(*${p})$1`);
    const value = this.#value(structure, 1);
    const last = structure.leaves.at(-1)!;
    const whole = `${type} *${p} = malloc(sizeof *${p}); *${p} = ${value};`;
    const cases: [string, (bug: string) => string][] = [
      ['use-after-free', bug => `{ ${whole} if (${bug}) free(${p}); ${use} if (!${bug}) free(${p}); }`],
      ['null-dereference', bug => `{ ${type} ${q} = ${value}, *${p} = ${bug} ? NULL : &${q}; ${use} }`],
      [
        'heap-buffer-overflow',
        bug =>
          `{ ${type} ${q} = ${value}, *${p} = malloc(sizeof *${p} - ${bug}); if (!${bug}) *${p} = ${q}; ${use} free(${p}); }`,
      ],
      [
        'use-after-scope',
        bug =>
          `{ ${type} *${p}, ${q}k = ${value}; { ${type} ${q} = ${q}k; ${p} = ${bug} ? &${q} : &${q}k; } ${use} }`,
      ],
      [
        'uninitialized-read',
        bug =>
          `{ ${type} *${p} = malloc(sizeof *${p}), ${q} = ${value}; if (${bug}) { ${structure.leaves
            .slice(0, -1)
            .map(({ path }) => `${p}->${path.slice(1)} = ${q}${path};`)
            .join(' ')} } else *${p} = ${q}; ${q} = *${p}; free(${p}); mix(${this.#read(q, last)}); }`,
      ],
      ['division-by-zero', bug => `mix(${this.#expression(2)} / (uint64_t)(1 - ${bug}));`],
      [
        'signed-overflow',
        bug => `mix((uint64_t)((int)(${this.#expression(2)} & 255) + 1 + (${bug} ? 0x7fffffff : 0)));`,
      ],
      ['shift-out-of-bounds', bug => `mix(${this.#expression(2)} << (3 + 61 * ${bug}));`],
      [
        'stack-buffer-overflow',
        bug =>
          `{ uint32_t ${p}[2] = {1, 2}, ${q}[2] = {3, 4}; union word w = {.at = ${p}}; w.all += 4 + 28 * ${bug}; mix(*w.at + ${q}[1]); }`,
      ],
      [
        'stack-buffer-overflow',
        bug =>
          `{ uint64_t ${p} = 5; ${type} ${q}; if (${bug}) memcpy(&${q}, (char *)&${p} + 1, 8); mix(${p}); }`,
      ],
    ];
    const pointers = structure.leaves.filter(({ kind }) => kind === 'pointer');
    if (pointers.length > 0) {
      const { path } = this.#pick(pointers);
      cases.push([
        'stack-buffer-overflow',
        bug =>
          `{ uint32_t ${p}[8] = {1}, ${p}n[8] = {2}; ${type} ${q} = ${value}, ${q}c; ${q}${path} = ${p}; ${q}c = ${q}; mix(${q}c${path}[3 + 16 * ${bug}] + ${p}n[1]); }`.replaceAll(
            `${p}[8] = {1}`,
            `${p}[8] = {1, 1, 1, 1}`,
          ),
      ]);
    }
    const [code, text] = this.#pick(cases);
    this.#emit(`${indent}${text(this.#broken(code))}`);
  }

  #argument(structure: Structure | undefined): string {
    return structure === undefined ? this.#expression(1) : this.#value(structure, 1);
  }

  #literal({ name, leaves }: Structure, depth: number): string {
    return `(struct ${name}){${leaves.map(leaf => `${leaf.path} = ${this.#leafValue(leaf, depth)}`).join(', ')}}`;
  }

  /** An expression of this type. */
  #value(structure: Structure, depth: number): string {
    const choices: (() => string)[] = [() => this.#literal(structure, depth > 0 ? 1 : 0)];
    for (const { name, structure: own } of this.#variables) if (own === structure) choices.push(() => name);
    if (depth > 0) {
      for (const { name, result, parameters } of this.#functions)
        if (result === structure)
          choices.push(() => `${name}(${parameters.map(each => this.#inner(each, depth)).join(', ')})`);
      choices.push(
        () => `*(${this.#expression(1)} & 1 ? &g_${structure.name} : &${this.#literal(structure, 0)})`,
        () =>
          `(${this.#expression(1)} & 1 ? ${this.#value(structure, depth - 1)} : ${this.#value(structure, depth - 1)})`,
      );
    }
    return this.#pick(choices)();
  }

  #inner(structure: Structure | undefined, depth: number): string {
    return structure === undefined ? this.#expression(1) : this.#value(structure, depth - 1);
  }

  #leafValue({ kind, type }: Leaf, depth: number): string {
    const value = this.#expression(depth);
    if (kind === 'integer') return `(${type})(${value})`;
    return kind === 'real' ? `(${type})(${value} & 1023) * 0.25f` : `table + (${value} & 7)`;
  }

  #read(value: string, { path, kind }: Leaf): string {
    if (kind === 'integer') return `(uint64_t)${value}${path}`;
    return kind === 'real'
      ? `(uint64_t)(${value}${path} * 4)`
      : `(uint64_t)${value}${path}[${this.#random.below(8)}]`;
  }

  /** An expression of type uint64_t. */
  #expression(depth: number): string {
    const isLeaf = depth === 0 || this.#random.below(4) === 0;
    if (isLeaf) {
      const choices: (() => string)[] = [() => `${this.#random.below(0xffff)}u`];
      if (this.#scalars.length > 0) choices.push(() => `(uint64_t)${this.#pick(this.#scalars)}`);
      if (this.#variables.length > 0)
        for (let i = 0; i < 3; i++)
          choices.push(() => {
            const { name, structure } = this.#pick(this.#variables);
            return this.#read(name, this.#pick(structure.leaves));
          });
      return this.#pick(choices)();
    }
    const numbers = this.#functions.filter(({ result }) => result === undefined);
    if (depth > 1 && numbers.length > 0 && this.#random.below(3) === 0) {
      const { name, parameters } = this.#pick(numbers);
      return `${name}(${parameters.map(each => this.#argument(each)).join(', ')})`;
    }
    const [a, b] = [this.#expression(depth - 1), this.#expression(depth - 1)];
    return this.#pick([
      `(${a} ${this.#pick(['+', '-', '*', '^', '&', '|'])} ${b})`,
      `((uint64_t)${a} >> (${b} & 31))`,
      `(${a} / (${b} | 1))`,
      `(uint64_t)(${this.#pick(integers)})${a}`,
      `(${a} > ${b} ? (uint64_t)${a} : ~(uint64_t)${b})`,
    ]);
  }
}
