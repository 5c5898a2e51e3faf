import { expect, test } from 'vitest';
import { fuzzReader } from './mutation.js';

test('3,000 mutations of a module are read, or rejected with a location in the text', () => {
  const { modules, errors } = fuzzReader(3_000, 22, 20);
  console.log(`mutations tried: ${modules + errors}; still modules: ${modules}, errors: ${errors}`);
  expect(modules).toBeGreaterThan(100);
  expect(errors).toBeGreaterThan(100);
});
