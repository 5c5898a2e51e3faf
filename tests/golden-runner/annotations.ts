/**
 * What a golden program expects, written in its own comments, and the comparison with what an
 * engine found.
 *
 *     // engines: check explore            which engines run it (in the comments at the top)
 *     // flags: -DSIZE=3                   flags of clang, if it needs some
 *     // args: a b                         arguments of the program
 *     // taint: args                       what --taint names, and so for --secret
 *     // adds: aliasing                   what --checks adds to the usual kinds
 *     // cases: 8                          a run for each of its errors: with the argument 1, with 2, …, with 8
 *     free(p);
 *     p[0] = 1;   //~ ERROR use-after-free         a finding on this line, from every engine
 *                 //~^ NOTE freed here             … with such a note; each ^ is one line up
 *                 //[explore]~^^ NOTE `n` = 3      … only from this engine
 *
 * Every finding must be expected and every expectation met. A program with findings has a fixed
 * twin `NAME.fixed.c`, in which nothing may be found.
 */
import { ownFrame } from '../../src/findings/finding.js';
import { type CheckKind, codes, defaultChecks, type Finding, isFindingCode } from '../../src/index.js';

export const engineNames = ['check', 'explore', 'fuzz'] as const;
export type EngineName = (typeof engineNames)[number];

export interface Expectation {
  readonly kind: 'ERROR' | 'NOTE';
  /** The code of an ERROR, a part of the text of a NOTE. */
  readonly text: string;
  readonly line: number;
  /** Absent: all engines of the program. */
  readonly engine?: EngineName;
}

export interface GoldenProgram {
  readonly engines: readonly EngineName[];
  readonly flags: readonly string[];
  readonly args: readonly string[];
  /** The values of `--taint` and `--secret`. */
  readonly taint?: readonly string[];
  readonly secret?: readonly string[];
  /** What to look for; absent: the usual kinds. */
  readonly checks?: readonly CheckKind[];
  /** How many errors it has, each found in a separate run; absent if one run finds all. */
  readonly cases?: number;
  readonly expectations: readonly Expectation[];
}

/**
 * Reads the comments. Throws on an invalid one, because an expectation that is misread would be
 * lost.
 */
export function parseGolden(source: string, defaultEngines: readonly EngineName[] = []): GoldenProgram {
  const engines = header(source, 'engines')?.map(engineOf) ?? defaultEngines;
  const expectations: Expectation[] = [];
  source.split('\n').forEach((text, i) => {
    for (const [comment] of text.matchAll(/\/\/(?:\[\w+\])?~.*?(?=\/\/(?:\[\w+\])?~|$)/g)) {
      expectations.push(expectationOf(comment.trim(), i + 1, engines));
    }
  });
  const cases = header(source, 'cases');
  const adds = header(source, 'adds');
  const [taint, secret] = [header(source, 'taint'), header(source, 'secret')];
  return {
    engines,
    flags: header(source, 'flags') ?? [],
    args: header(source, 'args') ?? [],
    ...(taint && { taint }),
    ...(secret && { secret }),
    ...(adds && { checks: [...defaultChecks, ...(adds as CheckKind[])] }),
    ...(cases === undefined ? {} : { cases: Number(cases[0]) }),
    expectations,
  };
}

function header(source: string, name: string): string[] | undefined {
  const line = new RegExp(`^// ${name}:(.*)$`, 'm').exec(source)?.[1];
  return line?.trim().split(/\s+/);
}

function engineOf(name: string): EngineName {
  const engine = engineNames.find(known => known === name);
  if (engine === undefined) throw new Error(`no such engine: ${name}`);
  return engine;
}

function expectationOf(comment: string, line: number, engines: readonly EngineName[]): Expectation {
  const match = /^\/\/(?:\[(\w+)\])?~(\^*) (ERROR|NOTE) (.+)$/.exec(comment);
  if (match === null) throw new Error(`line ${line}: cannot read the annotation '${comment}'`);
  const [, engineName, carets = '', kind, text = ''] = match;
  if (kind === 'ERROR' && !isFindingCode(text)) {
    throw new Error(`line ${line}: no such code: '${text}'; codes are ${Object.keys(codes).join(', ')}`);
  }
  const engine = engineName === undefined ? undefined : engineOf(engineName);
  if (engine !== undefined && !engines.includes(engine))
    throw new Error(`line ${line}: ${engine} does not run this program`);
  return {
    kind: kind as Expectation['kind'],
    text,
    line: line - carets.length,
    ...(engine !== undefined && { engine }),
  };
}

/** The differences, in words; empty if the engine found exactly what the program expects. */
export function differences(
  program: GoldenProgram,
  engine: EngineName,
  findings: readonly Finding[],
): string[] {
  const expected = program.expectations.filter(one => one.engine === undefined || one.engine === engine);
  const unexplained = [...findings];
  const problems: string[] = [];
  for (const { text, line } of expected.filter(one => one.kind === 'ERROR')) {
    const at = unexplained.findIndex(finding => finding.code === text && finding.location.line === line);
    if (at === -1) problems.push(`line ${line}: expected ${text}, which was not found`);
    else unexplained.splice(at, 1);
  }
  for (const { text, line } of expected.filter(one => one.kind === 'NOTE')) {
    if (!findings.some(finding => remarksAt(finding, line).some(remark => remark.includes(text)))) {
      problems.push(`line ${line}: expected a note with '${text}', which no finding there has`);
    }
  }
  for (const { code, location, message } of unexplained) {
    problems.push(`line ${location.line}: found ${code} (${message}), which was not expected`);
  }
  return problems;
}

/**
 * The lines of a finding: its message belongs to its own line, and a note with a location to the
 * line of that location.
 */
function remarksAt({ location, label = '', notes = [], object }: Finding, line: number): string[] {
  const remarks = notes.filter(note => (note.location ?? location).line === line || location.line === line);
  const sites = [
    ...(ownFrame(object?.allocated ?? [])?.line === line ? ['allocated here'] : []),
    ...(ownFrame(object?.freed ?? [])?.line === line ? ['freed here'] : []),
  ];
  return [...remarks.map(note => note.message), ...sites, ...(location.line === line ? [label] : [])];
}
