/** Shared by the subcommands of `heap`. */

import type { Given } from '../options/schema.js';
import type { resultFile } from '../options/shared.js';
import { closestTo } from '../support/closest.js';
import type { Io } from './io.js';
import { writeTo } from './print.js';
import { UsageError } from './usage-error.js';

export function unknownName(what: string, name: string, known: readonly string[]): UsageError {
  const guess = closestTo(name, known);
  return new UsageError(
    `there is no ${what} '${name}'`,
    guess === undefined ? `the ${what}s are ${known.join(', ')}` : `did you mean ${guess}?`,
  );
}

/** Writes to the file that `-o` names, or to standard output. */
export function printResult(
  { output, io }: { readonly output: Given<typeof resultFile>; readonly io: Io },
  text: string,
): void {
  if (output.outFile === undefined) io.stdout.write(text);
  else writeTo(output.outFile, text);
}
