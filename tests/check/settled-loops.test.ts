/**
 * Loops among granules that are never plain, beside padding and at the ends of blocks, where the
 * fast copy continues after a call of the runtime: each case makes one invalid access after many
 * valid ones. A run stops at the first finding, because only then do loops have a fast copy.
 */
import { expect, test } from 'vitest';
import { checkC, expectedPlaces, places } from './check-c.js';

const program = `
  #include <stdlib.h>
  #include <string.h>
  struct node { struct node *next; int key; char colour; };
  struct parts { long low[3000], gap[10], high[3000]; };
  static struct node *list(int n, int spoiled) {
    struct node *first = 0;
    for (int i = 0; i < n; i++) {
      struct node *made = malloc(i == spoiled ? 12 : sizeof *made);
      made->next = first, made->key = i;
      if (i != spoiled) made->colour = 'r';
      first = made;
    }
    return first;
  }
  static int keys(const struct node *n) {
    int sum = 0;
    for (; n; n = n->next) sum += n->key;
    return sum;
  }
  static int colours(const struct node *n) {
    int count = 0;
    for (; n; n = n->next)
      if (n->colour == 'r') count++;      // => heap-buffer-overflow
    return count;
  }
  static int reds(const struct node *all, const int *order, int n) {
    int count = 0;
    for (int i = 0; i < n; i++)
      if (all[order[i]].colour == 'r') count++; // => uninitialized-read
    return count;
  }
  static int tails(char **blocks, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += *(int *)(blocks[i] + 8); // => heap-buffer-overflow
    return sum;
  }
  static void paint(struct node *n) {
    for (; n; n = n->next) n->colour = 'b'; // => use-after-free
  }
  static void odd(char **places, int n) {
    for (int i = 0; i < n; i++) *(int *)places[i] = 1; // => misaligned-access
  }
  static void zero(char **texts, int n) {
    for (int i = 0; i < n; i++) texts[i][8] = 0; // => write-to-constant
  }
  static long steps(const long *at, const int *order, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++)
      if (at[order[i]] > 5) sum++;         // => uninitialized-read
    return sum;
  }
  static long copies(struct node *all, const int *order, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) all[i + 1] = all[order[i]];
    for (int i = 1; i < n; i++)
      if (all[i].key > 5) sum++;           // => uninitialized-read
    return sum;
  }
  static int letters(const char **words, const int *lengths, int n) {
    int count = 0;
    for (int i = 0; i < n; i++)
      for (int k = 0; k < lengths[i]; k++)
        if (words[i][k] > 'a') count++;    // => global-buffer-overflow
    return count;
  }
  static int vowels(const char *text, int n) {
    int count = 0;
    for (int i = 0; i < n; i++)
      if (text[i] == 'a') count++;         // => uninitialized-read
    return count;
  }
  int main(int argc, char **argv) {
    enum { n = 200 };
    int which = atoi(argv[1]), order[n];
    struct node *first = list(n, which == 1 ? 3 : -1), *all = malloc((n + 1) * sizeof *all);
    char *blocks[n], *texts[n];
    struct parts *parts = malloc(sizeof *parts);
    memset(parts->low, 1, sizeof parts->low), memset(parts->high, 1, sizeof parts->high);
    static const char constant[12] = "text";
    for (int i = 0; i < n; i++) {
      all[i].key = i, all[i].next = 0;
      if (which != 2 || i != 150) all[i].colour = 'r';
      order[i] = (i * 7) % n;
      blocks[i] = calloc(1, which == 3 && i == 150 ? 11 : 12);
      texts[i] = which == 6 && i == 150 ? (char *)constant : strcpy(malloc(12), "a text");
    }
    long sum = keys(first);
    if (which <= 1) sum += colours(first);
    if (which == 0 || which == 2) sum += reds(all, order, n);
    if (which == 0 || which == 3) sum += tails(blocks, n);
    if (which == 4) free(first->next);
    if (which == 0 || which == 4) paint(first);
    char *places[n];
    for (int i = 0; i < n; i++) places[i] = blocks[i] + (which == 5 && i == 150 ? 6 : 8);
    if (which == 0 || which == 5) odd(places, n);
    if (which == 0 || which == 6) zero(texts, n);
    // Alternates between the written parts, and then accesses what lies between them or was never
    // written.
    for (int i = 0; i < n; i++) order[i] = i % 2 ? 5 + i : 3010 + i;
    if (which == 7) order[150] = 3005;
    sum += which == 8 ? steps(parts->low, order, n) : 0;
    if (which == 8) memcpy(&parts->low[140], &parts->gap[2], 8), order[151] = 140;
    if (which == 0 || which == 7 || which == 8) sum += steps(parts->low, order, n);
    for (int i = 0; i < n; i++) order[i] = i % 3;
    if (which == 9) memcpy(&all[0], &parts->gap, sizeof *all);
    if (which == 0 || which == 9) sum += copies(all, order, n);
    static const char *words[n];
    for (int i = 0; i < n; i++) words[i] = i % 2 ? "a word" : "word", order[i] = i % 2 ? 7 : 5;
    if (which == 10) order[150] = 6;
    if (which == 0 || which == 10) sum += letters(words, order, n);
    char *text = malloc(n), short_text[60];
    for (int i = 0; i < 42; i++) short_text[i] = text[i] = 'a' + i % 7;
    for (int i = 0; i < 9; i++) sum += vowels(short_text, 42);
    sum += vowels(text, which == 11 ? 43 : 42), free(text);
    for (int i = 0; i < n; i++) free(blocks[i]), texts[i] != constant ? free(texts[i]) : (void)0;
    for (struct node *next; first; first = next) next = first->next, free(first);
    free(all), free(parts);
    return sum < 0;
  }`;

test('the correct loops have no findings', async () => {
  expect(await checkC(program, { arguments: ['0'] })).toMatchObject({
    verdict: 'clean',
    program: { exit: 0 },
  });
});

const [overflow, unwritten, tail, freed, misaligned, constant, between, copied, letter, vowel] =
  expectedPlaces(program);
test.each([
  [1, overflow],
  [2, unwritten],
  [3, tail],
  [4, freed],
  [5, misaligned],
  [6, constant],
  [7, between],
  [8, between],
  [9, copied],
  [10, letter],
  [11, vowel],
])('case %i is found at its line', async (which, place) => {
  expect(places(await checkC(program, { arguments: [String(which)] }))).toEqual([place]);
});
