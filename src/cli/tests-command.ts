/** `redzone tests DIR [N...]`: lists or writes the tests of an exploration. */
import { type ListedTest, type TestsReport, tests } from '../index.js';
import type { testsOptions, testsOutput } from '../options/tests-options.js';
import { plural } from '../support/plural.js';
import { exitCodes } from './exit-codes.js';
import type { Invocation } from './invocation.js';
import { printDiagnostics, printJson, terminalOf } from './print.js';
import { tableOf } from './text-table.js';
import { UsageError } from './usage-error.js';

export async function run({
  operands,
  options,
  output,
  io,
}: Invocation<typeof testsOptions, typeof testsOutput>): Promise<number> {
  const [folder, ...rest] = operands;
  if (folder === undefined) throw new UsageError('no folder given', 'name the folder of an exploration');
  const numbers = rest.map(text => {
    if (!/^[1-9]\d*$/.test(text)) throw new UsageError(`'${text}' is not the number of a test`);
    return Number(text);
  });
  const report = await tests({ ...options, folder, numbers });
  if (report.damagedAt !== undefined)
    printDiagnostics(
      [
        {
          severity: 'warning',
          message: `the journal in '${folder}' is damaged at offset ${report.damagedAt}: tests after it are lost`,
        },
      ],
      terminalOf(io, 'stderr'),
    );
  if (output.json) printJson(io, report);
  else
    io.stdout.write(options.outDir === undefined ? listOf(report) : `${written(report, options.outDir)}\n`);
  return exitCodes.clean;
}

function written({ tests }: TestsReport, folder: string): string {
  return `${plural(tests.length, 'test')} written to '${folder}'`;
}

function listOf({ tests, count }: TestsReport): string {
  const total = `${tests.length} of ${plural(count, 'test')}\n`;
  if (tests.length === 0) return total;
  return `${tableOf([['test', 'end', 'forks', 'instructions', 'new lines', 'inputs'], ...tests.map(rowOf)])}${total}`;
}

function rowOf({ number, end, forks, instructions, newLines, inputs }: ListedTest): string[] {
  return [number, end, forks, instructions, newLines.length || '', inputs ?? ''].map(String);
}
