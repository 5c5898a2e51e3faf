/**
 * `frontier.json`: what `explore --resume` needs to go on with an exploration that has stopped.
 *
 *     identity       what the exploration is of; nothing else can be gone on with
 *     exploration    counts, coverage, live states, the order of search (`explore/search/explorer.ts`)
 *     forks, statistics, tests       how far the other files of the folder are
 *
 * It is written last, so a folder that has it is whole; while a resumed run goes on it stays, so
 * one that is killed can be repeated. Nothing in it is the clock's: like the rest of the folder it
 * is the same in every run.
 *
 * The first line of the file is a checksum of all that a resumed run takes over from the folder:
 * the rest of this file, `findings.json` and `statistics.csv`. A file that was cut or edited is
 * refused, so it can lead neither to another verdict nor to a defect of ours.
 */

import type { SavedTree } from '../explore/output/fork-tree.js';
import type { SavedStatistics } from '../explore/output/statistics.js';
import type { SavedExploration } from '../explore/search/explorer.js';
import { InputError } from '../findings/diagnostic.js';
import type { Finding } from '../findings/finding.js';
import { contentHash, filesBelow, readFileIfAny } from '../platform/files.js';
import { ownVersion } from '../platform/own-version.js';
import type { ExploreSettings } from './explore.js';

export interface FrontierFile {
  readonly identity: Identity;
  readonly exploration: SavedExploration;
  readonly statistics: SavedStatistics;
  readonly forks: SavedTree;
  readonly tests: number;
}

/** By what each part is called in messages. Long parts are hashes. */
export type Identity = Readonly<Record<string, string>>;

export const frontierFile = 'frontier.json';

/** The text of `frontier.json`, in a folder in which the other two files hold this. */
export function frontierText(file: FrontierFile, findings: string, statisticsCsv: string): string {
  const body = JSON.stringify(file);
  const checksum = checksumOf(body, findings, statisticsCsv);
  return `{"checksum":"${checksum}",\n"frontier":${body}}\n`;
}

/** The same wherever the folder is: findings name their tests with it. */
function checksumOf(body: string, findings: string, statisticsCsv: string): string {
  return contentHash([body, findings.replace(/[^\s"'`]*\/(?=\d{6,}\.ktest)/g, ''), statisticsCsv]);
}

const frontierShape = /^\{"checksum":"([0-9a-f]{64})",\n"frontier":(.*)\}\n$/s;

/** All that an exploration depends on, but for limits of time, work and memory. */
export function identityOf(
  options: ExploreSettings,
  args: readonly string[],
  irTexts: readonly string[],
): Identity {
  const {
    symArgs,
    symStdin,
    symFiles,
    checks,
    entryPoint,
    search,
    seed,
    allocator,
    quarantine,
    external,
    maxDepth,
  } = options;
  const { stdin, files, environment } = options;
  const text = (value: unknown): string => {
    if (value === undefined) return 'default';
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  const hash = (parts: readonly (string | Uint8Array)[]): string =>
    parts.length === 0 ? 'none' : contentHash(parts);
  return {
    'the version of Redzone': ownVersion(),
    'the program': contentHash(irTexts),
    'the command line': text(args),
    '--sym-args': text(symArgs),
    '--sym-stdin': text(symStdin),
    '--sym-files': text(symFiles),
    '--checks': text(checks),
    '--entry-point': text(entryPoint),
    '--search': text(search),
    '--seed': text(seed),
    '--allocator': text(allocator),
    '--quarantine': text(quarantine),
    '--external': text(external),
    '--max-depth': text(maxDepth),
    'standard input': hash(stdin === undefined ? [] : [stdin]),
    'a file of the program': hash(Object.entries(files ?? {}).flat()),
    'the environment': text(environment),
  };
}

export interface EarlierRun {
  readonly frontier: FrontierFile;
  readonly findings: readonly Finding[];
  readonly statisticsCsv: string;
  readonly timingCsv: string;
}

/** What is in the folder. Throws InputError if that is not what a run of this identity has left. */
export function readEarlierRun(folder: string, identity: Identity): EarlierRun {
  const read = (name: string): string => {
    const bytes = readFileIfAny(`${folder}/${name}`);
    if (bytes === undefined) throw cannotResume(folder, whyMissing(folder, name));
    return new TextDecoder().decode(bytes);
  };
  const [, checksum, body] = frontierShape.exec(read(frontierFile)) ?? [];
  const findings = read('findings.json');
  const statisticsCsv = read('statistics.csv');
  const timingCsv = read('timing.csv');
  const isWhole = body !== undefined && checksumOf(body, findings, statisticsCsv) === checksum;
  if (!isWhole || !timingShape.test(timingCsv)) throw cannotResume(folder, damaged);
  const file = JSON.parse(body) as FrontierFile;
  const changed = Object.keys(identity).filter(part => identity[part] !== file.identity[part]);
  if (changed.length > 0)
    throw cannotResume(
      folder,
      changed.map(part => change(part, file.identity[part], identity[part])).join('; '),
    );
  return {
    frontier: file,
    findings: JSON.parse(findings) as Finding[],
    statisticsCsv,
    timingCsv,
  };
}

function whyMissing(folder: string, name: string): string {
  const files = filesBelow(folder);
  if (files.length === 0) return 'there is no such folder, or it is empty';
  if (name !== frontierFile) return `${name} is missing`;
  return 'it has no frontier.json: nothing was explored there, or the run was killed';
}

const damaged = 'its files are damaged, or were changed since';

/** What the clock said differs from run to run, so only its form is known. */
const timingShape = /^instructions,milliseconds,solver_milliseconds\n(\d+,\d+,\d+\n)*$/;

function change(part: string, before = 'unknown', now = 'unknown'): string {
  const isHash = /^[0-9a-f]{64}$/.test(before) || /^[0-9a-f]{64}$/.test(now);
  return isHash ? `${part} has changed` : `${part} was ${before} and is ${now} now`;
}

export function cannotResume(folder: string, why: string): InputError {
  return new InputError({
    severity: 'error',
    message: `the exploration in '${folder}' cannot be resumed: ${why}`,
    help: 'without `--resume` the exploration begins anew',
  });
}
