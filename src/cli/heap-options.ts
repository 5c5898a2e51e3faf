/** What the subcommands of `heap` have in common. */
import { isMallocName, type MallocName, mallocNames } from '../index.js';
import { closestTo } from '../support/closest.js';
import { UsageError } from './arguments.js';
import type { Invocation } from './invocation.js';
import type { ParsedOptions } from './option-table.js';
import { writeTo } from './print.js';

/** The mallocs that `--malloc` lists, each once; undefined without it. */
export function mallocsOf({ mallocs }: ParsedOptions): readonly MallocName[] | undefined {
  if (mallocs === undefined) return undefined;
  const names = mallocs.split(',').map(name => {
    if (isMallocName(name)) return name;
    throw unknownName('malloc', name, mallocNames);
  });
  return [...new Set(names)];
}

export function unknownName(what: string, name: string, known: readonly string[]): UsageError {
  const guess = closestTo(name, known);
  return new UsageError(
    `there is no ${what} '${name}'`,
    guess === undefined ? `the ${what}s are ${known.join(', ')}` : `did you mean ${guess}?`,
  );
}

/** Where `-o` says, or on standard output. */
export function printResult({ options, io }: Invocation, text: string): void {
  if (options.outFile === undefined) io.stdout.write(text);
  else writeTo(options.outFile, text);
}
