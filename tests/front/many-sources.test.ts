/** Many sources are compiled in parallel, with the same result and the same messages. */
import { expect, test } from 'vitest';
import { Toolchain } from '../../src/front/toolchain.js';
import { compileToIr, type RunEvent } from '../../src/index.js';

/** A source for each letter; some cause a warning. */
function input(name: string, text: string): { name: string; text: string } {
  return { name: `${name}.c`, text };
}

const good = (name: string) => input(name, `int ${name}(int x) { return x + 1; }`);
const warned = (name: string) => input(name, `int *${name}(void) { int x = 1; return &x; }`);
const bad = (name: string) => input(name, `int ${name}(void) { return missing_in_${name}; }`);

test('the IR is the same as when sources are compiled one after another', async () => {
  const together = new Toolchain({ cache: undefined });
  const alone = new Toolchain({ cache: undefined });
  // The structure of all has the same name: clang would number it, if it compiled them in one run.
  const sources = ['a', 'b', 'c', 'd'].map(name => ({
    path: `${name}.c`,
    content: new TextEncoder().encode(
      `struct s { int ${name}; } ${name}; struct s *of_${name}(void) { return &${name}; }`,
    ),
  }));
  const side = await Promise.all(sources.map(source => together.compileToIr(source)));
  const row = [];
  for (const source of sources) row.push(await alone.compileToIr(source));
  expect(side.every(({ ok }) => ok)).toBe(true);
  expect(side).toEqual(row);
  await Promise.all([together.close(), alone.close()]);
});

test('warnings come in the order of the sources', async () => {
  const events: RunEvent[] = [];
  const inputs = [warned('a'), good('b'), warned('c'), warned('d')];
  await compileToIr({ inputs }, { onEvent: event => events.push(event) });
  const files = events.flatMap(event => (event.kind === 'warning' ? [event.diagnostic.location?.file] : []));
  expect(files).toEqual(['a.c', 'c.c', 'd.c']);
});

test('all errors are reported, in the order of the sources', async () => {
  const inputs = [warned('a'), bad('b'), good('c'), bad('d'), warned('e')];
  await expect(compileToIr({ inputs })).rejects.toMatchObject({
    name: 'InputError',
    diagnostics: ['a.c', 'b.c', 'd.c', 'e.c'].map(file => ({ location: { file } })),
  });
  const flags = ['-fno-such-flag'];
  await expect(compileToIr({ inputs, clangFlags: flags })).rejects.toMatchObject({
    diagnostics: [{ message: "unknown compiler flag '-fno-such-flag'" }],
  });
});

test('an interrupted compilation ends, and the next one works', async () => {
  const toolchain = new Toolchain({ cache: undefined });
  const controller = new AbortController();
  const inputs = Array.from({ length: 12 }, (_, i) => ({
    path: `${i}.c`,
    content: new TextEncoder().encode(`int f${i}(void) { return ${i}; }`),
  }));
  const compiling = inputs.map(source => toolchain.compileToIr(source, { signal: controller.signal }));
  await compiling[0];
  controller.abort(new Error('interrupted'));
  const outcomes = await Promise.allSettled(compiling);
  expect(outcomes.at(-1)).toMatchObject({ status: 'rejected', reason: { message: 'interrupted' } });
  expect(await toolchain.compileToIr(inputs[0]!)).toEqual(await compiling[0]);
  await toolchain.close();
});
