/**
 * Compiles what most programs need of the C library into `dist/library`, when Redzone is installed
 * or packed: otherwise the first check on a machine would wait for it. What else a program needs is
 * compiled with it and kept in the user's cache. Beside it lies the machine code that V8 makes of
 * clang's front end while that compiles the library (`platform/trusted-wasm.ts`).
 */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

const folder = 'dist/library';
rmSync(folder, { recursive: true, force: true });

/**
 * Whether the command did its work.
 * @param {string[]} args
 * @param {Record<string, string>} variables
 */
function redzone(args, variables = {}) {
  const child = spawn(process.execPath, ['bin/redzone.js', ...args], {
    env: { ...process.env, REDZONE_CACHE: folder, ...variables },
    stdio: 'ignore',
  });
  return new Promise(resolve => child.once('close', status => resolve(status === 0)));
}

// One after the other: the first two build most of what the others need. A program that continues
// after errors has other checks in the library. Exploring runs only clang's front end; the code of
// the optimiser would be twice as large, and is not needed for quick builds.
const program = 'scripts/common-functions.c';
const isDone =
  (await redzone(['explore', program, '-o', `${folder}/explored`], {
    REDZONE_CLANG_CODE: `${folder}/clang-code`,
  })) &&
  (await redzone(['check', program])) &&
  (await redzone(['check', '--keep-going', program]));
rmSync(`${folder}/explored`, { recursive: true, force: true });
if (!isDone)
  console.error('the C library was not compiled in advance: the first check will take some seconds longer');
