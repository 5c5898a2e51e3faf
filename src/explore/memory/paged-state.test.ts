/**
 * A paged object behaves like a flat one under random operations on both.
 */
import { expect, test } from 'vitest';
import { Evaluator } from '../../expr/evaluate.js';
import type { Term } from '../../expr/term.js';
import { Terms } from '../../expr/terms.js';
import { Random } from '../../support/random.js';
import { ObjectInfo, ObjectState } from './object-state.js';
import { Origin } from './origin.js';
import { PagedState } from './paged-state.js';
import { FILLER, Unwritten } from './unwritten.js';

const BYTES = 20_000;

/** The origin of a byte is not kept permanently, and is kept for each page separately. */
class WithoutSources extends Unwritten {
  override byte(address: number): Term {
    return super.byte(address, address);
  }
}

test('paged objects behave like flat ones', () => {
  const random = new Random(46);
  const terms = new Terms();
  const context = { terms, unwritten: new WithoutSources(terms) };
  const input = terms.symbolicArray('input', 64);
  const large = terms.symbolicArray('large', 9000);
  const origin = new Origin({
    kind: 'heap',
    name: undefined,
    bytes: BYTES,
    allocated: undefined,
    declared: undefined,
    contents: 'unwritten',
  });
  const info = new ObjectInfo(origin, 0x1000_0000, 0, 0);
  const other = new ObjectInfo(origin, 0x2000_0000, 0, 1);
  const plain = ObjectState.fresh({}, info);
  for (let i = 0; i < BYTES; i += 3) plain.writeByte(i, random.below(256));
  const source = plain.copy({});
  const sourceInParts = PagedState.of({}, ObjectState.fresh({}, other));
  sourceInParts.copyFrom(source, 0, 0, BYTES);
  let paged = PagedState.of({}, plain.copy({}));

  /** Near the borders of parts, where mistakes would be. */
  const offset = (bytes: number): number =>
    random.below(2) === 0
      ? random.below(BYTES - bytes)
      : 4096 * (1 + random.below(4)) - random.below(bytes + 1);
  for (let round = 0; round < 1200; round++) {
    const bytes = [1, 2, 4, 8, 16][random.below(5)]!;
    const at = offset(bytes);
    const symbolic = terms.read(input, terms.constant(32, random.below(64)));
    const known = random.below(4) === 0 ? FILLER : random.below(256);
    const byte = random.below(3) === 0 ? symbolic : known;
    const [from, to, length] = [offset(600), offset(600), random.below(600)];
    for (const [object, origin] of [
      [plain, source],
      [paged, sourceInParts],
    ] as const) {
      if (round % 300 === 100) object.writeInput(terms, large, 2 * from < BYTES ? from : 5000);
      switch (round % 6) {
        case 0:
          object.write(context, at, bytes, known);
          break;
        case 1:
          object.write(context, at, bytes, bytes === 1 ? symbolic : terms.zext(symbolic, 8 * bytes));
          break;
        case 2:
          object.writeByte(at, byte);
          break;
        case 3:
          object.fill(from, length, byte);
          break;
        case 4:
          object.copyFrom(origin, from, to, length);
          break;
        default:
          object.copyFrom(object, from, to, length);
      }
    }
    if (round % 200 === 0) paged = PagedState.of({}, paged);
    for (let k = 0; k < 5; k++) {
      const read = offset(bytes);
      expect(paged.isKnown(read, bytes)).toBe(plain.isKnown(read, bytes));
      expect(paged.read(context, read, bytes)).toBe(plain.read(context, read, bytes));
    }
  }
  const assignment = { variables: new Map(), arrays: new Map([['large', new Uint8Array(9000).fill(3)]]) };
  const [inParts, inOne] = [paged, plain].map(object => object.bytesOn(new Evaluator(assignment)));
  for (let i = 0; i < BYTES; i++) if (!plain.isUnwritten(i)) expect(inParts![i]).toBe(inOne![i]);
  const index = terms.variable('index', 32);
  const [word, same] = [paged, plain].map(object => object.readAt(context, index, 2));
  for (const i of [0, 5001, 9000, 13_998, 19_997]) {
    const at = new Evaluator({ ...assignment, variables: new Map([['index', i]]) });
    expect(at.value(word as Term)).toBe(at.value(same as Term));
    const there = plain.read(context, i, 2);
    if (plain.isKnown(i, 2)) expect(at.value(word as Term)).toBe(there);
  }
  expect([...paged.symbolicBytes()]).toEqual([...plain.symbolicBytes()]);
  const together = paged.together({});
  for (let i = 0; i < BYTES; i++) {
    expect(together.byteTerm(context, i) === plain.byteTerm(context, i)).toBe(true);
  }
});
