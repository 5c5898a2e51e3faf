import type { ViteUserConfig } from 'vitest/config';
import { longestFirst } from './tests/longest-first.js';

/** The tests that take more than seconds: real programs, many generated cases, stress. */
const config: ViteUserConfig = {
  test: {
    globalSetup: ['tests/fresh-build.ts', 'tests/left-out.ts'],
    setupFiles: ['tests/v8-flags.ts', 'tests/confirm-unsat.ts'],
    env: { REDZONE_VERIFY: '1', REDZONE_Z3_MILLISECONDS: '60000' },
    include: ['src/**/*.long.test.ts', 'tests/**/*.long.test.ts'],
    maxWorkers: '100%',
    // Each file has a thread of its own: in a thread that all files share, what they leave in the
    // heap adds up, and the last of them end at V8's limit of 4 GB. A compiler to start for each
    // file costs a second or two. The heap of each file is printed.
    pool: 'threads',
    isolate: true,
    logHeapUsage: true,
    sequence: {
      sequencer: longestFirst([
        'tests/random-programs.long.test.ts',
        'src/hashtable/interleaving/table-scenario.long.test.ts',
        'tests/fuzz/targets.long.test.ts',
        'tests/explore/scale.long.test.ts',
        'tests/csmith.long.test.ts',
        'tests/heap/real-programs.long.test.ts',
        'tests/real-programs.long.test.ts',
        'tests/libc/agreement.long.test.ts',
        'src/modelcheck/lfht.long.test.ts',
        'tests/check/real-programs.long.test.ts',
        'tests/check/stores.long.test.ts',
        'tests/explore/turns.long.test.ts',
        'tests/cc/projects.long.test.ts',
        'tests/clang-sanitizers.long.test.ts',
        'tests/emit/speeds.long.test.ts',
        'tests/mutants.long.test.ts',
        'tests/ir/mutation.long.test.ts',
        'tests/check/threads.long.test.ts',
        'tests/golden-cases.long.test.ts',
        'tests/explore/resume.long.test.ts',
        'tests/explore/journal.long.test.ts',
      ]),
    },
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
    // Of those that a file runs at once: each may be a compiler.
    maxConcurrency: 2,
  },
};

export default config;
