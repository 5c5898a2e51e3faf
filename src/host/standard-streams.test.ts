import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InheritedOutput } from './standard-streams.js';

test('an output records whether its last line is unfinished', () => {
  const folder = mkdtempSync(join(tmpdir(), 'redzone-output-'));
  const fd = openSync(join(folder, 'out'), 'w');
  const output = new InheritedOutput(fd);
  const write = (text: string): boolean => {
    const bytes = new TextEncoder().encode(`<${text}>`);
    output.write(bytes, 1, bytes.length - 2);
    return output.isLineOpen;
  };
  try {
    expect(['', 'a', '', 'b\n', '', 'c\nd', '\n'].map(write)).toEqual([
      false,
      true,
      true,
      false,
      false,
      true,
      false,
    ]);
    expect(readFileSync(join(folder, 'out'), 'utf8')).toBe('ab\nc\nd\n');
    expect(output.isTerminal).toBe(false);
  } finally {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  }
});
