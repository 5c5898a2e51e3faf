/**
 * Whole programs about streams, files and folders: natively, on the model, and on the real host.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RealHost } from '../../src/host/real-host.js';
import { bytesInput, CapturedOutput } from '../../src/host/standard-streams.js';
import { build, hasGcc, nativeRun, run, runOn } from './harness.js';

const programs = ['stdio', 'files', 'wide', 'process', 'linux'].map(name => ({
  name,
  source: readFileSync(join(import.meta.dirname, `programs/${name}.c`), 'utf8'),
}));
const stdin = 'word next\nsecond line\n';

describe.runIf(hasGcc).each(programs)('$name', ({ source }) => {
  const native = () => nativeRun(source, { stdin });

  test('behaves on the modelled host as natively', async () => {
    const here = run(await build(source), { stdin });
    expect(here.reason).toBe('');
    expect(here.stdout).toBe(native().stdout);
    expect(here.stderr).toBe(native().stderr);
  });

  test('behaves in a real folder as natively', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'redzone-io-'));
    const [stdout, stderr] = [new CapturedOutput(), new CapturedOutput()];
    const input = bytesInput(new TextEncoder().encode(stdin));
    const host = new RealHost({ folders: [folder], arguments: ['program'], stdin: input, stdout, stderr });
    try {
      const { reason } = runOn(await build(source), host);
      expect(reason).toBe('');
      expect(stdout.text()).toBe(native().stdout);
      expect(stderr.text()).toBe(native().stderr);
      if (readdirSync(folder).includes('map')) {
        expect(readFileSync(join(folder, 'map'), 'utf8')).toBe('SHXrYd memor!');
      }
    } finally {
      host.dispose();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
