/**
 * Prints at the end of a run what was left out for lack of a tool (`optional-tools.ts`), each line
 * once.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'redzone-left-out-'));
  const file = join(folder, 'lines');
  process.env.REDZONE_LEFT_OUT = file;
  return () => {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
    rmSync(folder, { recursive: true });
    const told =
      lines.length === 0 ? ['nothing was left out for lack of a tool'] : [...new Set(lines)].sort();
    console.log(`\n${told.join('\n')}`);
  };
}
