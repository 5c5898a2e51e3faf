/**
 * Random C programs that have no undefined behaviour, by construction, and end: every compiler and
 * both engines must agree on what they compute, and neither engine may find anything.
 *
 *  - arithmetic is unsigned, or signed on operands that are masked first; shifts and divisors are
 *    masked
 *  - indices are masked with a power of two that is the length of the array
 *  - loops count to a constant; calls go to functions further up
 *
 * All that is computed ends in `sum`. With `-DEXPECTED=…` the program aborts unless that is it,
 * otherwise it prints it.
 *
 * `-DBUG=n` breaks the n-th of the places that can be broken: a loop makes one step too many or one
 * below the beginning, a pointer stays behind when its block has gone, a value is not written,
 * arithmetic leaves its type.
 */
import { Random } from '../../src/support/random.js';

export interface RandomProgram {
  readonly text: string;
  /** The errors that `-DBUG=n` puts in, from n = 1. */
  readonly bugs: readonly Bug[];
}

export interface Bug {
  readonly code: string;
  readonly line: number;
}

const integers = ['uint8_t', 'int8_t', 'uint16_t', 'int16_t', 'uint32_t', 'int32_t', 'uint64_t', 'int64_t'];

interface Store {
  readonly name: string;
  readonly type: string;
  readonly length: number;
}

const prelude = `#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef BUG
#define BUG 0
#endif
struct pair { uint8_t tag; int32_t low : 5, high : 11; uint64_t wide; float real; uint16_t tail[4]; };
union word { uint64_t all; uint32_t half[2]; uint8_t bytes[8]; };
struct node { struct node *next; uint32_t value; };
static uint64_t sum = 1;
static struct pair pairs[8];
static uint32_t grid[4][8];
static void mix(uint64_t x) { sum = (sum ^ x) * 0x9e3779b97f4a7c15u; sum ^= sum >> 29; }
static int order(const void *a, const void *b) { uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b; return x < y ? -1 : x > y; }
__attribute__((noinline)) static uint32_t over(uint32_t *p, uint32_t n, uint64_t x) {
  uint32_t last = 0;
  for (uint32_t i = 0; i < n; i++) { p[i] += (uint32_t)x ^ last; last = p[i] >> 3; if (last == 77) continue; p[0] ^= last; }
  return last;
}
`;

export function randomProgram(seed: number): RandomProgram {
  return new Generator(new Random(seed)).program();
}

class Generator {
  readonly #random: Random;
  readonly #lines: string[] = prelude.trimEnd().split('\n');
  readonly #bugs: Bug[] = [];
  readonly #functions: string[] = [];
  #stores: Store[] = [];
  #scalars: string[] = [];
  #names = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  program(): RandomProgram {
    for (let i = 0; i < 3; i++) this.#stores.push(this.#array('static ', ''));
    const globals = this.#stores;
    for (let i = 0; i < 4; i++) this.#function(globals);
    this.#emit('int main(void) {');
    for (const name of this.#functions) this.#emit(`  mix(${name}(${this.#random.below(1000)}, 7));`);
    this.#emit(`  uint64_t (*const table[])(uint64_t, uint32_t) = { ${this.#functions.join(', ')} };`);
    this.#emit(`  for (uint32_t i = 0; i < 9; i++) mix(table[i % ${this.#functions.length}](i, i));`);
    for (const { name, length } of globals)
      this.#emit(`  for (int i = 0; i < ${length}; i++) mix(${name}[i]);`);
    this.#emit('#ifdef EXPECTED\n  if (sum != EXPECTED) abort();\n#else');
    this.#emit('  printf("%#llx\\n", (unsigned long long)sum);\n#endif\n  return 0;\n}');
    return { text: `${this.#lines.join('\n')}\n`, bugs: this.#bugs };
  }

  #emit(text: string): void {
    this.#lines.push(...text.split('\n'));
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#random.below(from.length)]!;
  }

  #name(prefix: string): string {
    return `${prefix}${this.#names++}`;
  }

  #array(storage: string, indent: string): Store {
    const store = { name: this.#name('a'), type: this.#pick(integers), length: 4 << this.#random.below(5) };
    this.#emit(
      `${indent}${storage}${store.type} ${store.name}[${store.length}] = {${this.#random.below(100)}};`,
    );
    return store;
  }

  #function(globals: readonly Store[]): void {
    const name = this.#name('f');
    this.#stores = [...globals];
    this.#scalars = ['x', 'n'];
    this.#emit(`static uint64_t ${name}(uint64_t x, uint32_t n) {`);
    this.#stores.push(this.#array('', '  '));
    const heap = { name: this.#name('h'), type: this.#pick(integers), length: 8 << this.#random.below(4) };
    this.#emit(`  ${heap.type} *${heap.name} = calloc(${heap.length}, sizeof *${heap.name});`);
    this.#emit(`  struct pair s = {1, -3, 7, x, 1.5f, {1, 2, 3, 4}}, t = s;\n  union word w = {x};`);
    this.#stores.push(heap);
    this.#scalars.push(
      's.tag',
      's.wide',
      's.tail[n & 3]',
      't.tail[x & 3]',
      'w.half[n & 1]',
      'w.bytes[x & 7]',
    );
    for (let i = 0; i < 8; i++) this.#statement('  ', 3);
    this.#emit(`  mix(s.low + 100); mix((uint32_t)s.high); mix(t.wide); mix(w.all);`);
    this.#emit(`  for (int i = 0; i < ${heap.length}; i++) mix(${heap.name}[i]);\n  free(${heap.name});`);
    this.#stores.pop();
    this.#emit(`  return ${this.#expression(3)};\n}`);
    this.#functions.push(name);
  }

  #statement(indent: string, depth: number): void {
    const inner = `${indent}  `;
    switch (this.#random.below(depth > 0 ? 22 : 5)) {
      case 0:
        this.#emit(`${indent}mix(${this.#expression(3)});`);
        return;
      case 1:
        this.#emit(`${indent}${this.#pick(this.#scalars.slice(2))} = ${this.#expression(3)};`);
        return;
      case 2:
      case 3:
        this.#emit(
          `${indent}${this.#element()} ${this.#pick(['=', '+=', '^=', '|='])} ${this.#expression(3)};`,
        );
        return;
      case 4: {
        const [to, from] = [this.#pick(this.#stores), this.#pick(this.#stores)];
        const bytes = `${this.#random.below(Math.min(to.length, from.length))}`;
        this.#emit(`${indent}memmove(${to.name}, ${from.name}, ${bytes});`);
        return;
      }
      case 5:
        this.#emit(`${indent}if (${this.#expression(2)} & ${1 << this.#random.below(4)}) {`);
        this.#block(inner, depth);
        if (this.#random.below(2) === 0) {
          this.#emit(`${indent}} else {`);
          this.#block(inner, depth);
        }
        this.#emit(`${indent}}`);
        return;
      case 6:
        this.#emit(`${indent}switch (${this.#expression(2)} & 3) {`);
        for (let i = 0; i < 3; i++) {
          this.#emit(`${indent}case ${i}:`);
          this.#block(inner, depth);
          if (this.#random.below(3) > 0) this.#emit(`${inner}break;`);
        }
        this.#emit(`${indent}}`);
        return;
      case 7:
        this.#list(indent);
        return;
      case 8:
        if (this.#functions.length > 0 && depth === 3) {
          this.#emit(`${indent}mix(${this.#pick(this.#functions)}(${this.#expression(2)}, n));`);
          return;
        }
        this.#emit(`${indent}t = s; s.wide ^= t.wide >> 3; s.low = (int)(x & 7); s.high = -(int)(n & 63);`);
        return;
      case 9:
        this.#emit(
          `${indent}{ double d = (double)(${this.#expression(2)} & 0xfffff) * 0.75 + (double)s.real;`,
        );
        this.#emit(`${inner}s.real = (float)(d / 3.0); mix((uint64_t)d); }`);
        return;
      case 10:
        this.#emit(`${indent}{ struct pair *q = &pairs[${this.#expression(2)} & 7];`);
        this.#emit(
          `${inner}q->wide += ${this.#expression(2)}; q->tail[${this.#expression(1)} & 3] ^= n; pairs[n & 7] = *q;`,
        );
        this.#emit(
          `${inner}q->low = (int)(x & 15); pairs[3].wide ^= q->tail[1]; mix(pairs[x & 7].wide + (uint32_t)q->low); }`,
        );
        return;
      case 11:
        this.#emit(
          `${indent}for (int r = 0; r < 4; r++) for (int c = 7; c >= 0; c--) grid[r][c] = grid[r][c] * 3u + grid[3 - r][(c + ${this.#random.below(8)}) & 7] + (uint32_t)${this.#expression(1)};`,
        );
        this.#emit(
          `${indent}grid[${this.#expression(1)} & 3][5] ^= 9; mix(over(grid[n & 3], 8, x)); mix(grid[2][${this.#expression(1)} & 7]);`,
        );
        return;
      case 12:
        this.#text(indent);
        return;
      case 13:
        this.#vector(indent);
        return;
      case 14:
        this.#broken(indent);
        return;
      case 15:
        this.#emit(`${indent}for (uint64_t z = ${this.#expression(2)}, k = 0; z; z >>= 3) {`);
        this.#emit(
          `${inner}${this.#element()} += z; if (z & 1) continue; if (++k > 9) break; goto odd${this.#names};`,
        );
        this.#emit(`${inner}mix(1);\n${indent}odd${this.#names}: mix(z ^ k);\n${indent}}`);
        this.#names++;
        return;
      default:
        this.#loop(indent, depth);
    }
  }

  /** A string that is formatted into a buffer, read back, and walked. */
  #text(indent: string): void {
    const [b, c] = [this.#name('b'), this.#name('c')];
    this.#emit(
      `${indent}{ char ${b}[64]; int k = snprintf(${b}, sizeof ${b}, "%u:%s:%lx", (unsigned)n, ${b} == NULL ? "no" : "yes", (unsigned long)${this.#expression(2)});`,
    );
    this.#emit(
      `${indent}  mix((uint64_t)k); mix(strlen(${b})); for (char *${c} = ${b}; *${c}; ${c}++) mix((uint64_t)*${c});`,
    );
    this.#emit(
      `${indent}  char *end; mix(strtoul(${b}, &end, 10)); mix((uint64_t)(end - ${b})); strcpy(${b} + 2, strchr(end, 'y') ? "tail" : "none"); mix((uint64_t)${b}[5]); }`,
    );
  }

  /** An array that grows by realloc, is sorted, and freed. */
  #vector(indent: string): void {
    const [v, i] = [this.#name('v'), this.#name('i')];
    const length = 3 + this.#random.below(30);
    this.#emit(`${indent}{ uint32_t *${v} = NULL;`);
    this.#emit(
      `${indent}  for (uint32_t ${i} = 0; ${i} < ${length}; ${i}++) { ${v} = realloc(${v}, (${i} + 1) * sizeof *${v}); ${v}[${i}] = (uint32_t)${this.#expression(1)} * (${i} + 7); }`,
    );
    this.#emit(
      `${indent}  uint32_t *old = ${v}; mix(old[${length - 1}]); qsort(${v}, ${length}, sizeof *${v}, order); mix(over(${v}, ${length}, x)); ${v} = realloc(${v}, 4000);`,
    );
    this.#emit(`${indent}  if (BUG == ${this.#bugs.length + 1}) mix(old[1]);`);
    this.#bugs.push({ code: 'use-after-free', line: this.#lines.length });
    this.#emit(
      `${indent}  for (uint32_t ${i} = 0; ${i} < ${length}; ${i}++) mix(${v}[${i}]);\n${indent}  free(${v}); }`,
    );
  }

  /** One statement that can go wrong. */
  #broken(indent: string): void {
    const bug = `(BUG == ${this.#bugs.length + 1})`;
    const u = this.#name('u');
    const [code, statement] = this.#pick<readonly [string, string]>([
      [
        'use-after-scope',
        `{ uint32_t *${u}; { uint32_t own[4] = {n, 2, 3, (uint32_t)x}; ${u} = own; mix(${u}[n & 3]); if (!${bug}) ${u} = grid[1]; } mix(${u}[n & 3]); }`,
      ],
      ['uninitialized-read', `{ uint64_t ${u}; if (!${bug}) ${u} = ${this.#expression(2)}; mix(${u}); }`],
      [
        'signed-overflow',
        `mix((uint64_t)((int)((${this.#expression(2)} ^ n) & 255) + 1 + (${bug} ? INT_MAX : 0)));`,
      ],
      ['division-by-zero', `mix(${this.#expression(2)} / (uint64_t)(1 - ${bug}));`],
      ['global-buffer-overflow', `memset(grid[3], (int)(x & 255), sizeof grid[3] + ${bug});`],
      [
        'global-buffer-overflow',
        `for (size_t ${u} = 0; ${u} < 8 + ${bug}; ${u}++) grid[${this.#random.below(4)}][${u}] += n;`,
      ],
      [
        'global-buffer-overflow',
        `for (int ${u} = 0; ${u} <= 3 + ${bug}; ${u}++) pairs[${this.#expression(1)} & 7].tail[${u}] ^= x;`,
      ],
      [
        'stack-buffer-overflow',
        `{ struct { char text[8]; uint64_t next; } ${u} = {"", n}; strcpy(${u}.text, ${bug} ? "12345678" : "1234567"); mix(${u}.next); }`,
      ],
      ['null-dereference', `{ uint32_t *${u} = ${bug} ? NULL : grid[n & 3]; mix(${u}[x & 7]); }`],
    ]);
    this.#emit(`${indent}${statement}`);
    this.#bugs.push({ code, line: this.#lines.length });
  }

  #block(indent: string, depth: number): void {
    for (let i = 1 + this.#random.below(2); i > 0; i--) this.#statement(indent, depth - 1);
  }

  /**
   * A loop over an array, upwards or downwards, by index or by pointer: the monitor makes fast
   * copies of such loops.
   */
  #loop(indent: string, depth: number): void {
    const { name, length } = this.#pick(this.#stores);
    const bug = `(BUG == ${this.#bugs.length + 1})`;
    const i = this.#name('i');
    const value = this.#expression(2);
    const element = (index: string) => `${name}[${index}] = ${name}[${index}] * 5ul + ${value};`;
    const through = `*${i} = (*${i} + ${value}) ^ 1;`;
    const type = this.#pick(['uint8_t', 'int16_t', 'uint32_t', 'int', 'long', 'size_t']);
    const [head, access, tail = '}'] = this.#pick<readonly [string, string, string?]>([
      [`for (${type} ${i} = 0; ${i} < ${length} + ${bug}; ${i}++) {`, element(i)],
      [`for (${type} ${i} = 1, to = ${length} + 3 * ${bug}; ${i} < to; ${i} += 3) {`, element(i)],
      [`for (${type} ${i} = 0; ${i} <= ${length - 2} + ${bug}; ${i}++) {`, element(`${i} + 1`)],
      [`for (int ${i} = ${length - 1}; ${i} >= 0 - ${bug}; ${i}--) {`, element(i)],
      // The broken forms of these two count on below zero.
      [`for (size_t ${i} = ${length - 1}; ${i} >= 1 - ${bug}; ${i}--) {`, element(i)],
      [`for (uint32_t ${i} = ${length - 1}; ${i} >= 2 - ${bug}; ${i} -= 2) {`, element(i)],
      [
        `for (${type} ${i} = 0; ${i} < ${length / 4} + ${bug}; ${i}++)\n${indent}for (int j = 0; j < 4; j++) {`,
        element(`${i} * 4 + j`),
      ],
      [`{ ${type} ${i} = 0; do {`, element(i), `} while (++${i} < ${length} + ${bug}); }`],
      [
        `for (__typeof__(*${name}) *${i} = ${name}, *to = ${name} + ${length} + ${bug}; ${i} != to; ${i}++) {`,
        through,
      ],
      [`for (__typeof__(*${name}) *${i} = ${name} + ${length}; ${i}-- != ${name} - ${bug}; ) {`, through],
    ]);
    this.#emit(`${indent}${head}\n${indent}  ${access}`);
    this.#bugs.push({ code: `${kindOf(name, this.#stores)}-buffer-overflow`, line: this.#lines.length });
    if (this.#random.below(3) === 0) this.#block(`${indent}  `, Math.min(depth, 1));
    if (this.#random.below(4) === 0) this.#emit(`${indent}  if (x == 0x123456789abcdef) break;`);
    this.#emit(`${indent}${tail}`);
  }

  #list(indent: string): void {
    const [head, p] = [this.#name('l'), this.#name('p')];
    this.#emit(`${indent}struct node *${head} = NULL;`);
    this.#emit(`${indent}for (int i = 0; i < ${1 + this.#random.below(20)}; i++) {`);
    this.#emit(`${indent}  struct node *${p} = malloc(sizeof *${p});`);
    this.#emit(
      `${indent}  *${p} = (struct node){${head}, ${this.#expression(1)} + i}; ${head} = ${p};\n${indent}}`,
    );
    this.#emit(
      `${indent}while (${head}) { struct node *${p} = ${head}; ${head} = ${p}->next; mix(${p}->value); free(${p}); }`,
    );
  }

  #element(): string {
    const { name, length } = this.#pick(this.#stores);
    return `${name}[${this.#expression(1)} & ${length - 1}]`;
  }

  /** An expression of type uint64_t. */
  #expression(depth: number): string {
    if (depth === 0 || this.#random.below(5) === 0) {
      const leaf = this.#random.below(3);
      if (leaf === 0) return `${this.#random.below(0xffff)}u`;
      return leaf === 1 ? `(uint64_t)${this.#pick(this.#scalars)}` : `(uint64_t)${this.#elementOfLeaf()}`;
    }
    const [a, b] = [this.#expression(depth - 1), this.#expression(depth - 1)];
    const small = (e: string) => `(int32_t)(${e} & 0x7fff)`;
    return this.#pick([
      `((uint64_t)${a} ${this.#pick(['+', '-', '*', '^', '&', '|'])} ${b})`,
      `((uint64_t)${a} ${this.#pick(['<<', '>>'])} (${b} & 63))`,
      `((uint64_t)${a} ${this.#pick(['/', '%'])} (${b} | 1))`,
      `(uint64_t)(${small(a)} ${this.#pick(['+', '-', '*', '/', '%', '<', '=='])} (${small(b)} + 1))`,
      `(uint64_t)(${this.#pick(integers)})(${a})`,
      `(${a} > ${b} ? (uint64_t)${a} : ~(uint64_t)${b})`,
      `(uint64_t)((unsigned __int128)${a} * ${b} >> 40)`,
      `(uint64_t)__builtin_popcountll(${a})`,
    ]);
  }

  #elementOfLeaf(): string {
    const { name, length } = this.#pick(this.#stores);
    return `${name}[${this.#pick(['n', 'x'])} & ${length - 1}]`;
  }
}

/** Arrays of a function are the last two, the second of them on the heap. */
function kindOf(name: string, stores: readonly Store[]): string {
  if (name.startsWith('h')) return 'heap';
  return stores.findIndex(store => store.name === name) < 3 ? 'global' : 'stack';
}
