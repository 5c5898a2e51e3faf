import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AccessKind } from './finding.js';
import { smallestSpan, tokenSpan } from './span.js';

/**
 * In `source`, `@` stands before the column that debug information gives; returns what is
 * underlined.
 */
function underlined(source: string, access?: AccessKind): string {
  const index = source.indexOf('@');
  const line = source.replace('@', '');
  const { start, end } = smallestSpan(line, index, access);
  return line.slice(start, end);
}

describe('the span of a point', () => {
  const cases: [source: string, expected: string, access?: AccessKind][] = [
    ['  @a[n] + 1;', 'a[n]'],
    ['  x = @m[i][j + f(k)];', 'm[i][j + f(k)]'],
    ['  return p->@x;', 'p->x'],
    ['  return s.in[3]->@x.y;', 's.in[3]->x'],
    ['  q = (*p)->@next;', '(*p)->next'],
    ['  a[n] @= 1;', 'a[n]', 'write'],
    ['  p->next->x @+= 1;', 'p->next->x', 'write'],
    ['  *p @= 1;', '*p', 'write'],
    ['  if (n) **p @= f(1);', '**p', 'write'],
    ['  x @+= y[2];', 'x += y[2]'],
    ['  y = @*p;', '*p'],
    ['  y = @**p->q;', '**p->q'],
    ['  return a @/ b;', 'a / b'],
    ['  return f(x) @% (a + b) + 1;', 'f(x) % (a + b)'],
    ['  return x @<< -1;', 'x << -1'],
    ['  return 1 + x @* (long)y;', 'x * (long)y'],
    ['  @i++;', 'i'],
    ['  a[i]@++;', 'a[i]++'],
    ['  @++*p;', '++*p'],
    ['  @free(p);', 'free(p)'],
    ['  @memcpy(a, b,', 'memcpy'],
    ['  @return x;', 'return'],
    ['  @if (x) y();', 'if'],
    ['  puts("a[0] = (" @+ 1);', '"a[0] = (" + 1'],
    ['  größe[@i] = 1;', 'i'],
    ['  @größe[i] = 1;', 'größe[i]'],
    ['  x = y; // @note', 'n'],
    ['  f(@', ''],
  ];
  test.each(cases)('%s', (source, expected, access) => {
    expect(underlined(source, access)).toBe(expected);
  });

  test('never leaves the line and contains the point, whatever the line is', () => {
    const piece = fc.constantFrom(
      ...'a p->x . [ ] ( ) * & + - = += / << ++ "s" \' " // 12 0x1f return 日 \t'.split(' '),
    );
    const lines = fc.array(piece, { maxLength: 20 }).map(pieces => pieces.join(''));
    fc.assert(
      fc.property(
        lines,
        fc.nat(40),
        fc.constantFrom<AccessKind | undefined>('write', 'read', undefined),
        (line, at, access) => {
          const index = Math.min(at, line.length);
          for (const span of [smallestSpan(line, index, access), tokenSpan(line, index)]) {
            expect(span.start).toBeGreaterThanOrEqual(0);
            expect(span.end).toBeGreaterThan(span.start);
            expect(span.end).toBeLessThanOrEqual(line.length + 1);
            if (access !== 'write') expect(span.start <= index && index < span.end).toBe(true);
          }
        },
      ),
      { seed: 1, numRuns: 2000 },
    );
  });
});
