/**
 * The calls that the page can make: functions of the library with the default options of the
 * command line, and the part of their results that the page shows. Each loads its engine when it is
 * called.
 */
import type { Attack } from '../src/api/heap-attack.js';
import type { ProveModel } from '../src/api/prove.js';
import type { PathInWords } from '../src/findings/exploration.js';
import type { Finding } from '../src/findings/finding.js';
import type {
  AttackMatrix,
  CheckReport,
  ExploreReport,
  ProofResult,
  ProveReport,
} from '../src/findings/report.js';
import type { MallocName } from '../src/malloc/malloc-names.js';
import type { CheckKind } from '../src/monitor/check-kinds.js';
import type { CallControl } from './engine-protocol.js';

/** A program of one file. */
export interface Source {
  readonly name: string;
  readonly text: string;
}

export interface CheckAsked {
  readonly source: Source;
  readonly arguments: readonly string[];
  readonly stdin: string;
  /** Checks besides the default ones, and sources of taint. */
  readonly adds: readonly CheckKind[];
  readonly taint: readonly string[];
}

export interface WithTexts<Report> {
  readonly report: Report;
  /** Each finding as the command line prints it. */
  readonly texts: readonly string[];
}

export type Checked = WithTexts<CheckReport>;

export interface ExploreAsked {
  readonly source: Source;
  readonly symStdin: number | undefined;
  readonly symArgs: { readonly min: number; readonly max: number; readonly bytes: number } | undefined;
  readonly maxTimeMs: number;
}

/** A path that has ended, as the page shows it. */
export interface ExploredPath {
  readonly number: number;
  readonly end: string;
  readonly inputs: string;
  readonly stdout: string;
  readonly instructions: number;
  readonly forks: number;
  readonly isError: boolean;
  /** The lines that it has executed. */
  readonly lines: readonly number[];
}

export interface TestFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface Explored extends WithTexts<ExploreReport> {
  readonly paths: readonly ExploredPath[];
  /** For each line, whether it was executed. */
  readonly coverage: readonly (readonly [line: number, isRun: boolean])[];
  /** For each test with an error, by its number, its files. */
  readonly files: Readonly<Record<number, readonly TestFile[]>>;
}

/** A program, whose calls of malloc are recorded, or the name of a workload. */
export interface HeapAsked {
  readonly source: Source | string;
  readonly mallocs: readonly MallocName[];
  /** The width in which the picture should fit, in pixels. */
  readonly width: number;
}

export interface Attacked {
  readonly matrix: AttackMatrix;
  readonly attacks: readonly Pick<Attack, 'name' | 'target' | 'summary'>[];
  readonly summary: string;
}

export interface IrAsked {
  readonly source: Source;
}

export interface IrTexts {
  readonly compiled: string;
  readonly instrumented: string;
}

/** Columns of a heap map: the least, the most, and the least for two maps side by side. */
const leastColumns = 60;
const mostColumns = 320;
const leastBeside = 80;

const folder = 'redzone-out';
const decoder = new TextDecoder();

async function textsOf(findings: readonly Finding[], { name, text }: Source): Promise<string[]> {
  const { renderFinding } = await import('../src/findings/render-text.js');
  const readSource = (file: string): string | undefined => (file === name ? text : undefined);
  return findings.map(finding => renderFinding(finding, { readSource, color: false }));
}

export interface Calls {
  check(asked: CheckAsked, control: CallControl): Promise<Checked>;
  explore(asked: ExploreAsked, control: CallControl): Promise<Explored>;
  /** A picture as SVG. */
  heapMap(asked: HeapAsked, control: CallControl): Promise<string>;
  heapAttack(asked: { readonly mallocs: readonly MallocName[] }, control: CallControl): Promise<Attacked>;
  prove(
    asked: { readonly model: ProveModel; readonly maxTimeMs: number },
    control: CallControl,
  ): Promise<ProveReport>;
  ir(asked: IrAsked, control: CallControl): Promise<IrTexts>;
}

export type CallName = keyof Calls;
export type { ProofResult };

export const calls: Calls = {
  async check({ source, arguments: given, stdin, adds, taint }, control) {
    const [{ check }, { defaultChecks }] = await Promise.all([
      import('../src/api/check.js'),
      import('../src/monitor/check-kinds.js'),
    ]);
    const report = await check(
      {
        ...{ inputs: [source], clangFlags: flagsFor(source), arguments: given, stdin },
        ...(adds.length > 0 && { checks: [...defaultChecks, ...adds] }),
        ...(taint.length > 0 && { taint }),
      },
      control,
    );
    return { report, texts: await textsOf(report.findings, source) };
  },

  async explore({ source, symStdin, symArgs, maxTimeMs }, control) {
    const [{ explore }, { filesBelow, removeFile }] = await Promise.all([
      import('../src/api/explore.js'),
      import('../src/platform/files.js'),
    ]);
    for (const file of filesBelow(folder)) removeFile(`${folder}/${file}`);
    const { details, ...report } = await explore(
      {
        inputs: [source],
        folder,
        confirm: true,
        details: true,
        tests: 'all',
        reuse: 'nothing',
        maxTimeMs,
        ...(symStdin !== undefined && { symStdin }),
        ...(symArgs !== undefined && { symArgs }),
        onForks: tree => control.onEvent({ kind: 'forks', tree }),
      },
      control,
    );
    return {
      report,
      texts: await textsOf(report.findings, source),
      ...(await explored(source, details?.paths ?? [])),
    };
  },

  async heapMap({ source, mallocs, width }, control) {
    const [{ heapMap }, { panelWidthOf }] = await Promise.all([
      import('../src/api/heap-map.js'),
      import('../src/reports/heap-map-view.js'),
    ]);
    const trace = typeof source === 'string' ? source : await traceOf(source, control);
    const across = width >= 2 * panelWidthOf(leastBeside) ? mallocs.length : 1;
    const fits = Math.floor((width / across - panelWidthOf(0)) / (panelWidthOf(1) - panelWidthOf(0)));
    const columns = Math.min(mostColumns, Math.max(leastColumns, fits));
    return (await heapMap({ trace, mallocs, columns, across })).svg;
  },

  async heapAttack({ mallocs }, control) {
    const { heapAttack, listAttacks } = await import('../src/api/heap-attack.js');
    const { matrix, summary = '' } = await heapAttack({ mallocs: [...mallocs] }, control);
    const attacks = listAttacks().map(({ name, target, summary: text }) => ({ name, target, summary: text }));
    return { matrix, attacks, summary };
  },

  async prove(asked, control) {
    const { prove } = await import('../src/api/prove.js');
    return prove(asked, control);
  },

  async ir({ source }, control) {
    const { compileToIr } = await import('../src/api/ir.js');
    const compiled = await compileToIr({ inputs: [source], clangFlags: flagsFor(source) }, control);
    const instrumented = await compileToIr(
      { inputs: [source], clangFlags: flagsFor(source), instrumented: true },
      control,
    );
    return { compiled: compiled.text, instrumented: instrumented.text };
  },
};

/** Runs the program and returns the name of the file with its calls of malloc. */
async function traceOf(source: Source, control: CallControl): Promise<string> {
  const [{ check }, { writeNewFile }, { InputError }] = await Promise.all([
    import('../src/api/check.js'),
    import('../src/platform/files.js'),
    import('../src/findings/diagnostic.js'),
  ]);
  const name = `${source.name}.trace`;
  let isWritten = false;
  await check(
    {
      inputs: [source],
      clangFlags: flagsFor(source),
      onTrace: trace => {
        isWritten = true;
        writeNewFile(name, trace);
      },
    },
    control,
  );
  if (!isWritten) {
    const message = control.signal.aborted ? 'the run was stopped' : 'the program did not run to its end';
    throw new InputError({ severity: 'error', message: `there is no heap map: ${message}` });
  }
  return name;
}

/** The attacks include their own header. */
function flagsFor({ text }: Source): string[] {
  return text.includes('#include "attack.h"') ? ['-I/redzone-package/runtime/heap/attacks'] : [];
}

/** The files that an exploration has written to its folder. */
async function explored(
  { name }: Source,
  known: readonly PathInWords[],
): Promise<Pick<Explored, 'paths' | 'coverage' | 'files'>> {
  const [{ storedTests }, { endInWords, inputsInWords, nameOfTest }, { findingsOf }, { readFileIfAny }] =
    await Promise.all([
      import('../src/api/stored-tests.js'),
      import('../src/explore/output/test-files.js'),
      import('../src/explore/state/path-end.js'),
      import('../src/platform/files.js'),
    ]);
  if (readFileIfAny(`${folder}/journal`) === undefined) return { paths: [], coverage: [], files: {} };
  const files: Record<number, TestFile[]> = {};
  const linesOf = new Map(
    known.map(({ number, lines }) => [number, lines?.find(([file]) => file === name)?.[1]]),
  );
  const paths = storedTests(folder).tests.map((test): ExploredPath => {
    const isError = findingsOf(test.ending).length > 0;
    if (isError)
      files[test.number] = ['ktest', 'c', 'json'].flatMap(extension => {
        const file = `${nameOfTest(test.number)}.${extension}`;
        const bytes = readFileIfAny(`${folder}/${file}`);
        return bytes === undefined ? [] : [{ name: file, bytes: bytes.slice() }];
      });
    return {
      number: test.number,
      end: endInWords(test.ending),
      inputs: inputsInWords(test.inputs) ?? '',
      stdout: decoder.decode(test.stdout),
      instructions: test.instructions,
      forks: test.forks,
      isError,
      lines: linesOf.get(test.number) ?? [],
    };
  });
  return {
    paths,
    coverage: coverageOf(decoder.decode(readFileIfAny(`${folder}/coverage.info`)), name),
    files,
  };
}

/** The lines of one file in the format of lcov. */
function coverageOf(text: string, name: string): [number, boolean][] {
  const record = text.split('end_of_record').find(part => part.includes(`SF:${name}\n`)) ?? '';
  return [...record.matchAll(/^DA:(\d+),(\d+)/gm)].map(([, line, count]) => [Number(line), count !== '0']);
}
