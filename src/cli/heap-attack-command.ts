/** `redzone heap attack [ATTACK...]` */
import {
  type AttackOutcome,
  heapAttack,
  listAttacks,
  type MallocName,
  mallocNames,
  renderJson,
} from '../index.js';
import type { attackOptions, resultOutput } from '../options/heap-options.js';
import { exitCodeOf } from './exit-codes.js';
import { unknownName } from './heap-output.js';
import type { Invocation } from './invocation.js';
import { printResult } from './print.js';
import { ProgressLine } from './progress.js';
import { htmlReportFor, statsLine } from './run-engine.js';
import { tableOf } from './text-table.js';

export async function run(
  invocation: Invocation<typeof attackOptions, typeof resultOutput>,
): Promise<number> {
  const { operands, options, output, io, signal } = invocation;
  const known = listAttacks();
  const names = known.map(attack => attack.name);
  for (const name of operands) if (!names.includes(name)) throw unknownName('attack', name, names);
  const page = await htmlReportFor(output, io);
  const progress = new ProgressLine(io.stderr);
  const { mallocs = mallocNames } = options;
  const report = await heapAttack(
    { ...options, attacks: operands.length > 0 ? operands : undefined },
    {
      signal,
      onEvent: event => {
        if (!output.quiet && (event.kind === 'phase' || event.kind === 'progress')) progress.show(event.text);
      },
    },
  );
  progress.clear();
  const targets = new Map(known.map(({ name, target }) => [name, target]));
  const table = matrixTable(report.matrix, mallocs, targets);
  const summary =
    output.quiet && report.verdict !== 'inconclusive' ? '' : `redzone heap: ${report.summary}\n`;
  const stats = output.verbose ? statsLine(report.stats) : '';
  printResult(invocation, output.json ? renderJson(report) : `${table}${summary}${stats}`);
  await page?.write({ ...report, command: 'heap' });
  return exitCodeOf(report.verdict);
}

function matrixTable(
  matrix: Readonly<Record<string, Readonly<Record<string, AttackOutcome>>>>,
  mallocs: readonly MallocName[],
  targets: ReadonlyMap<string, string>,
): string {
  const rows = Object.entries(matrix).map(([attack, row]) => [
    targets.get(attack) === 'data' ? `${attack} *` : attack,
    ...mallocs.map(malloc => row[malloc] ?? ''),
  ]);
  const counts = mallocs.map(
    malloc => `${rows.filter((_, i) => Object.values(matrix)[i]?.[malloc] === 'exploited').length}`,
  );
  const table = tableOf([['attack', ...mallocs], ...rows, ['exploited', ...counts]]);
  const note = rows.some(([name]) => name?.endsWith('*'))
    ? '* an attack on the data of the program, which involves no metadata\n'
    : '';
  return `${table}${note}`;
}
