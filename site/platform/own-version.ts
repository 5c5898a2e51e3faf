/** `src/platform/own-version.ts` for a page: the version of what was built. */
import { build } from './build-facts.js';

export function ownVersion(): string {
  return build.version;
}
