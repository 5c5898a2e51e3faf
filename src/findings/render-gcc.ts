/**
 * Findings in the format of gcc's errors, one line each, which every editor and CI system parses:
 *
 *     a.c:8:3: error: read of 4 bytes of a freed block [use-after-free]
 *     a.c:5:12: note: allocated here
 */
import { formatLocation } from './diagnostic.js';
import { type Finding, ownFrame } from './finding.js';

export function renderGcc({ location, severity, message, code, object, notes = [] }: Finding): string {
  const lines = [`${formatLocation(location)}: ${severity}: ${message} [${code}]`];
  const site = (stack: NonNullable<typeof object>['allocated'], text: string): void => {
    const frame = stack && ownFrame(stack);
    if (frame !== undefined) lines.push(`${formatLocation(frame)}: note: ${text}`);
  };
  site(object?.allocated, object?.kind === 'heap' ? 'allocated here' : 'declared here');
  site(object?.freed, 'freed here');
  for (const note of notes)
    if (note.location !== undefined) lines.push(`${formatLocation(note.location)}: note: ${note.message}`);
  return `${lines.join('\n')}\n`;
}
