/** A misaligned access may read a word that is made of two tag words: for every number there is. */
import { expect, test } from 'vitest';
import { check } from '../../src/index.js';

/**
 * Words of a granule and the next: of the block, plain and special, and none. Both plain may make
 * up the word, since then the access is right.
 */
const program = `
int main(void) {
  const unsigned constant = 0x10000000, plain_words = 0x40000000;
  unsigned long found = 0;
  for (unsigned n = 1; n < 0x20000000; n++) {
    unsigned plain = plain_words + n * 4, special = (n & ~constant) << 2 | 2 | (n & constant ? 1 : 0);
    for (int k = 8; k < 32; k += 8) {
      unsigned of_plain = plain >> k, of_special = special >> k, then_plain = plain << (32 - k), then_special = special << (32 - k);
      found += (of_plain | then_special) == plain;
      found += (of_special | then_plain) == plain;
      found += (of_special | then_special) == plain;
      found += of_plain == plain || of_special == plain || then_plain == plain || then_special == plain;
    }
  }
  return found != 0;
}`;

test('no two words of a block and its surroundings make up its plain word, unless both are plain', async () => {
  const inputs = [{ name: 'words.c', text: program }];
  expect(await check({ inputs, noChecks: true })).toMatchObject({ program: { exit: 0 } });
});
