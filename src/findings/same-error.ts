/**
 * Decides which findings are the same error. An error is reported once, however many executions or
 * paths reach it.
 *
 * Findings are the same error if they have the same code and location, and the same access (read or
 * write) to objects of one origin: a variable, or an allocation site together with the site of the
 * free. So a `memcpy` that reads past one array and writes past another is two errors, and a loop
 * over a thousand blocks of one site is one. All of these are positions in the program text, so
 * their number is bounded, whatever the inputs. The size of an access and its distance from the
 * object are ignored, because they differ from input to input.
 *
 * One line may exceed several limits of `--budget`.
 *
 * Leaked blocks are distinguished by the whole stack of their allocation, because many programs
 * allocate through a wrapper; the depth of a recursion and frames of the library are ignored.
 */
import { formatLocation } from './diagnostic.js';
import { type Finding, isInLibrary, ownFrame, type Stack } from './finding.js';

/** The same for findings that are the same error. */
export function errorKey({ code, location, stack, access, object, budget }: Finding): string {
  return JSON.stringify([
    code,
    formatLocation(location),
    access?.kind,
    object?.kind,
    object?.name,
    siteOf(object?.allocated),
    siteOf(object?.freed),
    budget?.resource,
    code === 'memory-leak' ? leakKey(stack) : undefined,
  ]);
}

/** The same for allocations whose blocks are one leak. */
export function leakKey(stack: Stack): string {
  const frames = stack.filter(frame => !isInLibrary(frame)).map(formatLocation);
  return [...new Set(frames)].join(' ');
}

function siteOf(stack: Stack = []): string | undefined {
  const site = ownFrame(stack);
  return site && formatLocation(site);
}
