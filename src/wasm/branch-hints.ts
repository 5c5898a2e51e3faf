/**
 * Tells the engine which branches are hardly ever taken, in the section `metadata.code.branch_hint`.
 *
 * A check of the monitor is a branch around a call of its slow path. Without a hint V8 takes both ways for equally likely, and
 * keeps the registers of a hot loop ready for the call: measured, that doubles the price of a check. clang knows better but
 * does not write the section, so it is made here, from the shape that all checks have:
 *
 * ```
 *   block                            if
 *     ...                              call $slow        hint at `if`: 0, unlikely to be entered
 *     br_if 0     hint: 1, likely    end
 *     ...
 *     call $slow
 *   end
 * ```
 *
 * A branch is hinted when the region that it skips calls a cold function without further branching in between.
 *
 * Invariants: sections stay in order (hints precede the code they speak of); a hint's place is its offset from the start of
 * the function's body, declarations of locals included.
 */
import { ByteReader, ByteWriter } from './bytes.js';
import { codeSection, functionNames, insertBeforeCode, isCustom, sectionsOf } from './sections.js';
import { skipImmediates, skipLocals } from './skip-instruction.js';

const sectionName = 'metadata.code.branch_hint';
const importSection = 2;

interface Hint {
  readonly offset: number;
  readonly isLikely: boolean;
}

/** The binary with hints for all branches around calls of functions whose names are cold. */
export function addBranchHints(binary: Uint8Array, isCold: (name: string) => boolean): Uint8Array {
  const sections = sectionsOf(binary);
  const cold = new Set(
    [...functionNames(binary, sections)].filter(([, name]) => isCold(name)).map(([index]) => index),
  );
  const code = sections.find(section => section.id === codeSection);
  if (cold.size === 0 || code === undefined) return binary;
  const imported = importedFunctions(
    binary,
    sections.find(section => section.id === importSection),
  );
  const hints = hintsOf(new ByteReader(binary, code.start, code.end), imported, cold);
  return insertBeforeCode(
    binary,
    sections.filter(section => !isCustom(binary, section, sectionName)),
    hints,
  );
}

function importedFunctions(binary: Uint8Array, section: { start: number; end: number } | undefined): number {
  if (section === undefined) return 0;
  const reader = new ByteReader(binary, section.start, section.end);
  let functions = 0;
  for (let left = reader.u32(); left > 0; left--) {
    reader.skip(reader.u32());
    reader.skip(reader.u32());
    const kind = reader.byte();
    if (kind === 0) functions++;
    if (kind === 0) reader.skipLeb();
    else if (kind === 3) reader.skip(2);
    else if (kind === 4) reader.skip(1 + lebLength(reader));
    else {
      if (kind === 1) reader.skip(1);
      const hasMaximum = reader.byte() & 1;
      reader.skipLeb();
      if (hasMaximum) reader.skipLeb();
    }
  }
  return functions;
}

function lebLength(reader: ByteReader): number {
  let length = 1;
  while (reader.bytes[reader.position + length]! & 0x80) length++;
  return length;
}

/** The content of the section. */
function hintsOf(code: ByteReader, imported: number, cold: ReadonlySet<number>): Uint8Array {
  const rows = new ByteWriter(1024);
  let hinted = 0;
  const bodies = code.u32();
  for (let i = 0; i < bodies; i++) {
    const size = code.u32();
    const body = new ByteReader(code.bytes, code.position, code.position + size);
    code.skip(size);
    const hints = bodyHints(body, cold);
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

/** A branch that may turn out to skip a cold call. */
interface Candidate extends Hint {
  /** The nesting of blocks in which the skipped region lies. */
  readonly depth: number;
}

function bodyHints(body: ByteReader, cold: ReadonlySet<number>): Hint[] {
  const start = body.position;
  skipLocals(body);
  const hints: Hint[] = [];
  let candidates: Candidate[] = [];
  let depth = 0;
  while (!body.done) {
    const offset = body.position - start;
    const opcode = body.byte();
    switch (opcode) {
      case 0x04: // if
        depth++;
        candidates.push({ offset, isLikely: false, depth });
        break;
      case 0x02: // block
      case 0x03: // loop
      case 0x06: // try
        depth++;
        break;
      case 0x05: // else
      case 0x0b: // end
        candidates = candidates.filter(candidate => candidate.depth < depth);
        if (opcode === 0x0b) depth--;
        break;
      case 0x18: // delegate
        depth--;
        break;
      case 0x0d: // br_if
        if (body.bytes[body.position] === 0) candidates.push({ offset, isLikely: true, depth });
        break;
      case 0x10: // call
        if (cold.has(new ByteReader(body.bytes, body.position, body.end).u32())) {
          const hinted = candidates.filter(candidate => candidate.depth === depth);
          hints.push(...hinted);
          candidates = candidates.filter(candidate => candidate.depth !== depth);
        }
        break;
    }
    skipImmediates(body, opcode);
  }
  return hints.sort((a, b) => a.offset - b.offset);
}
