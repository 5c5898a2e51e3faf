import type { ViteUserConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * These come first, one for each of two threads: they are the longest, and what they compile of the C library (with checks, and
 * without) the others then find in the cache instead of compiling it at the same time.
 */
const first = ['tests/golden.test.ts', 'tests/libc/standard.test.ts'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isFirst = ({ moduleId }: TestSpecification): boolean => first.some(file => moduleId.endsWith(file));
    const sorted = await super.sort(files);
    return [...sorted.filter(isFirst), ...sorted.filter(file => !isFirst(file))];
  }
}

const config: ViteUserConfig = {
  test: {
    globalSetup: ['tests/fresh-build.ts'],
    setupFiles: ['tests/confirm-unsat.ts'],
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    exclude: ['**/*.long.test.ts', '**/node_modules/**'],
    // The default leaves a core idle.
    maxWorkers: '100%',
    // Files share two threads of one process, and so two warm compilers with one machine code: a compiler for each file costs two
    // minutes of CPU in all, and a process for each thread half a minute.
    pool: 'threads',
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // The first test of a cold machine compiles the C library; a busy one takes minutes for it.
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
};

export default config;
