/**
 * Replaces calls of small functions by their bodies, in the finished binary.
 *
 * The passes that need to know functions are over by then: instrumented code stores its own call
 * stack, so findings are the same. Library members and parts of a program are compiled separately,
 * and V8 inlines by counts of calls in baseline code, in which functions with loops never run
 * (docs/decisions/0036), so `isspace` and `read16` would stay calls in the loops that need them
 * most.
 *
 * ```
 *   [a] [b]                          [a] [b]
 *   call $f            becomes       local.set $b'   local.set $a'      f's parameters and variables are
 *                                    i32.const 0     local.set $v'      variables of the caller
 *                                    block (result)
 *                                      ...                              f's body; `return` is `br` to the end
 *                                    end
 * ```
 *
 * Inlined are functions without loops and exception handlers: very small ones everywhere, small
 * ones where the call is in a loop. A caller grows at most to a multiple of its size.
 *
 * Invariants: no function is added or removed, and names and numbers stay as they are; a function
 * for which `isApart` holds is never inlined, because later passes look for calls of it.
 */
import { wasm } from './instruction-bytes.js';
import { functionNames, importedFunctions, type Section, sectionId, sectionsOf } from './sections.js';
import { skipImmediates } from './skip-instruction.js';
import { ByteReader, ByteWriter } from './wasm-bytes.js';
import { f32, f64, i32, i64, type ValueType } from './wasm-opcodes.js';

/** The longest bodies that are inlined, in bytes. A call with its arguments has about ten. */
const longestAnywhere = 24;
const longestInLoop = 160;

/** The largest number of parameters and variables of a function that is inlined. */
const mostVariables = 16;

/** By how many bytes a caller may grow, unless it is longer than that. */
const freeGrowth = 2_000;

/**
 * Functions of this size are not optimised at once (tier-hints.ts). A shorter one does not grow
 * beyond it, a longer one by a quarter.
 */
const longCaller = 20_000;

interface FunctionType {
  readonly parameters: readonly ValueType[];
  readonly results: readonly ValueType[];
}

interface Defined {
  readonly type: FunctionType;
  /** The types of its variables, parameters not included. */
  readonly variables: readonly ValueType[];
  /** Its instructions, with the final `end`. */
  readonly code: Uint8Array;
  readonly calls: ReadonlySet<number>;
  /** Whether it contains what prevents inlining, whatever its size. */
  readonly isFixed: boolean;
}

/** What is inserted for a call. */
type Inlined = Pick<Defined, 'type' | 'variables' | 'code'>;

export function inlineCalls(binary: Uint8Array, isApart: (name: string) => boolean): Uint8Array {
  const sections = sectionsOf(binary);
  const code = sections.find(({ id }) => id === sectionId.code);
  if (code === undefined) return binary;
  const imported = importedFunctions(binary, sections).length;
  const apart = new Set<number>();
  for (const [index, name] of functionNames(binary, sections)) if (isApart(name)) apart.add(index);
  const inliner = new Inliner(definedFunctions(binary, sections, code), imported, apart);
  const out = new ByteWriter(binary.length * 1.25);
  out.append(binary, 0, 8);
  for (const section of sections) {
    if (section !== code) {
      out.append(binary, section.head, section.end);
      continue;
    }
    out.byte(sectionId.code);
    out.sized(inliner.codeSection());
  }
  return out.bytes.slice();
}

class Inliner {
  readonly #inlined = new Map<number, Inlined | undefined>();

  constructor(
    private readonly functions: readonly Defined[],
    private readonly imported: number,
    private readonly apart: ReadonlySet<number>,
  ) {}

  codeSection(): Uint8Array {
    const out = new ByteWriter(1 << 16);
    out.u32(this.functions.length);
    for (const target of this.functions) {
      const { variables, code } = this.#expand(target);
      const body = new ByteWriter(code.length + 32);
      writeVariables(variables, body);
      body.append(code);
      out.sized(body.bytes);
    }
    return out.bytes;
  }

  /** What replaces a call of the function, or undefined if it stays a call. */
  #inlinedOf(index: number): Inlined | undefined {
    if (this.#inlined.has(index)) return this.#inlined.get(index);
    // A function that calls itself through others is not inlined into them.
    this.#inlined.set(index, undefined);
    const target = this.functions[index - this.imported];
    if (target === undefined || this.apart.has(index) || !mayBeInlined(target, index)) return undefined;
    const expanded = this.#expand(target);
    const inlined = isSmall(expanded) ? expanded : target;
    this.#inlined.set(index, inlined);
    return inlined;
  }

  /** The function with the bodies of those that it calls. */
  #expand(target: Defined): Inlined {
    if (![...target.calls].some(index => this.#inlinedOf(index) !== undefined)) return target;
    return new Expansion(target, index => this.#inlinedOf(index)).run();
  }
}

/** One function that is rewritten. */
class Expansion {
  readonly #out: ByteWriter;
  readonly #variables: ValueType[];
  /** The first variable of each function that is inlined here; its next call uses the same ones. */
  readonly #firstVariables = new Map<Inlined, number>();
  #growthLeft: number;

  constructor(
    private readonly target: Defined,
    private readonly inlinedOf: (index: number) => Inlined | undefined,
  ) {
    const { length } = target.code;
    this.#out = new ByteWriter(length * 2);
    this.#variables = [...target.variables];
    this.#growthLeft =
      length > longCaller ? length / 4 : Math.min(Math.max(freeGrowth, length), longCaller - length);
  }

  run(): Inlined {
    const { code, type } = this.target;
    const reader = new ByteReader(code);
    /** For each open block, whether it is a loop or in one. */
    const inLoop: boolean[] = [];
    let copied = 0;
    while (!reader.done) {
      const at = reader.position;
      const opcode = reader.byte();
      if (opcode === wasm.call) {
        const index = reader.u32();
        const inlined = this.inlinedOf(index);
        if (inlined === undefined || !this.#isWorth(inlined, inLoop.at(-1) === true)) continue;
        this.#out.append(code, copied, at);
        this.#insert(inlined);
        copied = reader.position;
        continue;
      }
      if (isOpener(opcode)) inLoop.push(opcode === wasm.loop || inLoop.at(-1) === true);
      else if (closes(opcode)) inLoop.pop();
      skipImmediates(reader, opcode);
    }
    this.#out.append(code, copied, code.length);
    return { type, variables: this.#variables, code: this.#out.bytes.slice() };
  }

  #isWorth({ code }: Inlined, isInLoop: boolean): boolean {
    return code.length <= (isInLoop ? longestInLoop : longestAnywhere) && code.length <= this.#growthLeft;
  }

  #insert(inlined: Inlined): void {
    const out = this.#out;
    const { type, variables } = inlined;
    const { length: parameters } = type.parameters;
    const first = this.#variablesOf(inlined);
    const before = out.length;
    for (let i = parameters - 1; i >= 0; i--) writeLocal(wasm.localSet, first + i, out);
    // Variables begin with zero, which matters if the call is made again.
    const written = writtenFirst(inlined);
    variables.forEach((variable, i) => {
      if (written.has(parameters + i)) return;
      writeZero(variable, out);
      writeLocal(wasm.localSet, first + parameters + i, out);
    });
    out.byte(wasm.block);
    out.byte(type.results[0] ?? 0x40);
    copyBody(inlined.code, first, out);
    this.#growthLeft -= out.length - before;
  }

  #variablesOf(inlined: Inlined): number {
    const known = this.#firstVariables.get(inlined);
    if (known !== undefined) return known;
    const first = this.target.type.parameters.length + this.#variables.length;
    this.#variables.push(...inlined.type.parameters, ...inlined.variables);
    this.#firstVariables.set(inlined, first);
    return first;
  }
}

/** Copies instructions with other numbers of variables. The last `end` is that of the block. */
function copyBody(code: Uint8Array, firstVariable: number, out: ByteWriter): void {
  const reader = new ByteReader(code);
  let copied = 0;
  let depth = 0;
  while (!reader.done) {
    const at = reader.position;
    const opcode = reader.byte();
    if (isAboutLocal(opcode)) {
      out.append(code, copied, at);
      writeLocal(opcode, firstVariable + reader.u32(), out);
      copied = reader.position;
      continue;
    }
    if (opcode === wasm.return) {
      out.append(code, copied, at);
      out.byte(wasm.br);
      out.u32(depth);
      copied = reader.position;
      continue;
    }
    if (isOpener(opcode)) depth++;
    else if (closes(opcode)) depth--;
    skipImmediates(reader, opcode);
  }
  out.append(code, copied, code.length);
}

/** The variables that are written before the first branch, and not read before. */
function writtenFirst({ code }: Inlined): ReadonlySet<number> {
  const written = new Set<number>();
  const read = new Set<number>();
  const reader = new ByteReader(code);
  while (!reader.done) {
    const opcode = reader.byte();
    if (isAboutLocal(opcode)) {
      const variable = reader.u32();
      if (opcode === wasm.localGet) read.add(variable);
      else if (!read.has(variable)) written.add(variable);
      continue;
    }
    if (isOpener(opcode) || closes(opcode) || (opcode >= wasm.br && opcode <= wasm.return)) break;
    skipImmediates(reader, opcode);
  }
  return written;
}

function mayBeInlined(target: Defined, index: number): boolean {
  return isSmall(target) && !target.isFixed && !target.calls.has(index);
}

function isSmall({ type, variables, code }: Inlined): boolean {
  return code.length <= longestInLoop && type.parameters.length + variables.length <= mostVariables;
}

function isAboutLocal(opcode: number): boolean {
  return opcode >= wasm.localGet && opcode <= wasm.localTee;
}

function isOpener(opcode: number): boolean {
  return opcode >= wasm.block && opcode <= wasm.if ? true : opcode === wasm.try;
}

const delegate = 0x18;

function closes(opcode: number): boolean {
  return opcode === wasm.end || opcode === delegate;
}

/** Loops, `try` and what belongs to it, and calls in place of a return. */
function preventsInlining(opcode: number): boolean {
  return (
    opcode === wasm.loop ||
    (opcode >= wasm.try && opcode <= 0x0a) ||
    (opcode >= 0x12 && opcode <= 0x19) ||
    opcode === 0x1f
  );
}

function definedFunctions(binary: Uint8Array, sections: readonly Section[], code: Section): Defined[] {
  const types = functionTypes(binary, sections);
  const declared = sections.find(({ id }) => id === sectionId.function)!;
  const typeNumbers = new ByteReader(binary, declared.start, declared.end);
  typeNumbers.u32();
  const reader = new ByteReader(binary, code.start, code.end);
  return Array.from({ length: reader.u32() }, () => {
    const size = reader.u32();
    const start = reader.position;
    reader.skip(size);
    return readFunction(new ByteReader(binary, start, start + size), types[typeNumbers.u32()]!);
  });
}

function readFunction(reader: ByteReader, type: FunctionType): Defined {
  const variables: ValueType[] = [];
  for (let groups = reader.u32(); groups > 0; groups--) {
    const count = reader.u32();
    const kind = reader.byte();
    for (let i = 0; i < count; i++) variables.push(kind);
  }
  const code = reader.bytes.subarray(reader.position, reader.end);
  const calls = new Set<number>();
  const hasOtherTypes = [...type.parameters, ...type.results, ...variables].some(each => !isNumber(each));
  let isFixed = hasOtherTypes || type.results.length > 1;
  while (!reader.done) {
    const opcode = reader.byte();
    if (preventsInlining(opcode)) isFixed = true;
    if (opcode === wasm.call) calls.add(reader.u32());
    else skipImmediates(reader, opcode);
  }
  return { type, variables, code, calls, isFixed };
}

function isNumber(type: ValueType): boolean {
  return type >= f64 && type <= i32;
}

function functionTypes(binary: Uint8Array, sections: readonly Section[]): FunctionType[] {
  const section = sections.find(({ id }) => id === sectionId.type)!;
  const reader = new ByteReader(binary, section.start, section.end);
  const list = (): ValueType[] => Array.from({ length: reader.u32() }, () => reader.byte());
  return Array.from({ length: reader.u32() }, () => {
    reader.byte();
    return { parameters: list(), results: list() };
  });
}

/** Declares variables, equal neighbours together. */
function writeVariables(variables: readonly ValueType[], out: ByteWriter): void {
  const groups: { type: ValueType; count: number }[] = [];
  for (const type of variables) {
    const last = groups.at(-1);
    if (last?.type === type) last.count++;
    else groups.push({ type, count: 1 });
  }
  out.u32(groups.length);
  for (const { type, count } of groups) {
    out.u32(count);
    out.byte(type);
  }
}

function writeLocal(opcode: number, index: number, out: ByteWriter): void {
  out.byte(opcode);
  out.u32(index);
}

function writeZero(type: ValueType, out: ByteWriter): void {
  switch (type) {
    case i32:
      out.byte(wasm.i32Const);
      out.byte(0);
      return;
    case i64:
      out.byte(wasm.i64Const);
      out.byte(0);
      return;
    case f32:
      out.byte(wasm.f32Const);
      out.append(new Uint8Array(4));
      return;
    default:
      out.byte(wasm.f64Const);
      out.append(new Uint8Array(8));
  }
}
