/**
 * Selects the functions that the engine optimises before they run, in the section
 * `compilationHints`.
 *
 * V8 first compiles a function with its baseline compiler, and optimises it once it has been called
 * often. It cannot switch in the middle of a call: a program whose `main` is one long loop would
 * run in baseline code to its end, four times slower. So a function with a loop is hinted to be
 * optimised at once. The others are optimised when they are called often.
 *
 * The optimising compiler is slow on long functions, and a long function with a loop is usually an
 * interpreter or a parser, which is called often: those are not hinted either. Nor are functions
 * that are known to be called often: a program that prints one line would spend a tenth of its time
 * on optimising them.
 *
 * In a program with a very long function, V8 optimises only hinted functions
 * (longest-optimised.ts). There, each function that is not long has a hint.
 *
 * A hint is a byte for each function: bits 0..1 when (0: as usual), 2..3 the first tier, 4..5 the
 * last (0: as usual, 2: optimised).
 */

import { longestOptimised } from '../support/longest-optimised.js';
import {
  functionNames,
  importedFunctions,
  insertBeforeCode,
  isCustom,
  longestFunction,
  sectionId,
  sectionsOf,
} from './sections.js';
import { skipImmediates, skipLocals } from './skip-instruction.js';
import { ByteReader, ByteWriter } from './wasm-bytes.js';

const sectionName = 'compilationHints';
const asUsual = 0;
const optimisedAtOnce = (2 << 2) | (2 << 4);
const loop = 0x03;

/** In bytes of wasm. */
const longestAtOnce = 20_000;
const longestAtFirstCall = 100_000;

/** `isCalledOften` is called with the names of functions. */
export function addTierHints(
  binary: Uint8Array,
  isCalledOften: (name: string) => boolean = () => false,
): Uint8Array {
  const sections = sectionsOf(binary);
  const code = sections.find(section => section.id === sectionId.code);
  if (code === undefined) return binary;
  const names = functionNames(binary, sections);
  let index = importedFunctions(binary, sections).length;
  const isTooLong = longestFunction(binary) > longestOptimised;
  const reader = new ByteReader(binary, code.start, code.end);
  const hints = new ByteWriter();
  hints.sized(new TextEncoder().encode(sectionName));
  const count = reader.u32();
  hints.u32(count);
  for (let left = count; left > 0; left--) {
    const size = reader.u32();
    const body = new ByteReader(binary, reader.position, reader.position + size);
    const isOften = isCalledOften(names.get(index++) ?? '');
    const isOptimised = isTooLong
      ? size <= longestAtFirstCall
      : size <= longestAtOnce && !isOften && hasLoop(body);
    hints.byte(isOptimised ? optimisedAtOnce : asUsual);
    reader.skip(size);
  }
  const kept = sections.filter(section => !isCustom(binary, section, sectionName));
  return insertBeforeCode(binary, kept, hints.bytes);
}

function hasLoop(body: ByteReader): boolean {
  skipLocals(body);
  while (!body.done) {
    const opcode = body.byte();
    if (opcode === loop) return true;
    skipImmediates(body, opcode);
  }
  return false;
}
