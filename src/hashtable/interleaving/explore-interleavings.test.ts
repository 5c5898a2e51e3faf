/**
 * The explorer and its monitor of histories against plain enumeration of all orders of steps, each
 * history judged by a search through all orders of calls; and the pool.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Interpreter, Process, type StepValue } from '../language/interpret.js';
import { parseProgram } from '../language/parse.js';
import { Pool } from '../pool.js';
import { BLOCK_PREFIX, tableProgram } from '../source/index.js';
import { exploreInterleavings, type InterleavingReport } from './explore-interleavings.js';
import { InterpretedMemory } from './interpreted-memory.js';
import type { SequentialModel } from './linearizability.js';
import { mistakes } from './mistakes.js';
import { SimulatedMemory } from './simulated-memory.js';
import { unobservable } from './table-scenario.js';

/**
 * Operations on two registers. One kind of increment is not atomic and one gives up: programs with
 * them may be wrong.
 */
const registers = new Interpreter(
  parseProgram(
    [
      `fn read(word): i32 { return load32('value.read', 8 * word); }
       fn write(word): i32 { store32('value.write', 8 * word, 5); return 0; }
       fn increment(word): i32 { return high(add64('head.pin', 8 * word - 4, join(0, 1))); }
       fn racyIncrement(word): i32 {
         let sum = load32('value.read', 8 * word) + 1;
         store32('value.write', 8 * word, sum);
         return sum;
       }
       fn patientIncrement(word): i32 {
         while (1) {
           let seen = load32('value.read', 8 * word);
           if (cas32('value.write', 8 * word, seen, seen + 1)) return seen + 1;
         }
       }
       fn hastyIncrement(word): i32 {
         let seen = load32('value.read', 8 * word);
         if (cas32('value.write', 8 * word, seen, seen + 1)) return seen + 1;
         return 0;
       }`,
    ],
    {},
  ),
);

const start = (fields: readonly StepValue[] | undefined): Process => new Process(registers, fields);

const names = [
  ...(['read', 'write', 'increment', 'racyIncrement', 'patientIncrement', 'hastyIncrement'] as const),
];

interface Operation {
  readonly name: (typeof names)[number];
  readonly word: number;
}

const model: SequentialModel<readonly number[], Operation, number> = {
  initial: [0, 0, 0],
  apply(state, { name, word }) {
    if (name === 'read') return { state, result: state[word]! };
    if (name === 'write') return { state: state.with(word, 5), result: 0 };
    const sum = state[word]! + 1;
    return { state: state.with(word, sum), result: sum };
  },
  keyOf: String,
  describe: ({ name, word }) => `${name}(${word})`,
};

interface HistoryCall {
  readonly operation: Operation;
  readonly result: number;
  /** A call precedes another if it ended before the other began. */
  readonly from: number;
  readonly to: number;
}

/** Chooses a call that no other precedes, applies it, compares and continues (Wing and Gong). */
function isLinearizable(history: readonly HistoryCall[], state = model.initial): boolean {
  const earliestEnd = Math.min(...history.map(({ to }) => to));
  return (
    history.length === 0 ||
    history.some((call, i) => {
      if (call.from > earliestEnd) return false;
      const { state: after, result } = model.apply(state, call.operation);
      return result === call.result && isLinearizable(history.toSpliced(i, 1), after);
    })
  );
}

type Programs = readonly (readonly Operation[])[];

interface Verdict {
  readonly isLinearizable: boolean;
  /** What can be in the memory at the end. */
  readonly memories: ReadonlySet<string>;
  readonly histories: ReadonlySet<string>;
}

function explored(programs: Programs, options: { judged: boolean; everyStep: boolean }): Verdict {
  const memories = new Set<string>();
  const histories = new Set<string>();
  const { outcome } = exploreInterleavings({
    start,
    initial: new Int32Array(6),
    threads: programs.map(operations => ({
      calls: operations.map(operation => ({
        ...{ operation, name: operation.name, operands: [operation.word], resultOf: Number },
      })),
    })),
    ...(options.judged && { model }),
    everyStep: options.everyStep,
    tellsHistoriesApart: !options.judged,
    checkExecution({ words, history }) {
      memories.add(words.join());
      histories.add(history ?? '');
      return undefined;
    },
  });
  return { isLinearizable: outcome === 'exhausted', memories, histories };
}

/**
 * As `Histories` has it: for each call how many of every thread had ended when it began, and what
 * it answered.
 */
function describeHistory(threads: readonly (readonly HistoryCall[])[]): string {
  const describeCall = ({ from, result }: HistoryCall): string => {
    const ended = threads.map(calls => calls.filter(({ to }) => to < from).length);
    return ` [${ended}] = ${result}`;
  };
  return threads.map(calls => calls.map(describeCall).join('')).join(' |');
}

/** All orders of single steps, by brute force. */
function enumerated(programs: Programs): Verdict {
  const memories = new Set<string>();
  const found = new Set<string>();
  let isRight = true;

  function go(
    memory: SimulatedMemory,
    processes: readonly (Process | undefined)[],
    histories: readonly (readonly HistoryCall[])[],
    time: number,
  ): void {
    let stuck = true;
    for (const [thread, operations] of programs.entries()) {
      const history = histories[thread]!;
      const operation = operations[history.length - (processes[thread] ? 1 : 0)];
      if (operation === undefined) continue;
      stuck = false;
      const copy = new SimulatedMemory(memory.words);
      const process = processes[thread]?.copy() ?? new Process(registers);
      const begins = processes[thread] === undefined;
      if (begins) process.call(operation.name, [operation.word]);
      process.resume(copy.perform(process.pending!).answer);
      const ends = process.pending === undefined;
      const from = begins ? time : history.at(-1)!.from;
      const call = { operation, result: ends ? Number(process.result) : -1, from, to: time };
      const next = begins ? [...history, call] : history.with(-1, call);
      go(copy, processes.with(thread, ends ? undefined : process), histories.with(thread, next), time + 1);
    }
    if (!stuck) return;
    memories.add(memory.words.join());
    found.add(describeHistory(histories));
    isRight &&= isLinearizable(histories.flat());
  }

  const idle: undefined[] = new Array(programs.length).fill(undefined);
  go(
    new SimulatedMemory(new Int32Array(6)),
    idle,
    programs.map(() => []),
    0,
  );
  return { isLinearizable: isRight, memories, histories: found };
}

const operation = fc.record({
  name: fc.constantFrom(...names),
  word: fc.integer({ min: 1, max: 2 }),
});

function compare(programs: Programs): boolean {
  const wanted = enumerated(programs);
  const judged = explored(programs, { judged: true, everyStep: false });
  expect(judged.isLinearizable).toBe(wanted.isLinearizable);
  // No judge ends the search, so all interleavings are explored.
  for (const everyStep of [false, true]) {
    const found = explored(programs, { judged: false, everyStep });
    expect([...found.memories].sort()).toEqual([...wanted.memories].sort());
    // A load that is taken together with its compare-and-swap makes its call begin later: there are
    // fewer histories, which demand more.
    if (programs.flat().some(({ name }) => name === 'patientIncrement'))
      expect([...wanted.histories]).toEqual(expect.arrayContaining([...found.histories]));
    else expect([...found.histories].sort()).toEqual([...wanted.histories].sort());
  }
  return judged.isLinearizable;
}

describe('exploreInterleavings', () => {
  test.each([
    [2, 3, 60],
    [3, 1, 40],
    [3, 2, 12],
  ])('%i threads with up to %i calls: agrees with the enumeration of all orders', (count, calls, numRuns) => {
    const verdicts = new Set<boolean>();
    const programs = fc.array(fc.array(operation, { minLength: 1, maxLength: calls }), {
      ...{ minLength: count, maxLength: count },
    });
    fc.assert(
      fc.property(programs, all => void verdicts.add(compare(all))),
      { seed: 8, numRuns },
    );
    expect(verdicts.size).toBe(2);
  });

  test('shows the steps that lead to a violation', () => {
    const racy = { operation: { name: 'racyIncrement', word: 1 }, name: 'racyIncrement' } as const;
    const thread = { calls: [{ ...racy, operands: [1], resultOf: Number }] };
    const { violation } = exploreInterleavings({
      ...{ start, initial: new Int32Array(6), threads: [thread, thread], model },
    });
    expect(violation!.message).toBe(
      'not linearisable: 0: racyIncrement(1) = 1 [0-2], 1: racyIncrement(1) = 1 [1-3]',
    );
    expect(violation!.trace.map(({ thread: number, step }) => `${number} ${step}`)).toEqual([
      '0 value.read',
      '1 value.read',
      '0 value.write',
      '1 value.write',
    ]);
  });

  test('detects that a word declared final changes', () => {
    const call = (name: Operation['name']) => ({
      calls: [{ operation: { name, word: 1 }, name, operands: [1], resultOf: Number }],
    });
    const { violation } = exploreInterleavings({
      ...{ start, initial: new Int32Array(6), model },
      threads: [call('read'), call('racyIncrement')],
      isFinal: step => step.startsWith('value.'),
    });
    expect(violation?.message).toBe('value.write changes what is final');
  });
});

describe('the pool', () => {
  /** One thread takes two blocks; the other takes two and puts the first back. */
  function contend(changes: string): InterleavingReport {
    // What the calls have got is kept in fields, so that it is part of the state.
    const calls = `
field first;
field second;
fn takeFirst() { my.first = allocate(64, 200, ${200 - BLOCK_PREFIX}); }
fn takeSecond() { my.second = allocate(64, 200, ${200 - BLOCK_PREFIX}); }
fn putBack() { release(64, my.first); }`;
    const words = new Int32Array(1024);
    Pool.format(words, 64, 4096);
    const memory = new InterpretedMemory(words);
    const pool = new Pool(memory, 64);
    const blocks = [1, 2, 3, 4].map(() => pool.allocate(200, 8));
    for (const block of blocks) pool.release(block);
    const interpreter = new Interpreter(tableProgram(changes + calls));
    const call = (name: string) => ({ operation: name, name, operands: [], resultOf: Number });
    return exploreInterleavings({
      start: fields => new Process(interpreter, fields),
      unobservable,
      initial: memory.words,
      threads: [
        { calls: ['takeFirst', 'takeSecond'].map(call) },
        { calls: ['takeFirst', 'takeSecond', 'putBack'].map(call) },
      ],
      checkExecution: ({ fields }) => {
        const kept = [...fields[0]!.slice(-2), fields[1]!.at(-1)];
        return new Set(kept).size === 3 ? undefined : 'a block was given to two';
      },
    });
  }

  test('allocates a block to one thread only', () => {
    expect(contend('')).toMatchObject({ outcome: 'exhausted' });
  });

  test('would allocate it to two threads without tags', () => {
    expect(contend(mistakes.forgetsTags).violation?.message).toBe('a block was given to two');
  });
});
