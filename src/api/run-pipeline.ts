/**
 * The steps of `run`: put a folder of compilers into `PATH`, run the command, collect the reports.
 */
import { inputError } from '../findings/diagnostic.js';
import type { Finding } from '../findings/finding.js';
import { type CheckReport, type ProjectReport, verdictOf } from '../findings/report.js';
import { errorKey } from '../findings/same-error.js';
import { projectOptions } from '../options/project-options.js';
import { settingsOf } from '../options/settings.js';
import { workingFolder } from '../platform/files.js';
import { nodePath, packageRoot, processEnvironment } from '../platform/node.js';
import { runInherited } from '../platform/spawn-program.js';
import { makeToolFolder, textsIn } from '../platform/tool-folder.js';
import { plural } from '../support/plural.js';
import { withRelativeFiles } from '../support/relative-files.js';
import type { RunOptions } from './run.js';
import type { RunControl } from './run-control.js';
import { supervise } from './supervise.js';

/** Names of compilers, all of which are links to `redzone cc`. */
const compilers = ['redzone-cc', 'cc', 'gcc', 'clang', 'c89', 'c99', 'x86_64-linux-gnu-gcc'];

export async function runProject(given: RunOptions, control: RunControl): Promise<ProjectReport> {
  const options = settingsOf(projectOptions, given);
  const start = performance.now();
  const environment = processEnvironment();
  const installed = `${packageRoot}bin/redzone-cc`;
  const driver = [installed];
  // Linked programs have no symbols to strip.
  const tools = makeToolFolder({
    ...Object.fromEntries(compilers.map(name => [name, driver])),
    redzone: [nodePath, `${packageRoot}bin/redzone.js`],
    strip: ['true'],
  });
  try {
    // `configure` and CMake write the name into their files, which outlive the folder. Makefiles
    // divide a name at its spaces.
    const compiler = /\s/.test(installed) ? `${tools.folder}/redzone-cc` : installed;
    const chosen = options.programOptions ?? environment.REDZONE_OPTIONS ?? '';
    const own = [`report-dir='${tools.reports}'`, ...(options.keepGoing ? ['keep-going'] : [])];
    const { value: ended, stopped } = await supervise(control, options.maxTimeMs, signal =>
      runInherited(options.command, {
        signal,
        writesToStderr: options.writesToStderr === true,
        env: {
          ...environment,
          PATH: `${tools.folder}:${environment.PATH ?? ''}`,
          CC: compiler,
          STRIP: 'true',
          // The machine's own tools can read our objects; the variables name them for build systems
          // that look for them.
          ...Object.fromEntries(
            ['AR', 'NM', 'RANLIB', 'LD'].map(name => [name, environment[name] ?? name.toLowerCase()]),
          ),
          REDZONE_OPTIONS: [chosen, ...own].filter(part => part !== '').join(':'),
        },
      }),
    );
    if (ended?.kind === 'not-started')
      throw inputError(`cannot run '${options.command[0]}': ${ended.reason}`);
    return reportOf(textsIn(tools.reports), ended, stopped, performance.now() - start);
  } finally {
    tools.remove();
  }
}

function reportOf(
  texts: readonly string[],
  ended: { readonly exit: number | null; readonly signal: string | null } | undefined,
  stopped: string | undefined,
  wallMs: number,
): ProjectReport {
  const reports = texts.map(text => JSON.parse(text) as CheckReport);
  const byError = new Map<string, Finding>();
  for (const { findings } of reports)
    for (const finding of findings) {
      const key = errorKey(finding);
      if (!byError.has(key)) byError.set(key, withRelativeFiles(finding, workingFolder()));
    }
  const findings = [...byError.values()];
  const met = reports.reduce((sum, report) => sum + report.findings.length, 0);
  const unfinished = reports.filter(report => report.verdict === 'inconclusive');
  const failed = ended !== undefined && (ended.exit !== 0 || ended.signal !== null);
  if (failed && reports.length === 0)
    throw inputError(
      `the command ${ended.signal === null ? `exited with status ${ended.exit}` : `was ended by ${ended.signal}`} before any program ran under the monitor`,
    );
  // A test suite that failed by itself is not evidence that the program has no errors.
  const isComplete = stopped === undefined && unfinished.length === 0 && !failed;
  // Needing more memory than there is makes the result inconclusive, and is no error.
  const errors = findings.filter(({ code }) => code !== 'out-of-memory');
  const summary = [
    stopped,
    `${plural(reports.length, 'run')} under the monitor`,
    met > findings.length
      ? `the same errors occurred ${plural(met - findings.length, 'time')} more`
      : undefined,
    unfinished.length > 0 && errors.length === 0
      ? `${plural(unfinished.length, 'run')} ${unfinished.length === 1 ? 'is' : 'are'} inconclusive: ${unfinished[0]!.summary ?? ''}`
      : undefined,
  ];
  return {
    schema: 1,
    command: 'run',
    verdict: errors.length === 0 && !isComplete ? 'inconclusive' : verdictOf(findings, isComplete),
    summary: summary.filter(part => part !== undefined).join('; '),
    findings,
    ...(ended && { program: { exit: ended.exit, signal: ended.signal } }),
    stats: { wallMs, runs: reports.length },
  };
}
