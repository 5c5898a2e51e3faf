import { ownVersion } from '../platform/own-version.js';
import { printable } from '../support/printable.js';

/** Prints an internal error and says what to include in a bug report. */
export function defectReport(error: unknown, args: readonly string[]): string {
  const stack = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  return printable(`internal error: this is a defect in Redzone, not in your program

${stack.replaceAll(/^/gm, '    ')}

note: please report it, with the text above, these lines and, if you can, the input
    redzone ${ownVersion()}, node ${process.version}, ${process.platform} ${process.arch}
    redzone ${args.map(quoted).join(' ')}
`);
}

function quoted(arg: string): string {
  return /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`;
}
