/**
 * The checks of a pointer by the monitor, as functions that a test can call: the inline
 * condition as `CheckBuilder` makes it, and the runtime's own functions, on a memory of 4 GiB in
 * which the test owns the blocks.
 */
import { join } from 'node:path';
import { sharedToolchain } from '../../src/api/shared-toolchain.js';
import { valueOrThrow } from '../../src/front/step-outcome.js';
import { Builder, makeBlock, makeFunction, makeModule } from '../../src/ir/builder.js';
import { readModule } from '../../src/ir/reader.js';
import { functionType, i1, ptr } from '../../src/ir/types.js';
import { writeModule } from '../../src/ir/writer.js';
import { CheckBuilder } from '../../src/monitor/instrument/checks.js';
import { memoryPages } from '../../src/monitor/memory-map.js';
import { assert } from '../../src/support/assert.js';
import { lowerMemory64 } from '../../src/wasm/lower.js';

export const widths = [1, 2, 4, 8, 16] as const;

export interface Runtime {
  own(address: number, bytes: number, number: number, written: number): void;
  initialize(address: number, bytes: number): void;
  /** Errors are counted in `reports`. */
  read(pointer: bigint, bytes: number): void;
  write(pointer: bigint, bytes: number): void;
  window(pointer: bigint, bytes: number, writes: number): bigint;
  readable(pointer: bigint, bytes: bigint): bigint;
  writable(pointer: bigint, bytes: bigint): bigint;
  /** Whether a range needs nothing but the answer. */
  isAccessible(pointer: bigint, bytes: bigint): number;
  isWritten(pointer: bigint, bytes: bigint): number;
  takesWrite(pointer: bigint, bytes: bigint): number;
  takesCopy(to: bigint, from: bigint, bytes: bigint): number;
}

export interface Question {
  readonly bytes: number;
  readonly align: number;
  readonly isStore: boolean;
  readonly isShadowAlone: boolean;
  readonly ask: (pointer: bigint) => boolean;
}

export interface Questions {
  readonly runtime: Runtime;
  readonly inline: readonly Question[];
  /** The second condition of an aligned access, which holds if its bytes are initialised. */
  readonly written: readonly Pick<Question, 'bytes' | 'isStore' | 'ask'>[];
  /** How many errors were reported so far. */
  readonly reports: () => number;
}

const driver = `
#include "report.h"
#include "check.c"
#include "window.c"
#include "range.c"
#include "partial.c"
#include "origins.c"
#include "store.c"
#include "trie.c"
#define EXPORT(name) __attribute__((export_name(#name)))
u32 __rz_next_count = 1, __rz_track_init = 1;
EXPORT(own) void own(u32 address, u32 bytes, u32 number, u32 written) { __rz_own(address, bytes, number, written); }
EXPORT(initialize) void initialize(u32 address, u32 bytes) { __rz_initialize(address, bytes); }
EXPORT(read) void read_(const void *p, u32 bytes) { __rz_read(p, bytes, 1); }
EXPORT(write) void write_(void *p, u32 bytes) { __rz_write(p, bytes, 1); }
EXPORT(window) u64 window_(const void *p, u32 bytes, u32 writes) { return __rz_window(p, bytes, writes); }
EXPORT(readable) u64 readable_(const void *p, u64 bytes) { return __rz_range_readable(p, bytes); }
EXPORT(writable) u64 writable_(const void *p, u64 bytes) { return __rz_range_allowed(p, bytes); }
EXPORT(isAccessible) u32 is_accessible(const void *p, u64 bytes) { return __rz_range_is_accessible(p, bytes); }
EXPORT(isWritten) u32 is_written_(const void *p, u64 bytes) { return __rz_range_is_written(p, bytes); }
EXPORT(takesWrite) u32 takes_write_(void *p, u64 bytes) { return __rz_range_takes_write(p, bytes); }
EXPORT(takesCopy) u32 takes_copy(void *d, const void *s, u64 bytes) { return __rz_range_takes_copy(d, s, bytes, 0); }
`;

export async function pointerQuestions(): Promise<Questions> {
  const toolchain = await sharedToolchain();
  const path = join(import.meta.dirname, '../../runtime/monitor/pointer-questions.c');
  const runtime = valueOrThrow(
    await toolchain.compileToIr({ path, content: new TextEncoder().encode(driver) }, { flags: ['-w'] }),
  );
  const { text, questions } = inlineQuestions(runtime);
  const objects = await toolchain.compileIrToObjects([runtime, text]);
  const names = questions.map(({ name }) => `--export=${name}`);
  const flags = ['--no-entry', '--stack-first', '--import-memory', '--initial-memory=4294967296', ...names];
  const binary = lowerMemory64(
    valueOrThrow(
      await toolchain.linkWasm(
        objects.map(object => valueOrThrow(object)),
        { flags },
      ),
    ),
  );
  const memory = new WebAssembly.Memory({ initial: memoryPages, maximum: memoryPages });
  const module = new WebAssembly.Module(binary as BufferSource);
  let reports = 0;
  const report = () => void reports++;
  const redzone = Object.fromEntries(WebAssembly.Module.imports(module).map(({ name }) => [name, report]));
  const { exports } = new WebAssembly.Instance(module, { env: { ...redzone, memory }, redzone });
  const asked = questions.map(({ name, ...question }) => ({
    ...question,
    ask: (pointer: bigint) => (exports[name] as (pointer: bigint) => number)(pointer) !== 0,
  }));
  const inline = asked.filter(({ kind }) => kind !== 'written');
  const written = asked.filter(({ kind }) => kind === 'written');
  return { runtime: exports as unknown as Runtime, inline, written, reports: () => reports };
}

function inlineQuestions(like: string) {
  const module = makeModule('questions.ll');
  const read = readModule(like, 'runtime.ll');
  assert(read.kind === 'module', 'what clang writes can be read');
  Object.assign(module, { dataLayout: read.module.dataLayout, triple: read.module.triple });
  const options = { id: '0', keepGoing: false, optimise: true, preAnalysis: true };
  const first = (['shadow', 'tags'] as const).flatMap(kind =>
    [false, true].flatMap(isStore =>
      widths.flatMap(bytes => [...new Set([1, bytes])].map(align => ({ bytes, align, isStore, kind }))),
    ),
  );
  const second = [false, true].flatMap(isStore =>
    [1, 2, 4].map(bytes => ({ bytes, align: bytes, isStore, kind: 'written' as const })),
  );
  const questions = [...first, ...second].map(question => {
    const { kind, isStore, bytes, align } = question;
    const name = `${kind}_${isStore ? 'store' : 'load'}_${bytes}_${align}`;
    return { ...question, name, isShadowAlone: kind === 'shadow' };
  });
  for (const { bytes, align, isStore, isShadowAlone, kind, name } of questions) {
    const checks = new CheckBuilder(module, { ...options, temporal: !isShadowAlone, init: !isShadowAlone });
    const target = makeFunction(name, functionType(i1, [ptr]));
    const block = makeBlock('entry');
    target.blocks = [block];
    const builder = new Builder(block.instructions);
    const access = { pointer: target.arguments[0]!, bytes, align, isStore };
    const isSecond = kind === 'written';
    builder.ret(isSecond ? checks.writtenCondition(builder, access) : checks.fastCondition(builder, access)!);
    module.functions.push(target);
  }
  return { text: writeModule(module), questions };
}
