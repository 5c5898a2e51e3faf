/** Redzone's own version, in a separate file so that `redzone --version` loads nothing else. */
import { readFileSync } from 'node:fs';

export function ownVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
