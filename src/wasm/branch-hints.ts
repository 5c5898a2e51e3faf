/**
 * Tells the engine which branches are hardly ever taken, in the section
 * `metadata.code.branch_hint`.
 *
 * A check of the monitor is a branch around a call of its slow path. Without a hint V8 takes both
 * ways for equally likely, and keeps the registers of a hot loop ready for the call: measured, that
 * doubles the price of a check. clang knows better but does not write the section, so it is made
 * here, from the shapes that checks have:
 *
 * ```
 *   block                            block                              if
 *     ...                              br_if 0   hint: 0, unlikely        call $slow        hint at `if`: 0, unlikely to be entered
 *     br_if 0     hint: 1, likely      ...                              end
 *     ...                              br 1
 *     call $slow                     end
 *   end                              call $slow
 * ```
 *
 * A branch is hinted when one of its two ways, and not the other, comes to a cold function before
 * it divides again. A call of `mark` says so where there is no such function, and is removed.
 *
 * Invariants: sections stay in order (hints precede the code to which they refer); a hint's place
 * is its offset from the start of the function's body, declarations of locals included.
 */

import {
  functionNames,
  importedFunctions,
  insertBeforeCode,
  isCustom,
  sectionId,
  sectionsOf,
} from './sections.js';
import { skipImmediates, skipLocals } from './skip-instruction.js';
import { ByteReader, ByteWriter } from './wasm-bytes.js';

const sectionName = 'metadata.code.branch_hint';

interface Hint {
  readonly offset: number;
  readonly isLikely: boolean;
}

/** A function without effects, and without arguments. */
export const mark = '__rz_seldom';

/** The binary with hints for all branches around calls of functions whose names are cold. */
export function addBranchHints(given: Uint8Array, isCold: (name: string) => boolean): Uint8Array {
  const binary = given.slice();
  const sections = sectionsOf(binary);
  const names = [...functionNames(binary, sections)];
  const cold = new Set(names.filter(([, name]) => name === mark || isCold(name)).map(([index]) => index));
  const marks = new Set(names.filter(([, name]) => name === mark).map(([index]) => index));
  const code = sections.find(section => section.id === sectionId.code);
  if (cold.size === 0 || code === undefined) return binary;
  const imported = importedFunctions(binary, sections).length;
  const hints = hintsOf(new ByteReader(binary, code.start, code.end), imported, { cold, marks });
  return insertBeforeCode(
    binary,
    sections.filter(section => !isCustom(binary, section, sectionName)),
    hints,
  );
}

/** The indices of functions. */
interface Seldom {
  readonly cold: ReadonlySet<number>;
  readonly marks: ReadonlySet<number>;
}

/** The content of the section. Removes the marks. */
function hintsOf(code: ByteReader, imported: number, seldom: Seldom): Uint8Array {
  const rows = new ByteWriter(1024);
  let hinted = 0;
  const bodies = code.u32();
  for (let i = 0; i < bodies; i++) {
    const size = code.u32();
    const body = new ByteReader(code.bytes, code.position, code.position + size);
    code.skip(size);
    const hints = bodyHints(body, seldom);
    if (hints.length === 0) continue;
    hinted++;
    rows.u32(imported + i);
    rows.u32(hints.length);
    for (const { offset, isLikely } of hints) {
      rows.u32(offset);
      rows.u32(1);
      rows.byte(isLikely ? 1 : 0);
    }
  }
  const out = new ByteWriter(rows.length + 64);
  out.sized(new TextEncoder().encode(sectionName));
  out.u32(hinted);
  out.append(rows.bytes);
  return out.bytes.slice();
}

interface Instruction {
  readonly offset: number;
  readonly opcode: number;
  /** For a branch, how many blocks it leaves; for a call, the function. */
  readonly operand: number;
  /**
   * For a branch to the end of a block, the instruction after that; for an `if`, the first
   * instruction of its `else`, or the one after its end.
   */
  target: number;
}

function bodyHints(body: ByteReader, { cold, marks }: Seldom): Hint[] {
  const start = body.position;
  const instructions = instructionsOf(body);
  const isCold = coldPlaces(instructions, cold);
  const hints: Hint[] = [];
  instructions.forEach(({ offset, opcode, target }, i) => {
    if (opcode !== brIf && opcode !== ifBegin) return;
    const goesOn = isCold[i + 1] === 1;
    const goesAway = target >= 0 && isCold[target] === 1;
    if (goesOn === goesAway) return;
    hints.push({ offset, isLikely: opcode === brIf ? goesOn : goesAway });
  });
  instructions.forEach(({ offset, opcode, operand }, i) => {
    if (opcode !== call || !marks.has(operand)) return;
    body.bytes.fill(nop, start + offset, start + instructions[i + 1]!.offset);
  });
  return hints;
}

const nop = 0x01;
const ifBegin = 0x04;
const elseBegin = 0x05;
const end = 0x0b;
const br = 0x0c;
const brIf = 0x0d;
const call = 0x10;
const loop = 0x03;

function instructionsOf(body: ByteReader): Instruction[] {
  const start = body.position;
  skipLocals(body);
  const instructions: Instruction[] = [];
  const open: { readonly opener: number; readonly leaving: Instruction[] }[] = [];
  while (!body.done) {
    const offset = body.position - start;
    const opcode = body.byte();
    const hasOperand = opcode === br || opcode === brIf || opcode === call;
    const operand = hasOperand ? new ByteReader(body.bytes, body.position, body.end).u32() : 0;
    const instruction: Instruction = { offset, opcode, operand, target: -1 };
    switch (opcode) {
      case 0x02: // block
      case loop:
      case ifBegin:
      case 0x06: // try
        open.push({ opener: instructions.length, leaving: [] });
        break;
      case elseBegin:
        instructions[open.at(-1)!.opener]!.target = instructions.length + 1;
        open.at(-1)!.leaving.push(instruction);
        break;
      case br:
      case brIf:
        open.at(-1 - operand)?.leaving.push(instruction);
        break;
      case end:
      case 0x18: {
        // delegate
        const block = open.pop();
        const opener = block && instructions[block.opener]!;
        const isLoop = opener?.opcode === loop;
        if (opener?.opcode === ifBegin && opener.target < 0) opener.target = instructions.length + 1;
        if (!isLoop) for (const branch of block?.leaving ?? []) branch.target = instructions.length + 1;
        break;
      }
    }
    instructions.push(instruction);
    skipImmediates(body, opcode);
  }
  return instructions;
}

/** For each instruction, whether a cold function is called from it on before the next branch. */
function coldPlaces(instructions: readonly Instruction[], cold: ReadonlySet<number>): Uint8Array {
  const isCold = new Uint8Array(instructions.length + 1);
  for (let i = instructions.length - 1; i >= 0; i--) {
    const { opcode, operand, target } = instructions[i]!;
    if (opcode === call && cold.has(operand)) isCold[i] = 1;
    else if (opcode === br || opcode === elseBegin) isCold[i] = target >= 0 ? isCold[target]! : 0;
    else if (!dividesOrEnds(opcode)) isCold[i] = isCold[i + 1]!;
  }
  return isCold;
}

function dividesOrEnds(opcode: number): boolean {
  // unreachable, loop, if, br_if, br_table, return
  return [0x00, loop, ifBegin, brIf, 0x0e, 0x0f].includes(opcode);
}
