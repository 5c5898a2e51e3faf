/**
 * Executes the snippet of `docs/kdalloc.md` and compares what it prints with the output shown
 * there.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';
import { expect, test } from 'vitest';
import * as kdalloc from './index.js';

test('the snippet of the guide prints what the guide says', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/kdalloc.md'), 'utf8');
  const [, snippet] = guide.match(/```js\n(.*?)```/s)!;
  const [, output] = guide.match(/```text\n(.*?)```/s)!;
  const [, names] = snippet!.match(/import (\{.*?\}) from 'redzone\/kdalloc';/)!;
  const body = snippet!.replace(/import .*\n/, '');
  const lines: string[] = [];
  const console = { log: (...values: unknown[]) => lines.push(format(...values)) };
  new Function('kdalloc', 'console', `const ${names} = kdalloc;${body}`)(kdalloc, console);
  expect(`${lines.join('\n')}\n`).toBe(output);
});
