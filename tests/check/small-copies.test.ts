/**
 * Copies of a few bytes are loads and stores: errors of `memcpy` are still found, and valid copies
 * are still silent.
 */
import { expect, test } from 'vitest';
import { checkC, expectedPlaces } from './check-c.js';

const program = `
  #include <stdlib.h>
  #include <string.h>
  struct pair { char c; int n; };
  union number { double d; long n; char bytes[8]; };
  static unsigned read32(const void *p) { unsigned v; memcpy(&v, p, 4); return v; }
  static void write64(void *p, long v) { memcpy(p, &v, 8); }
  int main(int argc, char **argv) {
    char text[24] = "abcdefghijklmnopqrst", *heap = malloc(10);
    const char *constant = "abc";
    int far = 3 * argc;
    memmove(text + 1, text, 8);
    memcpy(text, text, 8);
    memcpy(text + far, text, 8);              // => overlapping-copy
    memcpy(text, text + far, 4);              // => overlapping-copy
    memcpy(text + 4 * argc, text, 4);
    struct pair one = {'c', 3}, two;
    one.c = text[0];
    two = one;
    two = two;
    if (two.n != 3 || two.c != text[0]) abort();
    double d = 2.5;
    union number u;
    memcpy(&u, &d, 8);
    memcpy(&d, u.bytes, 8);
    if (d != 2.5) abort();
    struct pair *p = &one, *copy;
    memcpy(&copy, &p, sizeof p);
    if (copy->n != 3) abort();
    write64(heap, argc);
    write64(heap + 2, argc);
    write64(heap + far, argc);                // => heap-buffer-overflow
    unsigned sum = read32(heap + 6);
    sum += read32(heap + 7 * argc);           // => heap-buffer-overflow
    memcpy((void *)constant, text, 2);        // => write-to-constant
    short half[2];
    half[0] = 1;
    int whole;
    memcpy(&whole, half, 4);
    if ((whole & 0xffff) != 1) abort();
    if (whole > 70000) sum++;                 // => uninitialized-read
    // Copies keep the state of each byte: padding, members that were never written, other
    // alignments, bits.
    struct padded { int kind; long number; unsigned low : 4, high : 4; } *many = malloc(3 * sizeof *many);
    many[0].kind = argc, many[0].low = 1;
    many[1] = many[0];
    many[2] = many[1];
    many[2].number = 5;
    many[1] = many[2];
    if (many[2].kind != argc || many[2].low != 1 || many[1].number != 5) abort();
    many[1] = many[0];
    if (many[1].number == 3) sum++;           // => uninitialized-read
    if (many[1].high == 3) sum++;             // => uninitialized-read
    char *bytes = malloc(64), *filled = strcpy(malloc(20), "a text to be copied");
    bytes[3] = 'a', bytes[5] = 'b';
    memcpy(bytes + 9 * argc, bytes + 2, 5);
    if (bytes[10] != 'a' || bytes[12] != 'b') abort();
    if (bytes[11] == 'c') sum++;              // => uninitialized-read
    memcpy(bytes + 17 * argc, filled, 20);
    if (strlen(bytes + 17) != 19) abort();
    memmove(bytes + 1, bytes, 10 * argc);
    if (bytes[4] != 'a' || bytes[6] != 'b') abort();
    if (bytes[5] == 'c') sum++;               // => uninitialized-read
    free(many), free(bytes), free(filled);
    free(heap);
    memcpy(&whole, heap, 4);                  // => use-after-free
    return sum & 0;
  }`;

test('the expected findings, and no others', async () => {
  const { findings } = await checkC(program, { keepGoing: true });
  const lineOf = (part: string) => program.split('\n').findIndex(line => line.includes(part)) + 1;
  const inHelpers = new Map([
    [lineOf('static void write64'), lineOf('write64(heap + far')],
    [lineOf('static unsigned read32'), lineOf('read32(heap + 7')],
  ]);
  const found = findings.map(({ code, location, stack }) => {
    const caller = inHelpers.get(location.line);
    if (caller !== undefined) expect(stack![1]!.line).toBe(caller);
    return `${code}:${caller ?? location.line}`;
  });
  expect(found).toEqual(expectedPlaces(program));
});
