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

test('-1 runs, no time and no length are no limits', () => {
  expect(libFuzzerFlags(['-runs=-1', '-max_total_time=0', '-max_len=0']).settings).toEqual({});
});

test('what has no meaning here is named, what is no number is refused', () => {
  expect(libFuzzerFlags(['-timeout=5', '-rss_limit_mb=0']).ignored).toEqual([
    '-timeout=5',
    '-rss_limit_mb=0',
  ]);
  expect(() => libFuzzerFlags(['-runs=many'])).toThrow('-runs=many: not a number');
});
