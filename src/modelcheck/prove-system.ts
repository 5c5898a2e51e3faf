/**
 * Runs an engine on a system: selects the properties, their order and the lemmas, and collects the
 * results.
 *
 * Lemmas are proved in the order of their dependences. A lemma that could not be proved is not
 * used; properties that depend on it are tried without it. `auto` is explicit search while the
 * states are few, then k-induction, then IC3.
 */
import { loadCadicalModule } from '../solver/cadical.js';
import { BitDecider } from './bit-decider.js';
import type { MakeDecider } from './decider.js';
import type { EngineName, SymbolicEngine } from './engine-names.js';
import { Meaning } from './evaluate-system.js';
import { initialStates } from './explicit/initial-states.js';
import { type ExplicitOptions, searchStates } from './explicit/search.js';
import { and, not, or } from './expression.js';
import { ic3 } from './ic3.js';
import { boundedCheck, type InductionTools, kInduction } from './k-induction.js';
import type { Property } from './model-builder.js';
import { narrow } from './narrow.js';
import { premiseOf } from './premise.js';
import { replay } from './replay-trace.js';
import type { Control, Outcome, Result, TraceStep, Vacuity } from './result.js';
import { slice } from './slice.js';
import { isBounded, type State, type System } from './system.js';
import { Z3Decider } from './z3-decider.js';
import { Z3Library } from './z3-library.js';

export interface ProofOptions {
  readonly engine: EngineName | 'auto';
  /** The names of the properties to prove; all by default. */
  readonly properties?: readonly string[] | undefined;
  /** The longest run of bounded model checking and k-induction, the most frames of IC3. */
  readonly maxDepth?: number | undefined;
  readonly maxStates?: number | undefined;
  /** Which solver decides; CaDiCaL needs bounded variables, and is preferred for them. */
  readonly solver?: 'auto' | 'z3' | 'cadical';
}

export interface ProofReport {
  readonly results: readonly Result[];
  readonly vacuous: readonly Vacuity[];
  /** States visited by the explicit engine. */
  readonly states?: number;
}

const DEFAULT_DEPTH: Readonly<Record<EngineName, number>> = {
  explicit: 0,
  bmc: 50,
  'k-induction': 30,
  ic3: 60,
};

/** The number of states that `auto` enumerates before it uses a solver. */
const STATES_OF_AUTO = 300_000;

export async function prove(
  system: System,
  options: ProofOptions,
  control: Control,
  onResult: (result: Result) => void = () => {},
): Promise<ProofReport> {
  if (hasNoStart(system)) return NO_START;
  const asked = wantedProperties(system, options.properties);
  const suspected = trySuspectedRuns(system, asked);
  suspected.forEach(onResult);
  const isOpen = ({ name }: Property) => !suspected.some(({ property }) => property === name);
  const wanted = asked.filter(isOpen);
  if (wanted.length === 0) return { results: suspected, vacuous: [] };
  // A property that rests on a refuted one is tried without it.
  const rest = suspected.length === 0 ? system : { ...system, properties: system.properties.filter(isOpen) };
  const report = await proveRest(rest, wanted, options, control, onResult);
  return { ...report, results: [...suspected, ...report.results] };
}

const NO_START: ProofReport = { results: [], vacuous: [{ kind: 'start' }] };

/** Few enough to be enumerated; beyond that a solver decides. */
const LISTED_STARTS = 10_000;

function hasNoStart(system: System): boolean {
  const starts = initialStates(new Meaning(system), LISTED_STARTS);
  return starts.kind === 'states' && starts.states.length === 0;
}

/**
 * Runs that the model's author suspects, before any search: a violation on one of them needs no
 * engine.
 */
function trySuspectedRuns(system: System, wanted: readonly Property[]): Result[] {
  const begin = performance.now();
  const meaning = new Meaning(system);
  const results: Result[] = [];
  for (const { commands, start } of system.runs ?? []) {
    const starts = initialStates(new Meaning({ ...system, init: and(system.init, start) }));
    if (starts.kind !== 'states' || starts.states.length === 0) continue;
    const trace: TraceStep[] = [{ state: starts.states[0]! }];
    for (const name of commands) {
      const { state } = trace.at(-1)!;
      const step = meaning.steps.find(({ command, isEnabled }) => command.name === name && isEnabled(state));
      const next = step?.apply(state);
      if (next === undefined) break;
      trace.push({ command: name, state: next });
    }
    for (const { name, formula, role } of wanted) {
      const at = trace.findIndex(({ state }) => !meaning.holds(formula, state));
      if (at < 0 || results.some(({ property }) => property === name)) continue;
      const outcome: Outcome = { status: 'refuted', trace: replay(meaning, trace.slice(0, at + 1), formula) };
      results.push({ property: name, role, engine: 'explicit', outcome, ms: performance.now() - begin });
    }
  }
  return results;
}

async function proveRest(
  system: System,
  wanted: readonly Property[],
  options: ProofOptions,
  control: Control,
  onResult: (result: Result) => void,
): Promise<ProofReport> {
  const { engine } = options;
  if (engine === 'explicit' || engine === 'auto') {
    const maxStates = options.maxStates ?? (engine === 'auto' ? STATES_OF_AUTO : undefined);
    const report = proveExplicitly(system, wanted, control, maxStates === undefined ? {} : { maxStates });
    const isOpen = report.results.some(({ outcome }) => outcome.status === 'unknown');
    if (engine === 'explicit' || !isOpen || control.isOver()) {
      report.results.forEach(onResult);
      return report;
    }
  }
  const z3 = await Z3Library.load();
  try {
    const cadical = await loadCadicalModule();
    const makeDecider: MakeDecider = (one, hasStep) =>
      options.solver !== 'z3' && isBounded(one)
        ? new BitDecider(cadical, one, hasStep)
        : new Z3Decider(z3, one, hasStep);
    const decider = makeDecider(system, false);
    const start = decider.check([decider.literal(system.init, 0)], control.remainingMs());
    decider.close();
    if (start.kind === 'unsat') return NO_START;
    const engines: SymbolicEngine[] = engine === 'auto' ? ['k-induction', 'ic3'] : [engine];
    return proveSymbolically(
      { system, makeDecider, z3, control, maxDepth: 0 },
      wanted,
      engines,
      options,
      onResult,
    );
  } finally {
    z3.close();
  }
}

function wantedProperties(system: System, names: readonly string[] | undefined): readonly Property[] {
  return names === undefined
    ? system.properties
    : system.properties.filter(({ name }) => names.includes(name));
}

function roleOf(system: System, property: Property): Result['role'] {
  return system.structural.includes(property) ? 'structure' : property.role;
}

function proveExplicitly(
  system: System,
  wanted: readonly Property[],
  control: Control,
  options: ExplicitOptions,
): ProofReport {
  const start = performance.now();
  const sliced = slice(system, wanted);
  const properties = [...sliced.structural, ...wanted];
  const report = searchStates(sliced, properties, control, {
    ...options,
    untilRefuted: wanted,
  });
  const ms = (performance.now() - start) / properties.length;
  // Once all requested properties are refuted, the rest is not decided.
  const told = wanted.every(property => report.outcomes.get(property)!.status === 'refuted')
    ? wanted
    : properties;
  const results = told.map((property): Result => {
    const outcome = report.outcomes.get(property)!;
    return {
      property: property.name,
      role: sliced.structural.includes(property) ? 'structure' : property.role,
      engine: 'explicit',
      outcome:
        outcome.status === 'refuted'
          ? { ...outcome, trace: unsliced(system, sliced, property, outcome.trace) }
          : outcome,
      ms,
    };
  });
  return { results, vacuous: report.vacuous, states: report.states };
}

/** The same run on the whole system: the values of the variables that were left out come back. */
function unsliced(
  system: System,
  sliced: System,
  property: Property,
  trace: readonly TraceStep[],
): readonly TraceStep[] {
  if (sliced.variables.length === system.variables.length) return trace;
  const meaning = new Meaning(system);
  const kept = sliced.variables.map(variable => system.variables.indexOf(variable));
  const agrees = (state: State, part: State): boolean => kept.every((at, i) => state[at] === part[i]);
  const starts = initialStates(meaning);
  let state =
    starts.kind === 'states' ? starts.states.find(start => agrees(start, trace[0]!.state)) : undefined;
  const whole: TraceStep[] = [];
  for (const [i, { state: part }] of trace.entries()) {
    if (i > 0 && state !== undefined) {
      const before: State = state;
      state = meaning.steps
        .filter(step => step.isEnabled(before))
        .map(step => step.apply(before))
        .find(next => next !== undefined && agrees(next, part));
    }
    if (state === undefined) return trace;
    whole.push({ state });
  }
  return replay(meaning, whole, property.formula);
}

function proveSymbolically(
  tools: InductionTools,
  wanted: readonly Property[],
  engines: readonly SymbolicEngine[],
  options: ProofOptions,
  onResult: (result: Result) => void,
): ProofReport {
  const { system } = tools;
  const results: Result[] = [];
  const proved = new Map<string, Property>();
  for (const property of inOrder(system, wanted)) {
    const isStructural = system.structural.includes(property);
    const lemmas = [
      ...(isStructural ? [] : system.structural.map(({ name }) => name)),
      ...property.restsOn,
    ].flatMap(name => proved.get(name) ?? []);
    const start = performance.now();
    let outcome: Outcome = { status: 'unknown', reason: 'the time was over before it began', depth: 0 };
    let engine = engines[0]!;
    const unreached = options.engine === 'auto' ? tooManySteps(property, options) : undefined;
    for (engine of engines) {
      if (unreached !== undefined) outcome = unreached;
      if (unreached !== undefined || tools.control.isOver()) break;
      const depth = options.maxDepth ?? DEFAULT_DEPTH[engine];
      const own = { ...tools, maxDepth: depth };
      outcome =
        options.solver === 'z3'
          ? runEngine(engine, own, property, lemmas)
          : runNarrowed(engine, own, property, lemmas);
      if (outcome.status !== 'unknown') break;
    }
    if (outcome.status === 'proved') proved.set(property.name, property);
    const result: Result = {
      property: property.name,
      role: roleOf(system, property),
      engine,
      outcome,
      ms: performance.now() - start,
    };
    results.push(result);
    onResult(result);
  }
  const vacuous = engines.includes('bmc') ? [] : findVacuity(tools, wanted, [...proved.values()]);
  return { results, vacuous };
}

/**
 * Gives up on a property that is inductive only over more steps than `auto` tries: the queries grow
 * with the steps, and IC3 would have to find all of these lemmas itself.
 */
function tooManySteps({ inductionSteps = 1 }: Property, { maxDepth }: ProofOptions): Outcome | undefined {
  if (maxDepth !== undefined || inductionSteps <= DEFAULT_DEPTH['k-induction']) return undefined;
  const reason = Number.isFinite(inductionSteps)
    ? `known to be inductive over ${inductionSteps} steps; --engine k-induction --max-depth ${inductionSteps} tries them`
    : 'no number of steps is known over which it is inductive';
  return { status: 'unknown', reason, depth: 0 };
}

/** Where lemmas bound every variable, the engine gets the bounded system. */
export function runNarrowed(
  engine: SymbolicEngine,
  tools: InductionTools,
  property: Property,
  lemmas: readonly Property[],
): Outcome {
  const narrowed = narrow(tools.system, lemmas);
  if (narrowed === undefined) return runEngine(engine, tools, property, lemmas);
  const { system, bounding, translate } = narrowed;
  const rest = lemmas.filter(lemma => !bounding.includes(lemma)).map(translate);
  const outcome = runEngine(engine, { ...tools, system }, translate(property), rest);
  if (outcome.status === 'refuted')
    return { ...outcome, trace: replay(new Meaning(tools.system), outcome.trace, property.formula) };
  if (outcome.status === 'unknown') return outcome;
  return { ...outcome, lemmas: [...outcome.lemmas, ...bounding.map(({ name }) => name)] };
}

function runEngine(
  engine: SymbolicEngine,
  tools: InductionTools,
  property: Property,
  lemmas: readonly Property[],
): Outcome {
  switch (engine) {
    case 'bmc':
      return boundedCheck(tools, property, lemmas);
    case 'ic3':
      return ic3(tools, property, lemmas);
    case 'k-induction':
      return kInduction(tools, property, lemmas);
  }
}

/**
 * The wanted properties with everything on which they depend, each after its dependences;
 * structural properties first.
 */
export function inOrder(system: System, wanted: readonly Property[]): Property[] {
  const byName = new Map(
    [...system.structural, ...system.properties].map(property => [property.name, property]),
  );
  const ordered = new Set<Property>();
  const entered = new Set<Property>();
  const visit = (property: Property): void => {
    if (entered.has(property)) return;
    entered.add(property);
    for (const name of property.restsOn) {
      const other = byName.get(name);
      if (other !== undefined) visit(other);
    }
    ordered.add(property);
  };
  system.structural.forEach(visit);
  wanted.forEach(visit);
  return [...ordered];
}

/** Premises and guards that are provably never true, by induction over a step or two. */
function findVacuity(
  tools: InductionTools,
  wanted: readonly Property[],
  proved: readonly Property[],
): Vacuity[] {
  const isImpossible = (name: string, formula: Property['formula']): boolean => {
    if (tools.control.isOver()) return false;
    const property: Property = { name, formula: not(formula), role: 'lemma', restsOn: [] };
    return kInduction({ ...tools, maxDepth: 2 }, property, proved).status === 'proved';
  };
  const vacuous: Vacuity[] = [];
  for (const { name, formula } of wanted) {
    const premise = premiseOf(formula);
    if (premise !== undefined && isImpossible(`the premise of ${name}`, premise))
      vacuous.push({ kind: 'premise', property: name });
  }
  for (const name of new Set(tools.system.commands.map(command => command.name))) {
    const guards = tools.system.commands.filter(command => command.name === name).map(({ guard }) => guard);
    if (isImpossible(`the guard of ${name}`, or(...guards))) vacuous.push({ kind: 'guard', command: name });
  }
  return vacuous;
}
