import { expect, test } from 'vitest';
import { NO_PRINT } from '../../expr/term-print.js';
import { sidesOf } from '../state/history.js';
import { OpenSides } from './open-sides.js';

test('sides are taken from the top, or from below it', () => {
  const sides = new OpenSides();
  sides.add(NO_PRINT);
  const [whenTrue, whenFalse] = sidesOf(NO_PRINT);
  sides.add(whenTrue);
  // The side at which the second fork is was not taken.
  const [trueTrue, trueFalse] = sidesOf(whenTrue);
  sides.take(whenTrue);
  expect(sides.takeIfTop(whenTrue)).toBe(false);
  expect(sides.takeIfTop(trueTrue)).toBe(true);
  expect(sides.takeTop()).toEqual(trueFalse);
  expect(sides.takeTop()).toEqual(whenFalse);
  expect(() => sides.takeTop()).toThrow(RangeError);
});
