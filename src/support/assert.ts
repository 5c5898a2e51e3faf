/**
 * Internal errors: the way to report a defect of Redzone itself.
 *
 * An InternalError is never a user's mistake and never a finding: the command line prints it with
 * what to report and exits 125. Bad input is described by data (see `findings`), expected outcomes
 * by unions.
 */
export class InternalError extends Error {
  override readonly name = 'InternalError';
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InternalError(message);
}

/**
 * Ends a `switch` over a union: the compiler proves that it cannot be reached; if it is reached
 * nevertheless, it throws.
 */
export function unreachable(value: never): never {
  throw new InternalError(`unexpected ${JSON.stringify(value)}`);
}
