/** `src/platform/native-calls.ts` for a page, which has no native functions. */
import type { NativeCalls } from '../../src/platform/native-calls.js';

export type * from '../../src/platform/native-calls.js';

export function startNativeCalls(): NativeCalls {
  return {
    call: () => ({ kind: 'unavailable', reason: 'a page has no native functions' }),
    close: () => undefined,
  };
}
