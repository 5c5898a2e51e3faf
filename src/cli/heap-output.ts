/** Shared by the subcommands of `heap`. */
import { closestTo } from '../support/closest.js';
import { UsageError } from './usage-error.js';

export function unknownName(what: string, name: string, known: readonly string[]): UsageError {
  const guess = closestTo(name, known);
  return new UsageError(
    `there is no ${what} '${name}'`,
    guess === undefined ? `the ${what}s are ${known.join(', ')}` : `did you mean ${guess}?`,
  );
}
