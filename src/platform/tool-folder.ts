/**
 * A folder of commands that stands in front of `PATH`: scripts under the names that build files use
 * for the compiler, each of which starts one module of ours.
 */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shellWords } from '../support/shell-words.js';

export interface ToolFolder {
  readonly folder: string;
  /** Where processes leave their reports. */
  readonly reports: string;
  remove(): void;
}

/** Every script has the text of its command after `exec`. */
export function makeToolFolder(tools: Readonly<Record<string, readonly string[]>>): ToolFolder {
  const root = mkdtempSync(join(tmpdir(), 'redzone-run-'));
  for (const [name, words] of Object.entries(tools)) {
    const path = join(root, name);
    writeFileSync(path, `#!/bin/sh\nexec ${shellWords(words)} "$@"\n`);
    chmodSync(path, 0o755);
  }
  return {
    folder: root,
    reports: join(root, 'reports'),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** The texts of the files in a folder, the oldest first; none if there is no such folder. */
export function textsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .sort((a, b) => Number(a.replace(/^\d+-|\.json$/g, '')) - Number(b.replace(/^\d+-|\.json$/g, '')))
      .map(name => readFileSync(join(folder, name), 'utf8'));
  } catch {
    return [];
  }
}
