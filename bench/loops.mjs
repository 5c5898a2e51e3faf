/**
 * Measures the cost of detecting infinite loops in programs that have none: `npm run bench:loops`.
 *
 * Ratios of processor time to the same run without detection; runs take turns, and the best of
 * several counts. `--detect-loops` is compared with a run that has no quarantine either.
 */
import { allowV8Flags, check, explore } from '../dist/index.js';

allowV8Flags();

const rounds = Number(process.env.REDZONE_ROUNDS ?? 5);

const programs = {
  'integer loop': `int main(void) {
  unsigned s = 1;
  for (unsigned i = 0; i < 30000000u; i++) s = s * 31 + (i ^ s >> 3);
  return s == 7;
}`,
  'tree and text': `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { struct node *left, *right; unsigned key; };
static struct node *insert(struct node *tree, unsigned key) {
  if (!tree) {
    tree = calloc(1, sizeof *tree);
    tree->key = key;
  } else if (key < tree->key) tree->left = insert(tree->left, key);
  else tree->right = insert(tree->right, key);
  return tree;
}
static void release(struct node *tree) {
  if (!tree) return;
  release(tree->left);
  release(tree->right);
  free(tree);
}
int main(void) {
  unsigned seed = 1;
  size_t length = 0;
  for (int round = 0; round < 30; round++) {
    struct node *tree = 0;
    char text[32];
    for (int i = 0; i < 3000; i++) {
      seed = seed * 1103515245 + 12345;
      tree = insert(tree, seed >> 8);
      if (i % 10 == 0) length += (size_t)snprintf(text, sizeof text, "%u", seed);
    }
    release(tree);
  }
  return length == 0;
}`,
  sieve: `#include <string.h>
static char sieve[2000000];
int main(void) {
  for (int k = 0; k < 20; k++) {
    memset(sieve, 1, sizeof sieve);
    for (int i = 2; i < 1415; i++)
      if (sieve[i]) for (int j = i * i; j < 2000000; j += i) sieve[j] = 0;
  }
  return sieve[7] == 0;
}`,
};

/** @typedef {import('../dist/index.js').RunControl} RunControl */

/**
 * The processor time of a run, from the phase on in which the program runs.
 * @template Options
 * @param {(options: Options, control: RunControl) => Promise<unknown>} command
 * @param {string} phase
 * @param {Options} options
 */
async function processorMs(command, phase, options) {
  let start = process.cpuUsage();
  await command(options, {
    onEvent: event => {
      if (event.kind === 'phase' && event.text === phase) start = process.cpuUsage();
    },
  });
  return process.cpuUsage(start).user / 1000;
}

/** @param {import('../dist/index.js').ExploreOptions} options */
const explored = options => processorMs(explore, 'exploring', options);
/** @param {import('../dist/index.js').CheckOptions} options */
const checked = options => processorMs(check, 'running', options);

console.log('program          explore  --detect-loops  check');
for (const [name, text] of Object.entries(programs)) {
  const inputs = [{ name: `${name.replaceAll(' ', '-')}.c`, text }];
  const ways = {
    off: () => explored({ inputs, watchesLoops: false }),
    on: () => explored({ inputs }),
    offWithout: () => explored({ inputs, watchesLoops: false, quarantine: 0 }),
    often: () => explored({ inputs, detectLoops: true }),
    plain: () => checked({ inputs, watchesLoops: false }),
    checked: () => checked({ inputs }),
  };
  /** @type {Record<string, number>} */
  const times = {};
  for (let i = 0; i < rounds; i++)
    for (const [way, run] of Object.entries(ways))
      times[way] = Math.min(times[way] ?? Number.POSITIVE_INFINITY, await run());
  /** @type {(one: string, other: string) => string} */
  const ratio = (one, other) => (times[one] / times[other]).toFixed(2);
  console.log(
    `${name.padEnd(17)}${ratio('on', 'off').padEnd(9)}${ratio('often', 'offWithout').padEnd(16)}${ratio('checked', 'plain')}`,
  );
}
