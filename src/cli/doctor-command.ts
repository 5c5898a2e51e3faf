/**
 * `redzone doctor`: prints versions and the optional parts that were found, and runs a self-test.
 */
import picocolors from 'picocolors';
import type { Colors } from 'picocolors/types.js';
import { type DoctorReport, doctor, type Part } from '../index.js';
import type { shown } from '../options/shared.js';
import { exitCodes } from './exit-codes.js';
import type { Invocation } from './invocation.js';
import { printJson, terminalOf } from './print.js';
import { ProgressLine } from './progress.js';
import { UsageError } from './usage-error.js';

export async function run({
  operands,
  output: options,
  io,
  signal,
}: Invocation<object, typeof shown>): Promise<number> {
  if (operands.length > 0) throw new UsageError('doctor takes no arguments');
  const progress = new ProgressLine(io.stderr);
  const report = await doctor({
    signal,
    onEvent: event => {
      if (event.kind === 'phase') progress.show(`${event.text} …`);
    },
  });
  progress.clear();
  if (options.json) printJson(io, { schema: 1, command: 'doctor', ...report });
  else io.stdout.write(describe(report, picocolors.createColors(terminalOf(io, 'stdout').color)));
  return report.healthy ? exitCodes.clean : exitCodes.defect;
}

function describe(report: DoctorReport, { bold, green, red }: Colors): string {
  const { cache, selfTest } = report;
  const test = selfTest.ok
    ? `${green('passed')} in ${(selfTest.ms / 1000).toFixed(1)} s`
    : `${red('FAILED')}: ${selfTest.reason}`;
  return `redzone     ${report.version}
node        ${report.node} on ${report.machine}

${bold('bundled')}
${rows(report.parts, 'MISSING: run `npm ci` again')}

${bold('optional')}
${rows(report.optional, 'not found')}

cache       ${cache.folder}: ${cache.files} files, ${(cache.bytes / 1e6).toFixed(1)} MB
self-test   ${test}
`;
}

function rows(parts: readonly Part[], absent: string): string {
  return parts
    .map(({ name, version = absent, purpose }) =>
      `  ${name.padEnd(10)}${version.padEnd(22)}  ${purpose}`.trimEnd(),
    )
    .join('\n');
}
