/** `src/platform/installation-stamp.ts` for a page: nothing changes after the build. */
import { build } from './build-facts.js';

export function installationStamp(): string {
  return build.stamp;
}
