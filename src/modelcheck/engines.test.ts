/**
 * The engines against each other and against known answers.
 *
 * Random systems: explicit search is the plain truth, k-induction and IC3 may be at a loss but
 * never differ. The files of `examples/models` have known answers of both kinds.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadCadicalModule } from '../solver/cadical.js';
import { Random } from '../support/random.js';
import { BitDecider } from './bit-decider.js';
import type { MakeDecider } from './decider.js';
import { Meaning } from './evaluate-system.js';
import { searchStates } from './explicit/search.js';
import { and, eq, ge, le, ref } from './expression.js';
import { ic3 } from './ic3.js';
import { boundedCheck, type InductionTools, kInduction } from './k-induction.js';
import type { Property } from './model-builder.js';
import { narrow } from './narrow.js';
import { inOrder, prove, runNarrowed } from './prove-system.js';
import { randomBool, randomSystem, smallVariables } from './random-systems-testing.js';
import { readMcmt } from './read/mcmt.js';
import { recheckInduction, recheckInvariant } from './recheck.js';
import { replay } from './replay-trace.js';
import { NO_LIMIT, type Outcome } from './result.js';
import { isBounded, makeSystem, type System } from './system.js';
import { Z3Decider } from './z3-decider.js';
import { Z3Library } from './z3-library.js';

const folder = join(import.meta.dirname, '../../examples/models');

let z3: Z3Library;
let cadical: Awaited<ReturnType<typeof loadCadicalModule>>;
beforeAll(async () => {
  [z3, cadical] = await Promise.all([Z3Library.load(), loadCadicalModule()]);
});
afterAll(() => z3.close());

const onBits: MakeDecider = (system, hasStep) => new BitDecider(cadical, system, hasStep);
const onIntegers: MakeDecider = (system, hasStep) => new Z3Decider(z3, system, hasStep);

function toolsFor(system: System, makeDecider: MakeDecider, maxDepth: number): InductionTools {
  return { system, makeDecider, z3, control: NO_LIMIT, maxDepth };
}

describe('random systems', () => {
  const random = new Random(9);
  const systems = Array.from({ length: 12 }, () => randomSystem(random));

  test.each(systems.map((system, i) => [i, system] as const))(
    'system %i: no engine contradicts the states',
    (_, system) => {
      const properties = [...system.structural, ...system.properties];
      const { outcomes } = searchStates(system, properties, NO_LIMIT);
      for (const property of properties) {
        const truth = outcomes.get(property)!.status;
        const tools = toolsFor(system, onBits, 6);
        const answers = [
          boundedCheck(tools, property),
          kInduction(tools, property, []),
          ic3({ ...tools, maxDepth: 40 }, property, []),
        ];
        for (const { status } of answers) if (status !== 'unknown') expect(status).toBe(truth);
        expect(answers[2]!.status).toBe(truth);
      }
    },
  );
});

test('both deciders and the evaluator agree on formulas about one state', () => {
  const random = new Random(4);
  const system = makeSystem({
    name: 'formulas',
    variables: smallVariables,
    init: and(),
    commands: [],
    properties: [],
  });
  const meaning = new Meaning(system);
  const bits = onBits(system, false);
  const integers = onIntegers(system, false);
  for (let i = 0; i < 60; i++) {
    const formula = randomBool(random, 3);
    const state = [random.below(2), random.below(6), random.below(6) - 3, random.below(3)];
    const [b, ...rest] = smallVariables;
    const here = [
      ...rest.map((variable, at) => eq(ref(variable), state[at + 1]!)),
      state[0] === 0 ? ({ kind: 'not', a: ref(b!) } as const) : ref(b!),
    ];
    for (const decider of [bits, integers]) {
      const literals = [...here, formula].map(part => decider.literal(part, 0));
      expect(decider.check(literals, 1000).kind === 'sat', `${decider.name} ${i}`).toBe(
        meaning.holds(formula, state),
      );
    }
  }
  bits.close();
  integers.close();
});

function fileSystem(name: string): System {
  const read = readMcmt(name, readFileSync(join(folder, name), 'utf8'));
  if (read.kind === 'invalid') throw new Error(JSON.stringify(read.diagnostic));
  return read.systems[0]!;
}

/** Every property with the engine given, lemmas in order. */
function answers(
  system: System,
  engine: (tools: InductionTools, property: Property, lemmas: readonly Property[]) => Outcome,
): Record<string, string> {
  const proved = new Map<string, Property>();
  const found: Record<string, string> = {};
  for (const property of inOrder(system, system.properties)) {
    const tools = toolsFor(system, isBounded(system) ? onBits : onIntegers, 30);
    const lemmas = property.restsOn.flatMap(name => proved.get(name) ?? []);
    const outcome = engine(tools, property, lemmas);
    if (outcome.status === 'proved') proved.set(property.name, property);
    if (system.properties.includes(property))
      found[property.name] =
        outcome.status + (outcome.status === 'refuted' ? ` in ${outcome.trace.length - 1}` : '');
  }
  return found;
}

describe('lemmas that bound every variable', () => {
  const open = fileSystem('counter-overflow.mcmt');
  const [x] = open.variables;
  const bound = (most: number): Property => ({
    name: 'bound',
    formula: and(le(ref(x!), most), ge(ref(x!), 0)),
    role: 'lemma',
    restsOn: [],
  });

  test('make it a system of bits, with the same states', () => {
    const narrowed = narrow(open, [bound(40)])!;
    expect(isBounded(narrowed.system)).toBe(true);
    expect(narrowed.bounding).toEqual([bound(40)]);
    expect(narrow(open, [])).toBeUndefined();
    expect(narrow(narrowed.system, [])).toBeUndefined();
  });

  test('a refutation on bits is replayed on the integers', () => {
    const tools = toolsFor(open, onBits, 30);
    const outcome = runNarrowed('bmc', tools, open.properties[0]!, [bound(40)]);
    expect(outcome.status === 'refuted' && outcome.trace.length).toBe(11);
  });
});

test('the solvers notice what is vacuous, too', async () => {
  const { vacuous } = await prove(fileSystem('traffic.mcmt'), { engine: 'k-induction' }, NO_LIMIT);
  expect(vacuous).toEqual([{ kind: 'premise', property: 'vacuous' }]);
});

test('a certificate that does not hold is a defect, not an answer', () => {
  const system = fileSystem('counter-overflow.mcmt');
  const tools = toolsFor(system, onIntegers, 1);
  expect(() => recheckInduction(tools, system.properties[0]!, [], 1)).toThrow('a certificate does not hold');
  expect(() => recheckInvariant(tools, system.properties[0]!, [], [])).toThrow('a certificate does not hold');
});

test('a trace that the model does not allow is a defect, not an answer', () => {
  const system = fileSystem('counter-overflow.mcmt');
  const meaning = new Meaning(system);
  const { formula } = system.properties[0]!;
  const trace = Array.from({ length: 11 }, (_, i) => ({ state: [i] }));
  expect(replay(meaning, trace, formula)).toHaveLength(11);
  expect(() => replay(meaning, trace.slice(1), formula)).toThrow('does not begin in an initial state');
  expect(() => replay(meaning, trace.slice(0, 5), formula)).toThrow('does not end in a violation');
  expect(() => replay(meaning, trace.toSpliced(4, 1), formula)).toThrow(
    'a step that the model does not have',
  );
});

describe('systems with known answers', () => {
  const known: readonly (readonly [string, Record<string, string>])[] = [
    ['counter.mcmt', { positive: 'proved' }],
    ['counter-overflow.mcmt', { 'below-ten': 'refuted in 10' }],
    ['parity.mcmt', { even: 'proved', 'not-seven': 'proved' }],
    ['twins.mcmt', { equal: 'proved' }],
    ['twins-apart.mcmt', { equal: 'refuted in 6' }],
    ['fibonacci.mcmt', { natural: 'proved', rising: 'proved' }],
    ['accumulator.mcmt', { positive: 'proved' }],
    ['peterson.mcmt', { exclusion: 'proved' }],
    ['peterson-broken.mcmt', { exclusion: 'refuted in 6' }],
    ['traffic.mcmt', { 'one-green': 'proved', vacuous: 'proved' }],
    ['jugs.mcmt', { 'never-four': 'refuted in 6' }],
    ['ring.mcmt', { 'one-token': 'proved' }],
    ['drift.mcmt', { stays: 'refuted in 1' }],
    ['elevator.mcmt', { safe: 'proved', 'never-second': 'refuted in 4' }],
  ];
  test.each(known)('%s by IC3', (name, expected) => {
    // IC3 does not look for the shortest trace.
    const statuses = (found: Record<string, string>) => Object.values(found).map(text => text.split(' ')[0]);
    expect(statuses(answers(fileSystem(name), ic3))).toEqual(statuses(expected));
  });
  test.each(known.filter(([name]) => !['peterson.mcmt', 'jugs.mcmt'].includes(name)))(
    '%s by k-induction',
    (name, expected) => {
      expect(answers(fileSystem(name), kInduction)).toEqual(expected);
    },
  );
  test.each(['traffic.mcmt', 'peterson.mcmt', 'peterson-broken.mcmt', 'jugs.mcmt', 'ring.mcmt'])(
    '%s state by state',
    name => {
      const system = fileSystem(name);
      const { outcomes } = searchStates(system, system.properties, NO_LIMIT);
      const expected = known.find(([file]) => file === name)![1];
      for (const [property, { status }] of outcomes) expect(expected[property.name]).toContain(status);
    },
  );
});
