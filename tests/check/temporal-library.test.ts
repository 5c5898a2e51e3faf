/**
 * Random sequences of pointer operations, answered three ways: by the library of the
 * temporal-errors paper, by the tags in the pointers, and by a plain model that knows which block
 * each pointer came from. The tags agree with the model always. The library does too, except for a
 * stale pointer that was cast to an integer and back (rule R3).
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { check } from '../../src/index.js';

type Operation =
  | { readonly op: 'malloc'; readonly to: number; readonly bytes: number }
  | { readonly op: 'free'; readonly to: number }
  | { readonly op: 'add'; readonly to: number; readonly from: number; readonly distance: number }
  | { readonly op: 'cast' | 'copy'; readonly to: number; readonly from: number }
  | { readonly op: 'clear' | 'local' | 'ask'; readonly to: number }
  | { readonly op: 'return' };

const variable = fc.nat(7);
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ op: fc.constant('malloc'), to: variable, bytes: fc.integer({ min: 1, max: 40 }) }),
  },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('free'), to: variable }) },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('add'),
      to: variable,
      from: variable,
      distance: fc.integer({ min: -4, max: 24 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constantFrom('cast', 'copy'), to: variable, from: variable }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constantFrom('clear', 'local'), to: variable }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('return') }) },
  { weight: 8, arbitrary: fc.record({ op: fc.constant('ask'), to: variable }) },
) as fc.Arbitrary<Operation>;

interface Block {
  readonly bytes: number;
  readonly isHeap: boolean;
  live: boolean;
}

/** Where a pointer variable points by the rules of C. */
interface Pointer {
  readonly block: Block;
  readonly offset: number;
  /** Whether it was stale when it passed through an integer: the library loses its referent. */
  readonly laundered: boolean;
}

interface Question {
  readonly isValid: boolean;
  readonly laundered: boolean;
}

/**
 * The text for the C program, and what the model answers. Operations that C leaves undefined are
 * left out.
 */
function performed(operations: readonly Operation[]): { text: string[]; questions: Question[] } {
  const pointers: (Pointer | undefined)[] = new Array(8).fill(undefined);
  const frames: Block[] = [];
  const text: string[] = [];
  const questions: Question[] = [];
  const isInside = ({ block, offset }: Pointer) => block.live && offset >= 0 && offset < block.bytes;
  for (const operation of operations) {
    switch (operation.op) {
      case 'malloc': {
        const { to, bytes } = operation;
        pointers[to] = { block: { bytes, isHeap: true, live: true }, offset: 0, laundered: false };
        text.push(`m ${to} ${bytes}`);
        break;
      }
      case 'free': {
        const pointer = pointers[operation.to];
        if (pointer === undefined || !pointer.block.isHeap || !isInside(pointer) || pointer.offset !== 0)
          break;
        pointer.block.live = false;
        text.push(`f ${operation.to}`);
        break;
      }
      case 'add': {
        const { to, from, distance } = operation;
        const pointer = pointers[from];
        // In the paper a pointer that leaves its block has no referent, and never gets one back.
        if (pointer === undefined || !isInside({ ...pointer, offset: pointer.offset + distance })) break;
        pointers[to] = { ...pointer, offset: pointer.offset + distance };
        text.push(`a ${to} ${from} ${distance}`);
        break;
      }
      case 'cast': {
        const { to, from } = operation;
        const pointer = pointers[from];
        pointers[to] = pointer && { ...pointer, laundered: pointer.laundered || !pointer.block.live };
        text.push(`i ${to} ${from}`);
        break;
      }
      case 'copy':
        pointers[operation.to] = pointers[operation.from];
        text.push(`c ${operation.to} ${operation.from}`);
        break;
      case 'clear':
        pointers[operation.to] = undefined;
        text.push(`z ${operation.to}`);
        break;
      case 'local': {
        const block = { bytes: 16, isHeap: false, live: true };
        frames.push(block);
        pointers[operation.to] = { block, offset: 0, laundered: false };
        text.push(`l ${operation.to}`);
        break;
      }
      case 'return': {
        const block = frames.pop();
        if (block === undefined) break;
        block.live = false;
        text.push('e');
        break;
      }
      case 'ask': {
        const pointer = pointers[operation.to];
        questions.push({
          isValid: pointer !== undefined && isInside(pointer),
          laundered: pointer?.laundered ?? false,
        });
        text.push(`? ${operation.to}`);
        break;
      }
    }
  }
  return { text: [...text, '!'], questions };
}

test('the tags detect all that the library of the paper detects, and stale pointers made from integers', async () => {
  const sequences = fc.sample(fc.array(operation, { minLength: 40, maxLength: 120 }), {
    seed: 7,
    numRuns: 200,
  });
  const runs = sequences.map(performed);
  const questions = runs.flatMap(run => run.questions);
  const answers = await answersOf(runs.flatMap(run => run.text).join('\n'));
  expect(answers).toHaveLength(questions.length);

  let missedByLibrary = 0;
  const wrong = questions.flatMap(({ isValid, laundered }, i) => {
    const { library, tags } = answers[i]!;
    if (library && !isValid && laundered) missedByLibrary++;
    else if (library !== isValid) return [`question ${i}: the library says ${library}`];
    return tags === isValid ? [] : [`question ${i}: the tags say ${tags}`];
  });
  expect(wrong).toEqual([]);
  const valid = questions.filter(({ isValid }) => isValid).length;
  expect(valid).toBeGreaterThan(300);
  expect(questions.length - valid).toBeGreaterThan(300);
  expect(missedByLibrary).toBeGreaterThan(10);
});

async function answersOf(operations: string): Promise<{ library: boolean; tags: boolean }[]> {
  const folder = mkdtempSync(join(tmpdir(), 'redzone-temporal-'));
  try {
    writeFileSync(join(folder, 'operations'), operations);
    const report = await check({
      inputs: [join(import.meta.dirname, 'temporal-library.c')],
      checks: ['spatial', 'temporal', 'init', 'undefined'],
      folders: [folder],
      quarantineBytes: 0,
    });
    expect(report.findings).toEqual([]);
    const lines = readFileSync(join(folder, 'answers'), 'utf8').trimEnd().split('\n');
    return lines.map(line => ({ library: line.startsWith('11'), tags: line.endsWith('1') }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
