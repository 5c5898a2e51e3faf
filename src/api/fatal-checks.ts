/** What ends a program at the first failed check of clang; see `check-flags.ts`. */
import { canGoOn, handlerNames } from '../findings/undefined-arithmetic.js';
import type { Module } from '../ir/model.js';
import { makeHandlersFatal } from '../passes/fatal-handlers.js';
import { innerBoundsHandlers } from '../passes/inner-array-handlers.js';

/** The handlers of clang's checks that have a variant which does not return. */
const returningHandlers: ReadonlySet<string> = new Set(
  [...handlerNames, ...innerBoundsHandlers]
    .flatMap(name => /^(.*)_abort$/.exec(name)?.[1] ?? [])
    .filter(canGoOn),
);

/** Replaces the handlers that return. */
export function makeChecksFatal(modules: readonly Module[]): void {
  for (const module of modules) makeHandlersFatal(module, returningHandlers);
}
