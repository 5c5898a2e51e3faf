/**
 * The version that workers of a queue must share. Results are identical byte for byte only with the
 * same code and the same version of Node, whose `Math` differs between versions.
 */
import { installationStamp } from '../platform/installation-stamp.js';
import { nodeVersion } from '../platform/node.js';
import { ownVersion } from '../platform/own-version.js';

export function engineVersion(): string {
  const node = nodeVersion.replace(/\..*/, '');
  return `${ownVersion()} (build ${installationStamp().slice(0, 8)}, Node ${node.slice(1)})`;
}
