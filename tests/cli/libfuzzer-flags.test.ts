import { expect, test } from 'vitest';
import { libFuzzerFlags } from '../../src/cli/libfuzzer-flags.js';

test('flags of libFuzzer become options, and those of clang stay', () => {
  const given = [
    ...['-runs=100', '-max_total_time=5', '-max_len=64', '-seed=7', '-dict=words', '-merge=1'],
    ...['-minimize_crash=1', '-artifact_prefix=out/', '-jobs=3', '-only_ascii=1', '-detect_leaks=0'],
    ...['-std=c99', '-O2', '-DX=1'],
  ];
  expect(libFuzzerFlags(given)).toEqual({
    settings: {
      maxRuns: 100,
      maxTimeMs: 5000,
      maxLength: 64,
      seed: 7,
      dictionary: 'words',
      merge: true,
      minimizesCrash: true,
      artifactPrefix: 'out/',
      workers: 3,
      onlyAscii: true,
      findsLeaks: false,
    },
    ignored: [],
    clangFlags: ['-std=c99', '-O2', '-DX=1'],
  });
});

test('-1 runs, a time of 0 and a length of 0 mean unlimited', () => {
  expect(libFuzzerFlags(['-runs=-1', '-max_total_time=0', '-max_len=0']).settings).toEqual({});
});

test('flags without a meaning here are named, and values that are not numbers are rejected', () => {
  expect(libFuzzerFlags(['-timeout=5', '-rss_limit_mb=0']).ignored).toEqual([
    '-timeout=5',
    '-rss_limit_mb=0',
  ]);
  expect(() => libFuzzerFlags(['-runs=many'])).toThrow('-runs=many: not a number');
});
