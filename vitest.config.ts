import type { ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = {
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    exclude: ['**/*.long.test.ts', '**/node_modules/**'],
    // The default leaves a core idle.
    maxWorkers: '100%',
    // Files share two processes, and so two warm compilers: a compiler for each file costs two minutes of CPU in all.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
};

export default config;
