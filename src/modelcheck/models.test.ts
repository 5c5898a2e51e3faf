/** The models that come with Redzone: each proved, each with a broken variant refuted. */
import { describe, expect, test } from 'vitest';
import { composeCounted, composeNamed } from './compose.js';
import { searchStates } from './explicit/search.js';
import { and, eq, ge, gt, implies, not, ref, type Variable } from './expression.js';
import type { Property } from './model-builder.js';
import { casModel } from './models/cas.js';
import { buildSystem, catalogue } from './models/catalogue.js';
import { fourSlotModel } from './models/four-slot.js';
import { lfhtModel, REPORT_PARAMETERS } from './models/lfht.js';
import { NO_LIMIT } from './result.js';
import type { System } from './system.js';

function search(system: System): Record<string, string> {
  const { outcomes } = searchStates(system, [...system.structural, ...system.properties], NO_LIMIT);
  return Object.fromEntries([...outcomes].map(([{ name }, { status }]) => [name, status]));
}

describe.each([
  ['cas', 'no increment is lost'],
  ['queue', 'nothing is lost'],
  ['four-slot', 'coherence'],
  ['lfht-handles', 'nothing freed is touched'],
])('%s', (name, claim) => {
  test('is proved', () => {
    const statuses = search(buildSystem({ kind: 'built-in', name })!);
    expect(statuses).toHaveProperty(claim);
    expect(new Set(Object.values(statuses))).toEqual(new Set(['proved']));
  });

  test('and its broken variant refuted', () => {
    expect(search(buildSystem({ kind: 'built-in', name: `${name}-broken` })!)[claim]).toBe('refuted');
  });
});

test('every model of the catalogue can be built', () => {
  for (const name of Object.keys(catalogue))
    expect(buildSystem({ kind: 'built-in', name })?.properties.length).toBeGreaterThan(0);
  expect(buildSystem({ kind: 'built-in', name: 'constructor' })).toBeUndefined();
});

test('named, sorted and counted threads give the same answers', () => {
  const named = composeNamed(casModel(3, true), 3);
  const unsorted: System = { ...named, threads: [] };
  const unsortedCommands = named.commands.map(({ thread: _, ...command }) => command);
  const counted = composeCounted(casModel(3, true), 3);
  const states = [named, { ...unsorted, commands: unsortedCommands }, counted].map(system =>
    searchStates(system, system.properties, NO_LIMIT),
  );
  expect(states.map(report => [...report.outcomes.values()][0]!.status)).toEqual([
    'refuted',
    'refuted',
    'refuted',
  ]);
  expect(states[0]!.states).toBe(states[2]!.states);
  expect(states[1]!.states).toBeGreaterThan(3 * states[0]!.states);
});

describe('vacuity', () => {
  test('lemma 3 as printed in the SRI report has a premise that never holds', () => {
    const system = composeCounted(lfhtModel(REPORT_PARAMETERS, 1), 1);
    const variable = (name: string): Variable => system.variables.find(one => one.name === name)!;
    const entries = ref(variable('ht[1].entries'));
    const asPrinted: Property = {
      name: 'lemma 3 as printed',
      formula: implies(and(not(ge(entries, 20)), eq(entries, 32)), eq(ref(variable('ht[2].entries')), 0)),
      role: 'lemma',
      restsOn: [],
    };
    const report = searchStates(system, [asPrinted], NO_LIMIT);
    expect(report.outcomes.get(asPrinted)!.status).toBe('proved');
    expect(report.vacuous).toContainEqual({ kind: 'premise', property: 'lemma 3 as printed' });
  });

  test('a guard that never holds is reported', () => {
    const model = fourSlotModel(false);
    const [first] = model.commands;
    const never = { ...first!, name: 'never', guard: and(first!.guard, gt(0, 1)) };
    const system = composeNamed({ ...model, commands: [...model.commands, never] }, 1);
    expect(searchStates(system, [], NO_LIMIT).vacuous).toEqual([{ kind: 'guard', command: 'never' }]);
  });
});
