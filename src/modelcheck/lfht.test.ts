/** The hash table's migration: state counts that an independent run gave, lemmas, vacuity, and where MInv breaks. */
import { describe, expect, test } from 'vitest';
import { composeCounted, composeNamed } from './compose.js';
import { searchStates } from './explicit/search.js';
import { lfhtModel, REPORT_PARAMETERS } from './models/lfht.js';
import { prove } from './prove.js';
import { NO_LIMIT } from './result.js';

describe('the protocol of the report', () => {
  test.each([
    [1, 232],
    [2, 1863],
    [3, 8504],
    [4, 27755],
  ])('%i threads: %i states, all 28 lemmas and MInv hold', (threads, states) => {
    const system = composeCounted(lfhtModel(REPORT_PARAMETERS, threads), threads);
    expect(system.properties).toHaveLength(29);
    const report = searchStates(system, system.properties, NO_LIMIT);
    expect(report.states).toBe(states);
    expect([...report.outcomes.values()].map(({ status }) => status)).toEqual(Array(29).fill('proved'));
    expect(report.vacuous).toEqual([{ kind: 'guard', command: 'full' }]);
  });

  test('named threads up to renaming have as many states as counted ones', () => {
    const system = composeNamed(lfhtModel(REPORT_PARAMETERS, 3), 3);
    const report = searchStates(system, system.properties, NO_LIMIT);
    expect([report.states, report.depth]).toEqual([8504, 237]);
  });

  test('with a tax of one entry, two threads break MInv; the trace ends with a growth too early', async () => {
    const system = composeCounted(lfhtModel({ ...REPORT_PARAMETERS, tax: 1 }, 2), 2);
    const { results } = await prove(system, { engine: 'explicit', properties: ['MInv'] }, NO_LIMIT);
    const outcome = results.at(-1)!.outcome;
    expect(outcome.status).toBe('refuted');
    if (outcome.status !== 'refuted') return;
    expect(outcome.trace).toHaveLength(120);
    expect(outcome.trace.at(-1)!.command).toBe('grow');
    expect(outcome.trace[0]!.state).toHaveLength(system.variables.length);
  });
});
