/**
 * Locals that are written as a whole and read in parts become values: errors in their bytes are
 * found as in memory.
 */
import { expect, test } from 'vitest';
import { checkC, expectedPlaces, places } from './check-c.js';

const program = `
  #include <stdlib.h>
  #include <string.h>
  union both { int i; unsigned u; float f; unsigned char c[4]; short s[2]; };
  union wide { double d; unsigned long n; struct { int low, high; } halves; void *p; };
  static int byte(int value, int which) {
    union both b = {value};
    return which == 0 ? b.c[0] : which == 1 ? b.c[1] : which == 2 ? b.c[2] : b.c[3];
  }
  static unsigned bits(float f) { union both b; b.f = f; return b.u; }
  static int exponent(double d) { union wide w; w.d = d; return (int)(w.n >> 52 & 0x7ff); }
  static int high(const void *from) { union wide w; memcpy(&w, from, 8); return w.halves.high; }  // => heap-buffer-overflow 4
  static int first(const void *from) { union both b; memcpy(&b, from, 4); return b.s[0]; }
  static int second(const void *from) { union both b; memcpy(&b, from, 4); return b.s[1]; }  // => uninitialized-read 2
  static int merged(int some, int a) { union both b; if (some) b.i = a; else b.f = 1; return b.c[3]; }
  static int part(int some) { union both b; if (some) b.s[0] = 3; return b.c[1]; }  // => uninitialized-read 1
  static int *restored(int *p) { union wide w; w.p = p; w.n += 4; return w.p; }
  int main(int argc, char **argv) {
    if (byte(0x04030201, 1) != 2 || byte(-1, 3) != 255 || bits(1) != 0x3f800000u) abort();
    if (exponent(8) != 1026 || merged(0, 5) != 0x3f || merged(1, 5) != 0) abort();
    if (part(argc) != 0) abort();
    int list[2] = {1, 2};
    if (*restored(list) != 2) abort();
    int *half = malloc(8), kept = 0;
    half[0] = 5;
    half[1] = high(list);
    if (half[1] != 2) abort();
    short *shorts = malloc(4);
    shorts[0] = 1;
    kept = (int)second(list + 1);
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 0:
      if (kept != 0 || first(shorts) != 1) abort();
      break;
    case 1:
      if (part(argc - 2)) abort();
      break;
    case 2:
      kept = second(shorts);
      break;
    case 3:
      kept = *restored(list + 1);               // => stack-buffer-overflow 3
      break;
    case 4:
      kept = high(half + 1);
      break;
    case 5: {
      union both b;
      b.i = *(int *)shorts;
      if (b.c[1] == 7) abort();
      if (b.c[3] == 7) abort();                 // => uninitialized-read 5
      break;
    }
    case 6: {
      union both b;
      b.i = argc;
      if (argc == 2) b.c[argc + 2] = 1;         // => stack-buffer-overflow 6
    }
    }
    free(half), free(shorts);
    return kept == 100;
  }
`;

/** The places that this bug is expected at: `// => CODE BUG`. */
const expectedOf = (bug: number): string[] =>
  expectedPlaces(
    program.replaceAll(/(\/\/ => \S+) (\d)/g, (_, place, of) => (Number(of) === bug ? place : '')),
  );

test('errors are found as in memory', async () => {
  for (let bug = 0; bug <= 6; bug++) {
    const options = { arguments: [`${bug}`] };
    const found = places(await checkC(program, options));
    expect(found, `bug ${bug}`).toEqual(expectedOf(bug));
    const inMemory = await checkC(program, { ...options, preAnalysis: false });
    expect(places(inMemory), `bug ${bug} without the pre-analysis`).toEqual(found);
  }
});
