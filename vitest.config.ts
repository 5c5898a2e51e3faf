import type { ViteUserConfig } from 'vitest/config';
import { longestFirst } from './tests/longest-first.js';

/**
 * These come first, one for each of two threads: they are the longest, and what they compile of the
 * C library (with checks, and without) the others then find in the cache instead of compiling it at
 * the same time.
 */
const first = ['tests/golden.test.ts', 'tests/libc/standard.test.ts'];

const config: ViteUserConfig = {
  test: {
    globalSetup: ['tests/fresh-build.ts', 'tests/left-out.ts'],
    // What our passes make is verified before clang or the explorer gets it.
    env: { REDZONE_VERIFY: '1' },
    setupFiles: ['tests/v8-flags.ts', 'tests/confirm-unsat.ts'],
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    exclude: ['**/*.long.test.ts', '**/node_modules/**'],
    // The default leaves a core idle.
    maxWorkers: '100%',
    // Files share two threads of one process, and so two warm compilers with one machine code: a
    // compiler for each file costs two minutes of CPU in all, and a process for each thread half a
    // minute.
    pool: 'threads',
    isolate: false,
    sequence: { sequencer: longestFirst(first) },
    // The first test of a cold machine compiles the C library; a busy one takes minutes for it.
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
};

export default config;
