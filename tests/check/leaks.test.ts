/**
 * Leaks: lost blocks, blocks that are still reachable, and blocks that only lost blocks refer to.
 */
import { expect, test } from 'vitest';
import { checkC, places } from './check-c.js';

const list = `
  #include <stdio.h>
  #include <stdlib.h>
  struct node { struct node *next; int value; };
  static struct node *push(struct node *list) {
    struct node *made = malloc(sizeof *made);
    made->next = list;
    return made;
  }
`;

test('blocks that only leaked blocks refer to are counted with them', async () => {
  const report = await checkC(`${list}
    static struct node *kept;
    struct { char tag; struct node *node; } __attribute__((packed)) packed;
    int main(void) {
      kept = push(push(NULL));
      packed.node = push(NULL);
      struct node *lost = push(push(push(NULL)));
      for (int i = 0; i < 4; i++) malloc(10);
      struct node *a = push(NULL), *b = push(a);
      a->next = b;
      return lost == NULL;
    }`);
  expect(report.verdict).toBe('findings');
  expect(report.findings.map(({ code, severity, message }) => ({ code, severity, message }))).toEqual(
    [
      'a block of 16 bytes is never freed, and nothing points to it, nor are 2 blocks with 32 bytes that only it refers to',
      '4 blocks with 40 bytes in total are never freed, and nothing points to them',
      'a block of 16 bytes is never freed, and nothing points to it, nor is 1 block with 16 bytes that only it refers to',
    ].map(message => ({ code: 'memory-leak', severity: 'warning', message })),
  );
  expect(report.findings[0]?.stack.map(frame => frame.function)).toEqual(['push', 'main']);
});

test('blocks of the library and of active functions are not leaks', async () => {
  const report = await checkC(
    `${list}
    int main(void) {
      struct node *mine = push(NULL);
      printf("%d\\n", mine->next == NULL);
      exit(0);
    }`,
    { tellReachable: true },
  );
  expect(places(report)).toEqual([]);
  expect(report.verdict).toBe('clean');
});

test('after exit, blocks that no variable refers to are leaks', async () => {
  const report = await checkC(`${list}
    int main(void) {
      struct node *kept[8], *last = NULL;
      for (int i = 0; i < 8; i++) kept[i] = push(NULL);
      for (int i = 0; i < 20; i++) last = push(NULL);
      exit(kept[3] == last);
    }`);
  expect(report.findings.map(({ message }) => message)).toEqual([
    '16 blocks with 256 bytes in total are never freed, and nothing points to them',
  ]);
});

test('no leak is reported without the check for leaks', async () => {
  const report = await checkC(`${list} int main(void) { push(NULL); return 0; }`, {
    checks: ['spatial', 'temporal', 'init', 'undefined'],
  });
  expect(report.verdict).toBe('clean');
});
