import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFileAtomically, writeNewFile } from './files.js';

test('writing creates missing folders', () => {
  const folder = mkdtempSync(join(tmpdir(), 'redzone-files-'));
  try {
    for (const write of [writeFileAtomically, writeNewFile]) {
      const path = join(folder, write.name, 'b', 'c');
      write(path, Uint8Array.of(1));
      expect([...readFileSync(path)]).toEqual([1]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('writing where no folder can be created fails, and ends', () => {
  for (const write of [writeFileAtomically, writeNewFile])
    expect(() => write('/proc/self/no-such-folder/file', Uint8Array.of(1))).toThrow();
});
