/**
 * The golden programs of `check` under `explore`: what one engine finds the other finds too, at the
 * same line.
 *
 * A program with many cases chooses one by its first argument. Made symbolic, that argument leads
 * to all of them in one exploration.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explore } from '../../src/index.js';
import { filesBelow } from '../../src/platform/files.js';
import { parseGolden } from '../golden-runner/annotations.js';

const root = join(import.meta.dirname, '..');

export const goldenFiles: readonly string[] = ['golden', 'templist'].flatMap(folder =>
  filesBelow(join(root, folder))
    // Annotations are checked by `check` alone; schedules are explored by `threads.test.ts`.
    .filter(file => file.endsWith('.c') && !/^(?:acsl-|threads\.)/.test(file))
    .map(file => `${folder}/${file}`),
);

/**
 * What was found and what the program expects, as `code:line`. A path ends with its first error, as
 * a run of `check` does.
 */
export async function compareGolden(file: string): Promise<{ found: string[]; expected: string[] }> {
  const path = join(root, file);
  const program = parseGolden(readFileSync(path, 'utf8'));
  const isOneOfMany = program.cases !== undefined && !file.endsWith('.fixed.c');
  const { findings } = await explore({
    inputs: [path],
    clangFlags: program.flags,
    arguments: program.args,
    taint: program.taint,
    secret: program.secret,
    checks: program.checks,
    ...(isOneOfMany ? { symArgs: { min: 1, max: 1, bytes: 2 } } : {}),
  });
  const errors = program.expectations.filter(
    ({ kind, engine }) => kind === 'ERROR' && (engine === undefined || engine === 'explore'),
  );
  // A tainted value at a sink does not end a path.
  const met = isOneOfMany || program.taint !== undefined ? errors : errors.slice(0, 1);
  return {
    found: findings.map(({ code, location }) => `${code}:${location.line}`).sort(),
    expected: met.map(({ text, line }) => `${text}:${line}`).sort(),
  };
}
