/**
 * `npm run bench:prove`: the hash table's migration, with the report's parameters and larger ones.
 *
 *   D.1   which lemma needs which, as computed and as in the report's table
 *   D.2   all 28 lemmas and MInv by k-induction with the report's lemmas, for 2 to 7 threads, with the report's depths and times;
 *         with our lemmas, for every number of threads up to 17 by one proof; and by visiting all states
 *   for which (P, M, threshold) MInv holds, each row one proof and one run that breaks it
 *
 * Arguments: `d1`, `d2`, `frontier` choose a part; `d2 2 5` the rows for these threads, `states 2
 * 7` without k-induction; `frontier 3 4 5` for these tables.
 */

import { BitDecider } from '../dist/modelcheck/bit-decider.js';
import { composeCounted, unknownThreads } from '../dist/modelcheck/compose.js';
import { computeDependencies } from '../dist/modelcheck/dependencies.js';
import { ref } from '../dist/modelcheck/expression.js';
import { lfhtModel, REPORT_DEPENDENCIES, REPORT_PARAMETERS } from '../dist/modelcheck/models/lfht.js';
import { breakingRun, largestThreads } from '../dist/modelcheck/models/lfht-frontier.js';
import { inOrder, prove, runNarrowed } from '../dist/modelcheck/prove-system.js';
import { NO_LIMIT } from '../dist/modelcheck/result.js';
import { isBounded } from '../dist/modelcheck/system.js';
import { Z3Decider } from '../dist/modelcheck/z3-decider.js';
import { Z3Library } from '../dist/modelcheck/z3-library.js';
import { loadCadicalModule } from '../dist/solver/cadical.js';

const REPORT_D2 = new Map([
  [2, [5, 0.5]],
  [3, [7, 1]],
  [4, [9, 2]],
  [5, [11, 6]],
  [6, [13, 55]],
  [7, [15, 2745]],
]);

/** @typedef {import('../dist/modelcheck/system.js').System} System */
/** @typedef {import('../dist/modelcheck/k-induction.js').InductionTools} InductionTools */

const [part = 'all', fewest = '2', most = '7'] = process.argv.slice(2);
const z3 = await Z3Library.load();
const cadical = await loadCadicalModule();
/** @type {(system: System, maxDepth: number) => InductionTools} */
const toolsFor = (system, maxDepth) => ({
  system,
  makeDecider: (one, hasStep) =>
    isBounded(one) ? new BitDecider(cadical, one, hasStep) : new Z3Decider(z3, one, hasStep),
  z3,
  control: NO_LIMIT,
  maxDepth,
});

/**
 * MInv depends on the same lemmas as in the report. The dependencies of the others are D.1 as
 * computed; lemma 27 also depends on our L31, which bounds the variables.
 * @param {System} system
 */
function asInTheReport(system) {
  const properties = system.properties.map(property =>
    property.name === 'MInv'
      ? { ...property, restsOn: REPORT_DEPENDENCIES.MInv.map(n => `L${n}`) }
      : property,
  );
  return { ...system, properties };
}

/** Processor time, so that other programs have little effect. */
function seconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** The seconds that Z3 took to check proofs again. */
const checkingTime = (() => {
  const checking = new Set();
  let total = 0;
  const { takeBench } = z3;
  const { run } = z3.module;
  z3.takeBench = (system, use) => {
    const bench = takeBench.call(z3, system, use);
    if (use.purpose === 'checking') checking.add(bench.context);
    return bench;
  };
  z3.module.run = (context, script) => {
    const start = seconds();
    const reply = run.call(z3.module, context, script);
    if (checking.has(context)) total += seconds() - start;
    return reply;
  };
  return () => total;
})();

/**
 * @param {number} value
 * @param {number} [digits]
 * @param {number} [width]
 */
function column(value, digits = 1, width = 10) {
  return value.toFixed(digits).padStart(width);
}

/** @param {number} threads */
function systemFor(threads) {
  return asInTheReport(composeCounted(lfhtModel(REPORT_PARAMETERS, threads), threads));
}

/**
 * `check` is the time to check the proofs again; it is not part of `prove`.
 * @param {System} system
 * @param {System['properties']} wanted
 * @param {number} maxDepth
 */
function proveAll(system, wanted, maxDepth) {
  const [start, checkedBefore] = [seconds(), checkingTime()];
  const proved = new Map();
  let depth = 0;
  for (const property of inOrder(system, wanted)) {
    const names = [...system.structural.map(({ name }) => name), ...property.restsOn];
    const lemmas = names.flatMap(name => proved.get(name) ?? []).filter(other => other !== property);
    const outcome = runNarrowed('k-induction', toolsFor(system, maxDepth), property, lemmas);
    if (outcome.status !== 'proved') throw new Error(`${property.name}: ${JSON.stringify(outcome)}`);
    proved.set(property.name, property);
    depth = Math.max(depth, outcome.depth);
  }
  const check = checkingTime() - checkedBefore;
  return { depth, prove: seconds() - start - check, check, count: proved.size };
}

if (part === 'all' || part === 'd1') {
  console.log(
    'Table D.1: which lemma needs which (2 threads; induction over one step unless a depth is given)\n',
  );
  const system = composeCounted(lfhtModel(REPORT_PARAMETERS, 2), 2);
  const properties = asInTheReport(system).properties.filter(({ name }) => !/^L(29|3\d)$/.test(name));
  const { table, unproved } = computeDependencies(toolsFor(system, 5), properties);
  for (const { property, depth, needs } of table) {
    const ours = needs.map(name => name.replace(/^L/, '')).join(', ') || '-';
    const theirs = (REPORT_DEPENDENCIES[property] ?? []).join(', ') || '-';
    console.log(
      `${property.padEnd(5)} ${depth > 1 ? `depth ${depth}, ` : ''}needs ${ours}   (report: ${theirs})`,
    );
  }
  if (unproved.length > 0) console.log(`not proved: ${unproved.join(', ')}`);
}

if (part === 'all' || part === 'd2' || part === 'states') {
  console.log(
    '\nTable D.2: all lemmas and MInv; seconds of the processor. Proofs are checked again, which the report did not do.',
  );
  console.log('         report           k-induction                            all states');
  console.log(
    'threads    K         s    K     prove     ratio  check again       states         s     ratio',
  );
  // The first proof is a warm-up, in which V8 optimises Z3.
  const first = systemFor(2);
  if (part !== 'states') proveAll(first, first.properties, 7);
  for (const [threads, [k, reported]] of REPORT_D2) {
    if (threads < Number(fewest) || threads > Number(most)) continue;
    const system = systemFor(threads);
    const startOfStates = seconds();
    const { results, states } = await prove(system, { engine: 'explicit' }, NO_LIMIT);
    const ofStates = seconds() - startOfStates;
    const open = results.filter(({ outcome }) => outcome.status !== 'proved');
    if (open.length > 0) throw new Error(`not proved: ${open.map(({ property }) => property)}`);
    const here = part === 'states' ? undefined : proveAll(system, system.properties, 2 * threads + 3);
    console.log(
      `${`${threads}`.padStart(7)}${column(k, 0, 5)}${column(reported)}${
        here === undefined
          ? ' '.repeat(38)
          : column(here.depth, 0, 5) +
            column(here.prove, 2) +
            column(reported / here.prove) +
            column(here.check, 2, 13)
      }${`${states}`.padStart(13)}${column(ofStates)}${column(reported / ofStates)}`,
    );
  }
  if (part === 'states') process.exit();
  const unknown = unknownThreads(1, 17);
  const every = composeCounted(lfhtModel(REPORT_PARAMETERS, ref(unknown)), unknown);
  const goal = every.properties.filter(({ name }) => name === 'MInv');
  const one = proveAll(every, goal, 2);
  console.log(
    `1 to 17 at once, with our lemmas: K ${one.depth}, ${one.prove.toFixed(2)} s, ${one.check.toFixed(2)} s to check, ${one.count} proofs`,
  );
  for (const threads of [7, 12]) {
    const system = composeCounted(lfhtModel(REPORT_PARAMETERS, threads), threads);
    const start = seconds();
    const { results, states } = await prove(system, { engine: 'explicit', properties: ['MInv'] }, NO_LIMIT);
    const taken = (seconds() - start).toFixed(1);
    console.log(
      `${threads} threads, state by state: MInv ${results.at(-1)?.outcome.status}, ${states} states, ${taken} s`,
    );
  }
}

if (part === 'all' || part === 'frontier') {
  const numbers = part === 'all' ? [3] : process.argv.slice(3).map(Number);
  for (const tables of numbers.length === 0 ? [3] : numbers) await frontier(tables);
}
z3.close();

/** @param {number} tables */
async function frontier(tables) {
  console.log(
    `\n${tables} tables: MInv holds for 1 to P threads (one proof each row) and fails from P + 1 on (one run each row)`,
  );
  console.log('threshold   tax      P   proof             run that breaks P + 1');
  for (const numerator of [5, 6, 7, 8]) {
    for (const tax of [1, 2, 3, 4, 6, 8, 12, 16]) {
      const parameters = { ...REPORT_PARAMETERS, tables, tax, threshold: { numerator, denominator: 10 } };
      const threads = largestThreads(parameters);
      const proof = threads === 0 ? '-' : await proofFor(parameters, threads);
      const commands = breakingRun(parameters, threads + 1);
      const runs = commands === undefined ? [] : [{ commands, threads: threads + 1 }];
      const broken = composeCounted({ ...lfhtModel(parameters, threads + 1), runs }, threads + 1);
      /** @type {import('../dist/modelcheck/prove-system.js').ProofOptions} */
      const options = { engine: 'explicit', properties: ['MInv'], maxStates: 1 };
      const { results } = await prove(broken, options, NO_LIMIT);
      const [{ outcome }] = results.filter(({ property }) => property === 'MInv');
      const steps =
        outcome.status === 'refuted' ? `refuted in ${outcome.trace.length - 1} steps` : outcome.status;
      console.log(
        `${`${numerator / 10}`.padStart(9)}   ${`${tax}`.padStart(3)}   ${`${threads}`.padStart(4)}   ${proof.padEnd(15)}   ${steps}`,
      );
    }
  }
}

/**
 * Proves all of them at once by induction; where our lemmas are too weak, it enumerates the states
 * of the largest.
 * @param {Parameters<typeof largestThreads>[0]} parameters
 * @param {number} threads
 */
async function proofFor(parameters, threads) {
  const unknown = unknownThreads(1, threads);
  const system = composeCounted(lfhtModel(parameters, ref(unknown)), unknown);
  try {
    proveAll(
      system,
      system.properties.filter(({ name }) => name === 'MInv'),
      1,
    );
    return 'inductive';
  } catch {
    const finite = composeCounted(lfhtModel(parameters, threads), threads);
    /** @type {import('../dist/modelcheck/prove-system.js').ProofOptions} */
    const options = { engine: 'explicit', properties: ['MInv'], maxStates: 2_000_000 };
    const { results, states } = await prove(finite, options, NO_LIMIT);
    return results.at(-1)?.outcome.status === 'proved' ? `${states} states` : 'open';
  }
}
