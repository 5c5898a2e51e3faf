/**
 * `npm run bench:prove`: the hash table's migration, as the report has it and beyond.
 *
 *   D.1   which lemma needs which, computed, beside the report's table
 *   D.2   all 28 lemmas and MInv by k-induction with the report's lemmas, for 2 to 7 threads, beside the report's depths and times;
 *         with our lemmas, for every number of threads up to 17 by one proof; and by visiting all states
 *   for which (P, M, threshold) MInv holds, each row one proof and one run that breaks it
 *
 * Arguments: `d1`, `d2`, `frontier` choose a part; `d2 2 5` the rows for so many threads, `states 2 7` without k-induction.
 */
import { composeCounted, unknownThreads } from '../dist/modelcheck/compose.js';
import { computeDependencies } from '../dist/modelcheck/dependencies.js';
import { ref } from '../dist/modelcheck/expression.js';
import { kInduction } from '../dist/modelcheck/induction.js';
import { lfhtModel, REPORT_DEPENDENCIES, REPORT_PARAMETERS } from '../dist/modelcheck/models/lfht.js';
import { breakingRun, largestThreads } from '../dist/modelcheck/models/lfht-frontier.js';
import { inOrder, prove } from '../dist/modelcheck/prove.js';
import { NO_LIMIT } from '../dist/modelcheck/result.js';
import { Z3Decider, Z3Library } from '../dist/modelcheck/z3-decider.js';

const REPORT_D2 = new Map([
  [2, [5, 0.5]],
  [3, [7, 1]],
  [4, [9, 2]],
  [5, [11, 6]],
  [6, [13, 55]],
  [7, [15, 2745]],
]);

const [part = 'all', fewest = '2', most = '7'] = process.argv.slice(2);
const z3 = await Z3Library.load();
const toolsFor = (system, maxDepth) => ({
  system,
  makeDecider: one => new Z3Decider(z3, one),
  z3,
  control: NO_LIMIT,
  maxDepth,
});

/** The lemmas of the report, without ours; MInv rests on what it rests on there. What the others rest on is D.1 as computed. */
function asInTheReport(system) {
  const ofReport = system.properties.filter(({ name }) => !/^L(29|3\d)$/.test(name));
  const properties = ofReport.map(property =>
    property.name === 'MInv'
      ? { ...property, restsOn: REPORT_DEPENDENCIES.MInv.map(n => `L${n}`) }
      : property,
  );
  return { ...system, properties };
}

/** Of the processor, so that other programs do not count. */
function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function column(value, digits = 1) {
  return value.toFixed(digits).padStart(10);
}

function proveAll(system, wanted, maxDepth) {
  const start = cpuSeconds();
  const proved = new Map();
  let depth = 0;
  for (const property of inOrder(system, wanted)) {
    const names = [...system.structural.map(({ name }) => name), ...property.restsOn];
    const lemmas = names.flatMap(name => proved.get(name) ?? []).filter(other => other !== property);
    const outcome = kInduction(toolsFor(system, maxDepth), property, lemmas);
    if (outcome.status !== 'proved') throw new Error(`${property.name}: ${outcome.status} ${outcome.reason}`);
    proved.set(property.name, property);
    depth = Math.max(depth, outcome.depth);
  }
  return { depth, seconds: cpuSeconds() - start, count: proved.size };
}

if (part === 'all' || part === 'd1') {
  console.log(
    'Table D.1: which lemma needs which (2 threads; induction over one step unless a depth is given)\n',
  );
  const system = composeCounted(lfhtModel(REPORT_PARAMETERS, 2), 2);
  const properties = asInTheReport(system).properties;
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
    '\nTable D.2: all lemmas and MInv, proved and each proof checked again; seconds of this process',
  );
  console.log('            k-induction, report    k-induction, here            all states, here');
  console.log('threads     K         s            K         s     ratio        states         s     ratio');
  for (const [threads, [k, seconds]] of REPORT_D2) {
    if (threads < Number(fewest) || threads > Number(most)) continue;
    const system = asInTheReport(composeCounted(lfhtModel(REPORT_PARAMETERS, threads), threads));
    const startOfStates = cpuSeconds();
    const { results, states } = await prove(system, { engine: 'explicit' }, NO_LIMIT);
    const ofStates = cpuSeconds() - startOfStates;
    const open = results.filter(({ outcome }) => outcome.status !== 'proved');
    if (open.length > 0) throw new Error(`not proved: ${open.map(({ property }) => property)}`);
    const visited = `${`${states}`.padStart(10)}${column(ofStates)}${column(seconds / ofStates)}`;
    if (part === 'states') {
      console.log(`${`${threads}`.padStart(7)}${column(k, 0)}${column(seconds)}${' '.repeat(36)}${visited}`);
      continue;
    }
    const here = proveAll(system, system.properties, 2 * threads + 3);
    const inducted = `${column(here.depth, 0)}${column(here.seconds)}${column(seconds / here.seconds)}`;
    console.log(`${`${threads}`.padStart(7)}${column(k, 0)}${column(seconds)}   ${inducted}   ${visited}`);
  }
  if (part === 'states') process.exit();
  const unknown = unknownThreads(1, 17);
  const every = composeCounted(lfhtModel(REPORT_PARAMETERS, ref(unknown)), unknown);
  const goal = every.properties.filter(({ name }) => name === 'MInv');
  const one = proveAll(every, goal, 2);
  console.log(
    `1 to 17 at once, with our lemmas: K ${one.depth}, ${one.seconds.toFixed(1)} s, ${one.count} proofs`,
  );
  for (const threads of [7, 12]) {
    const system = composeCounted(lfhtModel(REPORT_PARAMETERS, threads), threads);
    const start = performance.now();
    const { results, states } = await prove(system, { engine: 'explicit', properties: ['MInv'] }, NO_LIMIT);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(
      `${threads} threads, state by state: MInv ${results.at(-1).outcome.status}, ${states} states, ${seconds} s`,
    );
  }
}

if (part === 'all' || part === 'frontier') {
  console.log(
    '\nMInv holds for 1 to P threads (one proof each row) and fails from P + 1 on (one run each row)',
  );
  console.log('threshold   tax      P   proof             run that breaks P + 1');
  for (const numerator of [5, 6, 7, 8]) {
    for (const tax of [1, 2, 3, 4, 6, 8, 12, 16]) {
      const parameters = { ...REPORT_PARAMETERS, tax, threshold: { numerator, denominator: 10 } };
      const threads = largestThreads(parameters);
      const proof = await proofFor(parameters, threads);
      const run = breakingRun(parameters, threads + 1);
      const broken = { ...composeCounted(lfhtModel(parameters, threads + 1), threads + 1), runs: [run] };
      const { results } = await prove(
        broken,
        { engine: 'explicit', properties: ['MInv'], maxStates: 1 },
        NO_LIMIT,
      );
      const { outcome } = results.find(({ property }) => property === 'MInv');
      const steps =
        outcome.status === 'refuted' ? `refuted in ${outcome.trace.length - 1} steps` : outcome.status;
      console.log(
        `${`${numerator / 10}`.padStart(9)}   ${`${tax}`.padStart(3)}   ${`${threads}`.padStart(4)}   ${proof.padEnd(15)}   ${steps}`,
      );
    }
  }
}
z3.close();

/** By induction for all of them at once; where our lemmas are too weak, by visiting the states of the largest. */
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
    const options = { engine: 'explicit', properties: ['MInv'], maxStates: 2_000_000 };
    const { results, states } = await prove(finite, options, NO_LIMIT);
    return results.at(-1).outcome.status === 'proved' ? `${states} states` : 'open';
  }
}
