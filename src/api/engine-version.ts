/**
 * What workers of a queue have in common: results are the same to the byte if the code is, and if
 * Node is (its `Math` differs between versions).
 */
import { installationStamp } from '../platform/installation-stamp.js';
import { nodeVersion } from '../platform/node.js';
import { ownVersion } from '../platform/own-version.js';

export function engineVersion(): string {
  const node = nodeVersion.replace(/\..*/, '');
  return `${ownVersion()} (build ${installationStamp().slice(0, 8)}, Node ${node.slice(1)})`;
}
