/** `redzone explain [CODE]`: prints the page of a code, or the list of all codes. */
import { codes, explain, type FindingCode, isFindingCode } from '../index.js';
import type { shown } from '../options/shared.js';
import { closestTo } from '../support/closest.js';
import { exitCodes } from './exit-codes.js';
import type { Invocation } from './invocation.js';
import { renderMarkdown } from './markdown.js';
import { printJson, terminalOf } from './print.js';
import { UsageError } from './usage-error.js';

export async function run({
  operands,
  output: options,
  io,
}: Invocation<object, typeof shown>): Promise<number> {
  const [code, ...rest] = operands;
  if (rest.length > 0) throw new UsageError('explain takes one code at a time');
  if (code === undefined) {
    if (options.json) printJson(io, { schema: 1, command: 'explain', codes });
    else io.stdout.write(listOfCodes());
    return exitCodes.clean;
  }
  if (!isFindingCode(code)) {
    const guesses = similarCodes(code);
    const meant = guesses.length === 1 ? `\`redzone explain ${guesses[0]}\`` : guesses.join(', ');
    const help = meant === '' ? '`redzone explain` lists all codes' : `did you mean ${meant}?`;
    throw new UsageError(`there is no code '${code}'`, help);
  }
  const page = explain(code);
  if (options.json) {
    printJson(io, { schema: 1, command: 'explain', ...page });
  } else {
    const { output, color } = terminalOf(io, 'stdout');
    output.write(renderMarkdown(page.markdown, { color, width: output.columns }));
  }
  return exitCodes.clean;
}

/**
 * Suggests codes for an unknown one: a close spelling, codes that contain it (`leak`), or codes
 * whose initials it is (`uaf`).
 */
function similarCodes(code: string): string[] {
  const names = Object.keys(codes);
  const misspelt = closestTo(code, names);
  if (misspelt !== undefined) return [misspelt];
  const initials = (name: string): string => name.replaceAll(/(\w)\w*-?/g, '$1');
  return names.filter(name => name.includes(code.toLowerCase()) || initials(name) === code.toLowerCase());
}

function listOfCodes(): string {
  const names = Object.keys(codes) as FindingCode[];
  const width = Math.max(...names.map(name => name.length));
  const rows = names.map(name => {
    const { cwe, title } = codes[name];
    return `${name.padEnd(width)}  ${(cwe === undefined ? '' : `CWE-${cwe}`).padEnd(8)}  ${title}`;
  });
  return `${rows.join('\n')}\n\n\`redzone explain CODE\` says more.\n`;
}
