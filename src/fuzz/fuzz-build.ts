/**
 * How a program is built for fuzzing: linked with `runtime/fuzz`, and with stores that record what
 * they write.
 */
import { inputError } from '../findings/diagnostic.js';
import { trackWrites } from '../wasm/track-writes.js';
import { blockBits, countersStart, dirtyStart, state, stateStart } from './fuzz-memory.js';

/** The files of the runtime; `isTarget` says whether the program has LLVMFuzzerTestOneInput. */
export function fuzzFiles(isTarget: boolean): string[] {
  return ['/redzone/fuzz/fuzz.c', ...(isTarget ? ['/redzone/fuzz/target.c'] : [])];
}

export const fuzzExports: readonly string[] = [
  ...['mark_range', 'snapshot', 'restore', 'new_features', 'all_features', 'begin_run', 'room', 'one'].map(
    name => `__rz_fuzz_${name}`,
  ),
  ...['room', 'mutators', 'mutate', 'cross_over'].map(name => `__rz_target_${name}`),
  '__rz_live_blocks',
];

/** A function of `fuzz.c`, whose stores belong to the fuzzer. */
function isFuzzHelper(name: string): boolean {
  return name.startsWith('__rz_fuzz_');
}

/** A function that is rarely called at its call sites. */
export function isSeldomCalled(name: string): boolean {
  return /^__rz_fuzz_(mark|endless|compare)/.test(name);
}

export function remembersWrites(binary: Uint8Array): Uint8Array {
  return trackWrites(binary, {
    mark: '__rz_fuzz_mark',
    markRange: '__rz_fuzz_mark_range',
    dirty: dirtyStart,
    blockBits,
    isExempt: isFuzzHelper,
    refuse: tooLong,
    counters: {
      edge: '__rz_fuzz_edge',
      step: '__rz_fuzz_step',
      endless: '__rz_fuzz_endless',
      counters: countersStart,
      fuel: stateStart + 4 * state.fuel,
      compare: '__rz_fuzz_compare',
      isRecording: stateStart + 4 * state.is_recording,
    },
  });
}

function tooLong(name: string, bytes: number, most: number): never {
  throw inputError(
    `'${name}' is too long to be fuzzed: with its checks it takes ${bytes} bytes, of which V8 accepts ${most}`,
    'fewer checks (`--checks`) make it shorter, and so does a run without `--suppress`',
  );
}
