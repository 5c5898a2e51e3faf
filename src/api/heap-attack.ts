/**
 * `redzone heap attack`: runs every attack of `runtime/heap/attacks` against every malloc, without
 * the monitor, and reports the outcomes.
 *
 * The attacks are linked into one program in which each `main` is renamed, so that the library is
 * linked only once.
 */
import type { AttackMatrix, AttackOutcome, HeapReport } from '../findings/report.js';
import type { AttackEvent, AttackPair, AttackRequest } from '../heap/attack-run.js';
import { mallocNames } from '../malloc/malloc-names.js';
import { attackOptions } from '../options/heap-options.js';
import type { Given } from '../options/schema.js';
import { settingsOf } from '../options/settings.js';
import { filesBelow, readFileIfAny } from '../platform/files.js';
import { packageRoot } from '../platform/node.js';
import { startTask } from '../platform/task.js';
import { assert } from '../support/assert.js';
import { readModules } from './read-program.js';
import type { RunControl } from './run-control.js';
import { sharedToolchain } from './shared-toolchain.js';
import { neverAborted, resultOf, supervise } from './supervise.js';

/** All mallocs by default. */
export interface AttackOptions extends Given<typeof attackOptions> {
  /** All attacks by default. */
  readonly attacks?: readonly string[] | undefined;
  /**
   * The time limit of an attack, 20 seconds by default. An attack that exceeds it is in an endless
   * loop and counts as crashed.
   */
  readonly patienceMs?: number;
}

/** The report of `heap attack`, which has a matrix. */
export type AttackReport = HeapReport & { readonly matrix: AttackMatrix };

export interface Attack {
  readonly name: string;
  /** Whether the attack targets the malloc's metadata or only the data of the program. */
  readonly target: 'metadata' | 'data';
  readonly summary: string;
  readonly text: string;
}

const folder = `${packageRoot}runtime/heap/attacks`;

/** All attacks, by name. */
export function listAttacks(): Attack[] {
  return filesBelow(folder)
    .filter(file => file.endsWith('.c'))
    .map(file => {
      const text = new TextDecoder().decode(readFileIfAny(`${folder}/${file}`));
      const [, comment = ''] = /^\/\*(.*?)\*\//s.exec(text) ?? [];
      const [, target, summary] =
        /^\s*(metadata|data): (.*)$/s.exec(comment.replaceAll(/\n \* ?/g, ' ')) ?? [];
      assert(summary !== undefined, `${file} does not say what it attacks`);
      return { name: file.slice(0, -2), target: target as Attack['target'], summary: summary.trim(), text };
    });
}

export async function heapAttack(given: AttackOptions = {}, control: RunControl = {}): Promise<AttackReport> {
  const start = performance.now();
  const options = settingsOf(attackOptions, given);
  const attacks = listAttacks().filter(({ name }) => options.attacks?.includes(name) ?? true);
  const mallocs = options.mallocs ?? mallocNames;
  const pairs = attacks.flatMap(({ name }) => mallocs.map(malloc => ({ attack: name, malloc })));
  const { seed, patienceMs = 20_000 } = options;
  let compileMs: number | undefined;
  const { value: outcomes = [], stopped } = await supervise(control, options.maxTimeMs, async signal => {
    const within = { ...control, signal };
    const binary = await build(listAttacks(), options.clang, within);
    compileMs = performance.now() - start;
    return runAll({ binary, pairs, seed }, patienceMs, within);
  });
  const matrix: Record<string, Record<string, AttackOutcome>> = {};
  for (const { attack, malloc, outcome } of outcomes) {
    matrix[attack] ??= {};
    matrix[attack][malloc] = outcome;
  }
  const isComplete = outcomes.length === pairs.length;
  return {
    schema: 1,
    command: 'heap',
    verdict: isComplete ? 'clean' : 'inconclusive',
    summary: [`${outcomes.length} of ${pairs.length} attacks run`, ...(isComplete ? [] : [stopped])].join(
      '; ',
    ),
    findings: [],
    stats: { wallMs: performance.now() - start, compileMs: compileMs ?? performance.now() - start },
    matrix,
  };
}

async function build(
  attacks: readonly Attack[],
  clang: string | undefined,
  control: RunControl,
): Promise<Uint8Array> {
  const symbol = (name: string): string => `attack_${name.replaceAll('-', '_')}`;
  const inputs = attacks.map(({ name, text }) => ({
    name: `${name}.c`,
    text: `#define main ${symbol(name)}\n#line 1\n${text}`,
  }));
  const driver = `#include <string.h>
${attacks.map(({ name }) => `int ${symbol(name)}(void);`).join('\n')}
int main(int argc, char **argv) {
${attacks.map(({ name }) => `  if (argc > 1 && !strcmp(argv[1], "${name}")) return ${symbol(name)}();`).join('\n')}
  return 2;
}
`;
  const program = {
    inputs: [...inputs, { name: 'attacks.c', text: driver }],
    clangFlags: [`-I${folder}`],
    clang,
  };
  const { buildPlain } = await import('./build-plain.js');
  const modules = await readModules(program, control);
  return buildPlain(await sharedToolchain(clang), modules, true, control.signal);
}

/** After an attack that did not end, the next ones continue in a new worker. */
async function runAll(
  request: AttackRequest,
  patienceMs: number,
  { signal, onEvent }: RunControl,
): Promise<AttackEvent[]> {
  const outcomes: AttackEvent[] = [];
  while (outcomes.length < request.pairs.length && !signal?.aborted) {
    const pairs = request.pairs.slice(outcomes.length);
    const isDone = await runUntilStuck({ ...request, pairs }, patienceMs, signal, event => {
      outcomes.push(event);
      onEvent?.({
        kind: 'progress',
        text: `${event.attack} against ${event.malloc}: ${event.outcome}`,
        counts: { done: outcomes.length, total: request.pairs.length },
      });
    });
    const stuck: AttackPair | undefined = request.pairs[outcomes.length];
    if (!isDone && stuck !== undefined && !signal?.aborted) outcomes.push({ ...stuck, outcome: 'crashed' });
  }
  return outcomes;
}

async function runUntilStuck(
  request: AttackRequest,
  patienceMs: number,
  signal: AbortSignal | undefined,
  onOutcome: (event: AttackEvent) => void,
): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restart = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => task.stop(), patienceMs);
  };
  const task = startTask<AttackRequest, AttackEvent, number>('heap/attack-worker', request, {
    onEvent: event => {
      restart();
      onOutcome(event);
    },
  });
  restart();
  try {
    return (await resultOf(task, signal ?? neverAborted)) !== undefined;
  } finally {
    clearTimeout(timer);
  }
}
