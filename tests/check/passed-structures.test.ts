/**
 * Loops that pass structures from arrays to small functions: the calls are inlined, the loop has a
 * fast copy, and the tag words of the structure are compared there. Each case makes one structure
 * invalid after many valid ones.
 */
import { expect, test } from 'vitest';
import { checkC, expectClean, expectedPlaces, places } from './check-c.js';

const program = `
  #include <stdlib.h>
  #include <string.h>
  struct vec { double x, y, z; };
  struct body { struct vec at, speed; double mass; };
  struct point { float x, y, z; };
  static struct vec sum(struct vec a, struct vec b) { return (struct vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
  static double height(struct vec a) { return a.z; }
  static float wide(struct point p) { return p.x; } // => uninitialized-read
  __attribute__((noinline)) static double heights(struct body **all, int n) {
    double most = 0;
    for (int i = 0; i < n; i++) most += height(all[i]->speed); // => use-after-free
    return most;
  }
  __attribute__((noinline)) static struct vec centre(const struct body *all, int n) {
    struct vec found = {0, 0, 0};
    for (int i = 0; i < n; i++) found = sum(found, all[i].at); // => heap-buffer-overflow
    return found;
  }
  __attribute__((noinline)) static float widths(const struct point *all, int n) {
    float found = 0;
    for (int i = 0; i < n; i++)
      if (wide(all[i]) > 1) found++;
    return found;
  }
  int main(int argc, char **argv) {
    int which = atoi(argv[1]);
    struct body *all = malloc(30 * sizeof *all), *places[30];
    struct point *points = malloc(31 * sizeof *points);
    for (int i = 0; i < 30; i++) {
      all[i] = (struct body){{i, i, i}, {0, 0, 1}, 1};
      places[i] = malloc(sizeof **places);
      *places[i] = all[i];
      if (which != 1 || i != 17) points[i].x = i;
      points[i].y = 1;                    // The last member is never written.
    }
    if (which == 2) free(places[25]);
    double found = heights(places, 30);
    if (which == 3) all = realloc(all, 29 * sizeof *all + 16);
    found += centre(all, 30).y;
    found += widths(points, 30);
    for (int i = 0; i < 30; i++) free(places[i]);
    free(all), free(points);
    return found != 30 + 435 + 28;
  }`;

test('valid structures have no findings', () => expectClean(program));

test.each(expectedPlaces(program).map((place, i) => [i + 1, place] as const))(
  'case %i is found at its line',
  async (which, place) => {
    const args = [String(which)];
    const first = await checkC(program, { arguments: args });
    expect(places(first)).toEqual([place]);
    const { findings } = await checkC(program, { arguments: args, keepGoing: true });
    expect(findings[0]).toEqual(first.findings[0]);
  },
);
