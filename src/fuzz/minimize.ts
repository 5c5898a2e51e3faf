/** Minimizes an input that triggers an error. */
import type { Finding } from '../findings/finding.js';
import { errorKey } from '../findings/same-error.js';
import type { Target } from './fuzz-target.js';
import type { Minimized } from './protocol.js';

/**
 * Removes parts, large ones first, until not even one byte can be removed; makes at most `most`
 * runs. Undefined if the input does not trigger the error.
 */
export function minimize(
  target: Target,
  input: Uint8Array,
  error: string,
  most: number,
): Minimized | undefined {
  let runs = 0;
  const findingOn = (bytes: Uint8Array): Finding | undefined => {
    runs++;
    return target.run(bytes).findings.find(found => errorKey(found) === error);
  };
  const first = findingOn(input);
  if (first === undefined) return undefined;
  let best = { bytes: input, finding: first };
  for (let part = Math.ceil(input.length / 2); part > 0 && runs < most; ) {
    let isSmaller = false;
    for (let at = 0; at < best.bytes.length && runs < most; ) {
      const rest = without(best.bytes, at, part);
      const finding = findingOn(rest);
      if (finding === undefined) at += part;
      else {
        best = { bytes: rest, finding };
        isSmaller = true;
      }
    }
    if (part > best.bytes.length) part = best.bytes.length;
    else if (part > 1) part = Math.ceil(part / 2);
    else if (!isSmaller) part = 0;
  }
  return { ...best, runs };
}

function without(bytes: Uint8Array, at: number, count: number): Uint8Array {
  const rest = new Uint8Array(bytes.length - Math.min(count, bytes.length - at));
  rest.set(bytes.subarray(0, at));
  rest.set(bytes.subarray(at + count), at);
  return rest;
}
