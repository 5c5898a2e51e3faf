import type { ViteUserConfig } from 'vitest/config';

/** The tests that take more than seconds: real programs, many generated cases, stress. */
const config: ViteUserConfig = {
  test: {
    globalSetup: ['tests/fresh-build.ts'],
    setupFiles: ['tests/confirm-unsat.ts'],
    env: { REDZONE_Z3_MILLISECONDS: '60000' },
    include: ['src/**/*.long.test.ts', 'tests/**/*.long.test.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
    // Of those that a file runs at once: each may be a compiler.
    maxConcurrency: 2,
  },
};

export default config;
