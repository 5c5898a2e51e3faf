/**
 * The process of a program that `redzone cc` has linked: the linked script starts this module with
 * its own name and arguments (`src/driver/executable.ts`).
 *
 * This process ends with the program's exit status or signal. If there are findings, it ends with
 * the status that `REDZONE_OPTIONS` names.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import {
  type CheckReport,
  cacheOfProgram,
  type ExecuteOptions,
  execute,
  InputError,
  renderFinding,
  renderJson,
} from '../index.js';
import {
  linkedProgramArguments,
  type linkedProgramOptions,
  linkedProgramOutput,
  linkedProgramSpec,
} from '../options/linked-program-options.js';
import type { Given } from '../options/schema.js';
import { workingFolder } from '../platform/files.js';
import { allowV8Flags, declareOwnProcess, processEnvironment } from '../platform/node.js';
import { withRelativeFiles } from '../support/relative-files.js';
import { parseArguments } from './arguments.js';
import { defectReport } from './defect.js';
import { exitCodes } from './exit-codes.js';
import { processIo, wantsColor } from './io.js';
import { printDiagnostics, terminalOf } from './print.js';
import { UsageError } from './usage-error.js';

/** The status that shells use for a program that exists but cannot be run. */
const cannotRun = 126;

async function main([program = '', ...args]: readonly string[]): Promise<void> {
  const io = processIo();
  allowV8Flags();
  // Programs are built in a worker, which loads the compilers; this bundle does not have them.
  declareOwnProcess();
  const environment = processEnvironment();
  // A test suite may run the program with a different HOME.
  process.env.REDZONE_CACHE ??= cacheOfProgram(program);
  const words = linkedProgramArguments(process.env.REDZONE_OPTIONS ?? '');
  const parsed = parseArguments('REDZONE_OPTIONS', linkedProgramSpec, words);
  const options: Given<typeof linkedProgramOptions> = parsed.options;
  const output: Given<typeof linkedProgramOutput> = parsed.output;
  io.color = output.color ?? 'auto';
  const settings: ExecuteOptions = { ...options, program, arguments: args, environment };
  const report = await execute(settings, {
    onEvent: event => {
      if (event.kind === 'warning') printDiagnostics([event.diagnostic], terminalOf(io, 'stderr'));
    },
  });
  tell(report, program, output);
  const { exitCode = linkedProgramOutput.exitCode.default } = output;
  if (report.findings.length > 0 || report.program === undefined) process.exitCode = exitCode;
  else if (report.program.signal !== null) process.kill(process.pid, report.program.signal);
  else process.exitCode = report.program.exit ?? 0;
}

function tell(report: CheckReport, program: string, output: Given<typeof linkedProgramOutput>): void {
  const io = processIo();
  if (output.reportFolder !== undefined) {
    mkdirSync(output.reportFolder, { recursive: true });
    const name = `${process.pid}-${process.hrtime.bigint()}.json`;
    writeFileSync(`${output.reportFolder}/${name}`, renderJson(report));
  }
  const verdict =
    report.findings.length === 0 && (report.verdict === 'inconclusive' || output.verbose)
      ? `redzone: ${program}: ${report.verdict}${report.summary === undefined ? '' : `: ${report.summary}`}\n`
      : '';
  const terminal = terminalOf(io, 'stderr');
  const shown = withRelativeFiles(report.findings, workingFolder());
  const color = output.logFile === undefined && wantsColor(io.stderr, io);
  const text = `${shown.map(finding => `${renderFinding(finding, { ...terminal, color })}\n`).join('')}${verdict}`;
  if (text === '') return;
  if (output.logFile !== undefined) appendFileSync(output.logFile, text);
  else process.stderr.write(report.leavesLineOpen ? `\n${text}` : text);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const io = processIo();
  if (error instanceof InputError) {
    printDiagnostics(error.diagnostics, terminalOf(io, 'stderr'));
    process.exitCode = cannotRun;
  } else if (error instanceof UsageError) {
    process.stderr.write(
      `REDZONE_OPTIONS: error: ${error.message}\n${error.help === undefined ? '' : `help: ${error.help}\n`}`,
    );
    process.exitCode = cannotRun;
  } else {
    process.stderr.write(defectReport(error, process.argv.slice(2)));
    process.exitCode = exitCodes.defect;
  }
}
