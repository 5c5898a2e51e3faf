import { expect, test } from 'vitest';
import { fuzzReader } from './mutation.js';

test('200,000 mutations of a module are read, or rejected with a location in the text', () => {
  const { modules, errors } = fuzzReader(200_000, 2, 20);
  console.log(`mutations tried: ${modules + errors}; still modules: ${modules}, errors: ${errors}`);
  expect(modules + errors).toBe(200_000);
});
