/**
 * The explorer against plain enumeration, and the check of histories against hand-made ones.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Memory } from '../memory.js';
import { BLOCK_PREFIX, Pool } from '../pool.js';
import { exploreInterleavings } from './explore.js';
import { ImageMemory } from './image-memory.js';
import { type HistoryCall, linearize } from './linearizability.js';
import type { ThreadBody } from './simulated-thread.js';

interface Instruction {
  readonly kind: 'load' | 'store' | 'add' | 'cas';
  readonly word: number;
  readonly value: number;
}

/** Runs an instruction as one step; what it answers is what the program sees. */
function execute(memory: Memory, { kind, word, value }: Instruction): number {
  const at = 8 * word;
  switch (kind) {
    case 'load':
      return memory.load32('key.read', at);
    case 'store':
      memory.store32('value.write', at, value);
      return 0;
    case 'add':
      return memory.add64('head.pin', at, 0, value) + memory.high;
    case 'cas':
      return Number(memory.cas32('key.claim', at, 0, value));
  }
}

/** A call is a pair of instructions, of which the second depends on the first. */
type Program = readonly (readonly [Instruction, Instruction])[];

function perform(memory: Memory, [one, two]: readonly [Instruction, Instruction]): number {
  const seen = execute(memory, one);
  return 10 * seen + (seen % 2 === 0 ? execute(memory, two) : 0);
}

const instruction = fc.record({
  kind: fc.constantFrom('load' as const, 'store' as const, 'add' as const, 'cas' as const),
  word: fc.nat({ max: 1 }),
  value: fc.integer({ min: 1, max: 2 }),
});
const program = fc.array(fc.tuple(instruction, instruction), { minLength: 1, maxLength: 2 });

/** What can be seen of a run: the memory, the results, and which calls ended before which began. */
function outcome(history: readonly HistoryCall<unknown, number>[], words: Int32Array): string {
  const calls = history.map(({ result, from }) => [result, history.map(other => Number(other.to < from))]);
  return JSON.stringify([[...words], calls]);
}

function explored(programs: readonly Program[]): Set<string> {
  const outcomes = new Set<string>();
  const threads = programs.map(
    (calls): ThreadBody<unknown, number> =>
      (memory, call) => {
        for (const pair of calls) call(pair, () => perform(memory, pair));
        return () => undefined;
      },
  );
  const checkExecution = ({
    history,
    words,
  }: {
    history: readonly HistoryCall<unknown, number>[];
    words: Int32Array;
  }) => {
    outcomes.add(outcome(history, words));
    return undefined;
  };
  exploreInterleavings({ initial: new Int32Array(4), threads, checkExecution });
  return outcomes;
}

/** All orders of single steps, by brute force: a thread is its place in its program. */
function enumerated(programs: readonly Program[]): Set<string> {
  const outcomes = new Set<string>();
  interface Place {
    call: number;
    second: boolean;
    seen: number;
  }

  function go(
    memory: ImageMemory,
    places: Place[],
    history: HistoryCall<unknown, number>[],
    time: number,
  ): void {
    let stuck = true;
    for (const [thread, place] of places.entries()) {
      const pair = programs[thread]![place.call];
      if (!pair) continue;
      stuck = false;
      const copy = new ImageMemory(16);
      copy.words.set(memory.words);
      const next = structuredClone(places);
      const calls = history.map(call => ({ ...call }));
      const mine = next[thread]!;
      if (!place.second) calls.push({ thread, operation: pair, result: 0, from: time, to: time });
      const answer = execute(copy, pair[place.second ? 1 : 0]);
      const ends = place.second || answer % 2 !== 0;
      if (ends) {
        const index = calls.findLastIndex(call => call.thread === thread);
        const result = place.second ? 10 * place.seen + answer : 10 * answer;
        calls[index] = { ...calls[index]!, result, to: time };
        next[thread] = { call: mine.call + 1, second: false, seen: 0 };
      } else next[thread] = { ...mine, second: true, seen: answer };
      go(copy, next, calls, time + 1);
    }
    if (stuck) {
      outcomes.add(
        outcome(
          [...history].sort((a, b) => a.thread - b.thread || a.from - b.from),
          memory.words,
        ),
      );
    }
  }

  const places = programs.map(() => ({ call: 0, second: false, seen: 0 }));
  go(new ImageMemory(16), places, [], 0);
  return outcomes;
}

describe('exploreInterleavings', () => {
  test('sees all outcomes that an enumeration of all orders sees', () => {
    fc.assert(
      fc.property(fc.array(program, { minLength: 2, maxLength: 2 }), programs => {
        expect([...explored(programs)].sort()).toEqual([...enumerated(programs)].sort());
      }),
      { seed: 8, numRuns: 80 },
    );
  });

  test('so it does with three threads', () => {
    fc.assert(
      fc.property(
        fc.array(
          program.map(calls => calls.slice(0, 1)),
          { minLength: 3, maxLength: 3 },
        ),
        programs => {
          expect([...explored(programs)].sort()).toEqual([...enumerated(programs)].sort());
        },
      ),
      { seed: 8, numRuns: 30 },
    );
  });

  test('shows the steps that lead to a violation', () => {
    const body: ThreadBody<string, number> = (memory, call) => {
      call('increment', () => {
        const seen = memory.load32('value.read', 0);
        memory.store32('value.write', 0, seen + 1);
        return seen;
      });
      return () => undefined;
    };
    const { outcome, violation } = exploreInterleavings({
      initial: new Int32Array(1),
      threads: [body, body],
      checkExecution: ({ words }) => (words[0] === 2 ? undefined : 'an increment is lost'),
    });
    expect(outcome).toBe('violation');
    expect(violation!.message).toBe('an increment is lost');
    expect(violation!.trace.map(({ thread, step }) => `${thread} ${step}`)).toEqual([
      '0 value.read',
      '1 value.read',
      '0 value.write',
      '1 value.write',
    ]);
  });
});

describe('the pool', () => {
  /** One thread takes two blocks; the other takes two and puts the first back. */
  function contend(wrap: (memory: Memory) => Memory): ReturnType<typeof exploreInterleavings> {
    const image = new ImageMemory(4096);
    const pool = Pool.format(image, 64, 4096);
    const blocks = [1, 2, 3, 4].map(() => pool.allocate(200, 8));
    for (const block of blocks) pool.release(block);
    const take = (memory: Memory) => () => new Pool(wrap(memory), 64).allocate(200, 200 - BLOCK_PREFIX);
    const threads: ThreadBody<string, number>[] = [
      (memory, call) => {
        call('take', take(memory));
        call('take', take(memory));
        return () => undefined;
      },
      (memory, call) => {
        const first = call('take and put back', take(memory));
        call('take', take(memory));
        call('put back', () => {
          new Pool(wrap(memory), 64).release(first);
          return 0;
        });
        return () => undefined;
      },
    ];
    return exploreInterleavings({
      initial: image.words,
      threads,
      checkExecution: ({ history }) => {
        const kept = history.filter(({ operation }) => operation === 'take').map(({ result }) => result);
        return new Set(kept).size === kept.length ? undefined : 'a block was given to two';
      },
    });
  }

  test('gives a block to one thread only', () => {
    expect(contend(memory => memory)).toMatchObject({ outcome: 'exhausted' });
  });

  test('would give it to two without tags', () => {
    /** A memory in which the upper half of a free list's top never changes. */
    function untagged(memory: Memory): Memory {
      return new Proxy(memory, {
        get(_, name) {
          if (name === 'cas64') {
            const cas: Memory['cas64'] = (step, at, low, high, newLow) =>
              memory.cas64(step, at, low, high, newLow, high);
            return cas;
          }
          const member: unknown = Reflect.get(memory, name, memory);
          return typeof member === 'function' ? member.bind(memory) : member;
        },
      });
    }
    expect(contend(untagged).violation?.message).toBe('a block was given to two');
  });
});

describe('linearize', () => {
  const register = {
    initial: 0,
    apply: (state: number, operation: string) =>
      operation === 'read' ? { state, result: state } : { state: Number(operation), result: -1 },
    keyOf: String,
  };
  const call = (operation: string, result: number, from: number, to: number) => ({
    ...{ thread: 0, operation, result, from, to },
  });

  test('finds the order in which overlapping calls took effect', () => {
    const history = [call('1', -1, 0, 5), call('read', 1, 1, 2), call('2', -1, 3, 4), call('read', 2, 6, 7)];
    expect(linearize(history, register)?.map(({ operation }) => operation)).toEqual([
      '1',
      'read',
      '2',
      'read',
    ]);
  });

  test('refuses a value that comes back', () => {
    const reads = [call('read', 1, 1, 2), call('read', 2, 3, 4), call('read', 1, 5, 6)];
    expect(linearize([call('1', -1, 0, 9), call('2', -1, 0, 9), ...reads], register)).toBe(undefined);
  });

  test('refuses a value that was overwritten before the call began', () => {
    expect(linearize([call('1', -1, 0, 1), call('2', -1, 2, 3), call('read', 1, 4, 5)], register)).toBe(
      undefined,
    );
  });
});
