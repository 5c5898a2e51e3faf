/**
 * Which findings are one error to the person who has to mend it: it is reported once, however often
 * a run or however many paths come to it.
 *
 * One error has one code, is at one place of the program, and does the same (reads or writes) to
 * objects of one place: a variable, a site of allocation, and the site that freed them. So a
 * `memcpy` that reads past one array and writes past another is two errors, and a loop that runs
 * over a thousand blocks of one site is one. All of this is text of the program, so there are no
 * more of them than it has places, whatever the inputs. The bytes of an access and its distance
 * from the object are left out: they differ from input to input.
 *
 * Leaked blocks are distinguished by the whole stack of their allocation, since that is mostly in a
 * function that others call for it; how often a function called itself is all the same.
 */
import { formatLocation } from './diagnostic.js';
import { type Finding, ownFrame, type Stack } from './finding.js';

/** Equal for findings that are one error. */
export function errorKey({ code, location, stack, access, object }: Finding): string {
  const callers = code === 'memory-leak' ? new Set(stack.map(formatLocation)) : [];
  return JSON.stringify([
    code,
    formatLocation(location),
    access?.kind,
    object?.kind,
    object?.name,
    siteOf(object?.allocated),
    siteOf(object?.freed),
    ...callers,
  ]);
}

function siteOf(stack: Stack = []): string | undefined {
  const site = ownFrame(stack);
  return site && formatLocation(site);
}
