/**
 * Exploration against exploration with less reduction, on the table: without the marks of quiet
 * tables (`markQuiet`), and with every step of every state (`everyStep`). The same histories, each
 * with the same ends. An end is what the handles know and all of the memory, but for marks in old
 * tables and for what was released.
 */
import { expect, test } from 'vitest';
import { blocksIn } from '../pool.js';
import {
  Descriptor,
  ENTRY_BYTES,
  FROZEN,
  layOut,
  SPECIAL_ENTRIES,
  Table,
  tableIn,
  VALUE,
} from '../table-layout.js';
import { smallScenarios } from './scenarios-testing.js';
import { exploreTable, SCENARIO_DESCRIPTOR, SCENARIO_POOL, type TableScenario } from './table-scenario.js';

function withoutMarks(final: Int32Array): Int32Array {
  const words = final.slice();
  const word = (at: number): number => words[at >> 2]!;
  const current = tableIn(word(SCENARIO_DESCRIPTOR + Descriptor.head));
  for (const { at, byteCount, used } of blocksIn(final, SCENARIO_POOL)) {
    if (!used) words.fill(0, (at + 8) >> 2, (at + byteCount) >> 2);
    if (!used || at === current || at === SCENARIO_DESCRIPTOR) continue;
    const { capacity, entries } = layOut(
      word(at + Table.capacity),
      word(SCENARIO_DESCRIPTOR + Descriptor.block),
    );
    for (let i = 0; i < capacity + SPECIAL_ENTRIES; i++) {
      const key = (at + entries + i * ENTRY_BYTES) >> 2;
      if (words[key] === -1 && words[key + 1] === -1) words.fill(0, key, key + 2);
      words[key + (VALUE >> 2) + 1]! &= ~FROZEN;
    }
  }
  return words;
}

function explored(
  scenario: TableScenario,
  options: Pick<TableScenario, 'marksOneByOne' | 'everyStep'>,
): { histories: Set<string>; ends: Set<string> } {
  const histories = new Set<string>();
  const ends = new Set<string>();
  const { violation, outcome, states, steps } = exploreTable({
    ...scenario,
    ...options,
    ...{ tellsHistoriesApart: true, maxSteps: 40_000_000 },
    checkExecution({ history, fields, words }) {
      histories.add(history!);
      ends.add(`${history} ${fields.join(' ')} ${withoutMarks(words).join()}`);
      return undefined;
    },
  });
  console.log(`${outcome}, ${states} states, ${steps} steps, ${histories.size} histories, ${ends.size} ends`);
  expect(violation?.message).toBe(undefined);
  expect(outcome).toBe('exhausted');
  return { histories, ends };
}

test.each(Object.entries(smallScenarios))('%s', (_, scenario) => {
  const reduced = explored(scenario, {});
  for (const option of ['marksOneByOne', 'everyStep'] as const) {
    const plain = explored(scenario, { [option]: true });
    expect(reduced.histories).toEqual(plain.histories);
    expect(reduced.ends).toEqual(plain.ends);
  }
});
