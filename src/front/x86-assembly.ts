/**
 * The few x86 instructions that portable programs have in their sources, as C. Our target is no
 * x86, and clang refuses the constraints ("=a") whether or not the code ever runs.
 *
 * ```
 *   __asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
 *   do { …; unsigned long long __rz_t = __x86_ticks(); (lo) = …; (hi) = …; } while (0);
 * ```
 *
 * An assembly statement is found in the text, in macros too, so what stands in its place is text
 * that needs no headers. Known are: the empty statement with operands, fences, `pause`, `nop`,
 * `rdtsc`, `cpuid`, `xgetbv` and `bswap`. In any other, constraints that only x86 has become "r",
 * so that it compiles: the engines report it by its line when it is to be executed. A label
 * (`int f(void) asm("g")`) has no operands and is left as it is.
 *
 * Invariant: lines stay where they are, and a text without a statement of this kind is unchanged.
 *
 * Why not in the IR: clang gives none for such constraints. Why not headers: the statements are in
 * the users' files.
 */

import { bytesOfCharacters, charactersOf } from '../support/latin1.js';

/** The text with its statements replaced; the same array if there is nothing to replace. */
export function withPortableAssembly(bytes: Uint8Array): Uint8Array {
  const text = charactersOf(bytes);
  // Most files have none, and finding out takes a tenth of the time of reading the tokens.
  if (!keyword.test(text)) return bytes;
  const changed = replaceAssembly(text);
  return changed === text ? bytes : bytesOfCharacters(changed);
}

const keyword = /\b(?:asm|__asm__|__asm)\b/;
const literal = String.raw`"(?:[^"\\\n]|\\[^])*"`;
const comment = String.raw`\/\*[^]*?\*\/|\/\/[^\n]*`;
/** A comment or a literal, which may contain the keyword, or the keyword itself. */
const candidate = new RegExp(String.raw`${comment}|${literal}|'(?:[^'\\\n]|\\.)+'|${keyword.source}`, 'g');
const blank = String.raw`(?:\s|\\\r?\n|${comment})*`;
const opening = new RegExp(
  String.raw`(?:${blank}(?:volatile|__volatile__|__volatile|inline|__inline__|__inline))*${blank}\(`,
  'y',
);

const lineEnd = /\\?\r?\n/g;

export function replaceAssembly(text: string): string {
  let result = '';
  let done = 0;
  for (const match of text.matchAll(candidate)) {
    const start = match.index;
    if (start < done || !/^\w+$/.test(match[0])) continue;
    opening.lastIndex = start + match[0].length;
    const open = opening.exec(text);
    if (open === null) continue;
    const statement = readStatement(text, opening.lastIndex);
    if (statement === undefined) continue;
    const original = text.slice(start, statement.end);
    const code = translate(statement);
    const replaced =
      code === undefined
        ? withPortableConstraints(original, statement, start)
        : `${code.replace(lineEnd, ' ')}${original.match(lineEnd)?.join('') ?? ''}`;
    if (replaced === undefined) continue;
    result += text.slice(done, start) + replaced;
    done = statement.end;
  }
  return result + text.slice(done);
}

interface Operand {
  readonly name: string | undefined;
  readonly constraint: string;
  readonly expression: string;
}

interface Statement {
  /** Undefined if macros are part of it. */
  readonly template: string | undefined;
  readonly outputs: readonly Operand[];
  readonly inputs: readonly Operand[];
  /** Where the strings of constraints and clobbers are, in the text. */
  readonly constraints: readonly {
    readonly at: number;
    readonly isClobber: boolean;
    readonly text: string;
  }[];
  /** After the closing parenthesis. */
  readonly end: number;
}

const token = new RegExp(
  String.raw`${comment}|${literal}|'(?:[^'\\\n]|\\.)+'|[()\[\],:]|[^"'()\[\],:/]+|\/`,
  'y',
);

/**
 * Reads from after the opening parenthesis; undefined for a label, and for syntax that it does not
 * recognize.
 */
function readStatement(text: string, from: number): Statement | undefined {
  const sections: { at: number; text: string }[][] = [[]];
  let depth = 1;
  let at = from;
  while (depth > 0) {
    token.lastIndex = at;
    const found = token.exec(text)?.[0];
    if (found === undefined) return undefined;
    if (found === '(') depth++;
    if (found === ')') depth--;
    if (depth === 1 && found === ':') sections.push([]);
    else if (depth > 0 && !/^\/[/*]/.test(found)) sections.at(-1)!.push({ at, text: found });
    at += found.length;
  }
  const isString = ({ text: word }: { text: string }) => word.startsWith('"');
  const isSpace = ({ text: word }: { text: string }) => /^(\s|\\\r?\n)*$/.test(word);
  const [code = [], outputs = [], inputs = [], clobbers = []] = sections;
  const strings = code.filter(word => !isSpace(word));
  if (sections.length > 4) return undefined;
  const template = strings.every(isString)
    ? strings.map(({ text: word }) => stringOf(word)).join('')
    : undefined;
  const known = { template, end: at };
  if (sections.length === 1)
    return template !== undefined && isInstruction(template)
      ? { ...known, outputs: [], inputs: [], constraints: [] }
      : undefined;
  const [read, given] = [operandsOf(outputs), operandsOf(inputs)];
  if (read === undefined || given === undefined) return undefined;
  const constraints = [
    ...[...read, ...given].map(({ string }) => ({ ...string, isClobber: false })),
    ...clobbers.filter(isString).map(string => ({ ...string, isClobber: true })),
  ];
  return { ...known, outputs: read, inputs: given, constraints };
}

/** `[name] "constraint" (expression), …` */
function operandsOf(
  words: readonly { at: number; text: string }[],
): (Operand & { readonly string: { at: number; text: string } })[] | undefined {
  const operands: (Operand & { string: { at: number; text: string } })[] = [];
  const rest = words.filter(({ text }) => text.trim() !== '' && !/^(\\\r?\n|\s)+$/.test(text));
  while (rest.length > 0) {
    let name: string | undefined;
    if (rest[0]!.text === '[') {
      name = rest[1]?.text.trim();
      rest.splice(0, 3);
    }
    const string = rest.shift();
    if (!string?.text.startsWith('"') || rest.shift()?.text !== '(') return undefined;
    let expression = '';
    for (let depth = 1; ; ) {
      const word = rest.shift();
      if (word === undefined) return undefined;
      if (word.text === '(') depth++;
      if (word.text === ')' && --depth === 0) break;
      expression += word.text;
    }
    operands.push({ name, constraint: stringOf(string.text), expression, string });
    if (rest.length > 0 && rest.shift()!.text !== ',') return undefined;
  }
  return operands;
}

/** The characters of a string literal, as far as templates and constraints need it. */
function stringOf(text: string): string {
  return text
    .slice(1, -1)
    .replace(/\\\r?\n/g, '')
    .replace(/\\([nt])/g, '\n')
    .replace(/\\(.)/g, '$1');
}

/** One space between words, `; ` between instructions, registers without width. */
function normalForm(template: string): string {
  return template
    .toLowerCase()
    .split(/[\n;]/)
    .map(line => line.replace(/#.*/, '').trim().replace(/\s+/g, ' ').replace(/ ?, ?/g, ','))
    .filter(line => line !== '')
    .join('; ');
}

const fence =
  /^([lsm]fence|lock; (add|or)[lq]? \$0(x0)?,-?\d*\(%+[er]sp\)|lock (add|or)[lq]? \$0(x0)?,-?\d*\(%+[er]sp\))$/;
const nothing = /^(nop|pause|rep; nop|rep nop)?$/;
const ticks = /^((lfence|mfence); )?rdtscp?(; (lfence|mfence))?$/;
const joinedTicks = /^((lfence|mfence); )?rdtscp?; sh[lq]+ \$(32|0x20),%+rdx; orq? %+rdx,(%+rax|%0)$/;
/** Includes the instructions that save `ebx`, which position-independent code uses. */
const cpuid = /^((mov|xchg|push)[lq]? [^;]*bx[^;]*; )*cpuid(; (mov|xchg|pop)[lq]? [^;]*bx[^;]*)*$/;
const swapBytes = /^bswap[lq]? %[kq]?0$/;
const swapHalf = /^((ror|rol)w \$8,%w?0|xchgb %b0,%h0|xchgb %h0,%b0)$/;

function isInstruction(template: string): boolean {
  const code = normalForm(template);
  return code !== '' && (fence.test(code) || nothing.test(code));
}

const declarations =
  'extern unsigned long long __x86_ticks(void); extern void __x86_cpuid(unsigned, unsigned, unsigned *);';

/** The statement in C; undefined if it is not known. */
function translate({ template, outputs, inputs }: Statement): string | undefined {
  if (template === undefined) return undefined;
  const names = [...outputs, ...inputs];
  const code = normalForm(template).replace(/%([a-z]?)\[(\w+)\]/g, (whole, letter: string, name: string) => {
    const index = names.findIndex(operand => operand.name?.toLowerCase() === name);
    return index < 0 ? whole : `%${letter}${index}`;
  });
  const block = (...statements: string[]) => `do { ${statements.join(' ')} } while (0)`;
  /** The value for a register, or for the register of an output. */
  const valueIn = (letter: string): string | undefined => {
    const index = outputs.findIndex(({ constraint }) => constraint.includes(letter));
    const own = inputs.find(
      ({ constraint }) => constraint === letter || (index >= 0 && constraint === String(index)),
    );
    if (own !== undefined) return own.expression;
    return outputs[index]?.constraint.startsWith('+') ? outputs[index].expression : undefined;
  };
  if (fence.test(code)) return '__sync_synchronize()';
  if (nothing.test(code)) {
    const uses = inputs.map(({ constraint, expression }) => {
      const tied = outputs[Number.parseInt(constraint, 10)];
      return tied === undefined ? `(void)(${expression});` : `(${tied.expression}) = (${expression});`;
    });
    // A register whose arbitrary content the program reads.
    const isRead = outputs.some(
      ({ constraint }, index) =>
        constraint.startsWith('=') && !inputs.some(input => input.constraint === String(index)),
    );
    return isRead ? undefined : block(...uses);
  }
  if (ticks.test(code) || joinedTicks.test(code)) {
    const whole = joinedTicks.test(code);
    const parts = outputs.map(({ constraint, expression }) => {
      if (/A/.test(constraint) || whole) return `(${expression}) = __rz_t;`;
      if (/a/.test(constraint)) return `(${expression}) = (unsigned)__rz_t;`;
      return `(${expression}) = ${/d/.test(constraint) ? '(unsigned)(__rz_t >> 32)' : '0'};`;
    });
    return block(declarations, 'unsigned long long __rz_t = __x86_ticks();', ...parts);
  }
  if (cpuid.test(code) || code === 'xgetbv') {
    const registers = ['a', 'b', 'c', 'd'];
    const parts = outputs.map(({ constraint, expression }) => {
      const index = registers.findIndex(letter => constraint.includes(letter));
      return `(${expression}) = ${code === 'xgetbv' ? '0' : `__rz_r[${index < 0 ? 1 : index}]`};`;
    });
    const leaf = `__x86_cpuid(${valueIn('a') ?? '0'}, ${valueIn('c') ?? '0'}, __rz_r);`;
    return block(declarations, 'unsigned __rz_r[4];', ...(code === 'xgetbv' ? [] : [leaf]), ...parts);
  }
  if ((swapBytes.test(code) || swapHalf.test(code)) && outputs.length === 1) {
    const [{ constraint, expression }] = outputs as [Operand];
    const value = constraint.startsWith('+')
      ? expression
      : inputs.find(input => input.constraint === '0')?.expression;
    if (value === undefined) return undefined;
    const full = `sizeof(${expression}) == 8 ? __builtin_bswap64(${value}) : __builtin_bswap32(${value})`;
    return `((${expression}) = ${swapHalf.test(code) ? `__builtin_bswap16(${value})` : full})`;
  }
  return undefined;
}

/** Letters that mean the same to every target. */
const portable = /^[=+&%*,rmginXp0-9 ]*$/;

/** The statement with constraints that clang takes; undefined if it has no others. */
function withPortableConstraints(
  original: string,
  { constraints }: Statement,
  start: number,
): string | undefined {
  let result = original;
  // Replaces from the end, so that earlier offsets stay valid.
  for (const { at, text, isClobber } of constraints.toReversed()) {
    const value = text.slice(1, -1);
    const isFine = isClobber ? value === 'memory' || value === 'cc' : portable.test(value);
    if (isFine) continue;
    const kept = isClobber ? 'cc' : `${/^[=+]&?/.exec(value)?.[0] ?? ''}${/m/.test(value) ? 'm' : 'r'}`;
    const from = at - start;
    result = `${result.slice(0, from)}"${kept}"${result.slice(from + text.length)}`;
  }
  return result === original ? undefined : result;
}
