/**
 * clang's flags for a program that is checked.
 *
 * They are the same for both engines, with and without `--keep-going` and suppressions, so all of
 * these share the IR that clang has made of a source. Its handlers return; for a run that ends at
 * the first error, `fatal-checks.ts` replaces them by those that do not.
 */
import { arithmeticFlags } from '../findings/undefined-arithmetic.js';
import { innerBoundsFlags } from '../passes/inner-array-handlers.js';

/** The flags of a program with these checks, its own among them. */
export function checkFlags(
  { arithmetic, bounds }: { readonly arithmetic: boolean; readonly bounds: boolean },
  given: readonly string[] = [],
): string[] {
  return [...(bounds ? innerBoundsFlags() : []), ...(arithmetic ? arithmeticFlags(given) : given)];
}
