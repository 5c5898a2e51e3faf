/**
 * Raw code of the C library keeps to its side of the border (`runtime/libc/internal/raw.h`): it
 * calls raw code, states ranges, and calls checked code that is known to take what it passes.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { libraryFlags, libraryMembers, memberPath } from '../../src/front/library.js';
import { valueOrThrow } from '../../src/front/step-outcome.js';
import { Toolchain } from '../../src/front/toolchain.js';
import type { IrFunction } from '../../src/ir/model.js';
import { readModule } from '../../src/ir/reader.js';
import { isRaw } from '../../src/monitor/instrument/raw-functions.js';
import { packageRoot } from '../../src/platform/node.js';

/** Checked code that raw code may call with text of its own: it stores the text, or a copy. */
const takeOwnText = ['__rz_store_own', '__rz_write_own_bytes', 'write_copy'];
/**
 * Checked code that raw code calls with pointers that the program gave it, or with none; so are the
 * functions `store_*`, which store one value for the program.
 */
const takeKnownPointers = [
  '__errno_location',
  '__rz_write_bytes',
  'byte_at',
  'bytes_of_characters',
  'compare_plainly',
  'compare_with',
  'decode',
  'encode',
  'encode_character',
  'encoded_length',
  'fgetc',
  'free',
  'is_illegal',
  'is_without_form',
  'iswspace',
  'malloc',
  'memcpy',
  'realloc',
  'strerror',
  'ungetc',
];
const allowed = new Set([...takeOwnText, ...takeKnownPointers]);
/** Arithmetic on words (`words.h`), which needs no checks. */
const arithmetic = ['__rz_zero_bytes', '__rz_first_byte', '__rz_bytes_before'];
const isSilent = ({ name }: IrFunction): boolean =>
  /^(llvm\.|__rz_raw_)/.test(name) || arithmetic.includes(name);

const members = libraryMembers().filter(member =>
  readFileSync(`${packageRoot}runtime/${member}`, 'utf8').match(
    /RZ_RAW_BEGIN|parse-integer\.h|^[^/*]*__rz_raw_\w+\([^;]*\{/m,
  ),
);

test('raw code calls raw code', async () => {
  const toolchain = new Toolchain();
  try {
    const outcomes = await toolchain.compileRuntime(members.map(memberPath), {
      flags: libraryFlags('engine'),
    });
    const defined = outcomes.flatMap((outcome, i) => {
      const read = readModule(valueOrThrow(outcome), members[i]!);
      return read.kind === 'module' ? read.module.functions.filter(({ blocks }) => blocks.length > 0) : [];
    });
    const raw = defined.filter(target => isRaw(target, true));
    const names = new Set(raw.filter(({ linkage }) => linkage !== 'internal').map(({ name }) => name));
    const calls = raw.flatMap(({ name, blocks }) =>
      blocks.flatMap(({ instructions }) =>
        instructions.flatMap(each =>
          each.op === 'call' && each.callee.kind === 'function' ? [{ from: name, callee: each.callee }] : [],
        ),
      ),
    );
    const isAllowed = (callee: IrFunction): boolean =>
      raw.includes(callee) ||
      names.has(callee.name) ||
      allowed.has(callee.name) ||
      isSilent(callee) ||
      /^(__rz_range_|store_)/.test(callee.name);
    const wrong = calls.filter(({ callee }) => !isAllowed(callee));
    expect(wrong.map(({ from, callee }) => `${from} calls ${callee.name}`)).toEqual([]);
    // Calls of these store no site (`needsSlot` of instrument/range-questions.ts).
    const loops = calls.filter(({ from }) => from.startsWith('__rz_raw_'));
    const reporting = loops.filter(({ callee }) => !isSilent(callee));
    expect(reporting.map(({ from, callee }) => `${from} calls ${callee.name}`)).toEqual([]);
    expect(loops.map(({ from }) => from)).toContain('__rz_raw_find');
    expect(names).toContain('__rz_decimal_digits');
    expect(raw.map(({ name }) => name)).toContain('read_directive');
  } finally {
    await toolchain.close();
  }
});
