/**
 * Plug-ins under both engines: the worked examples with their twins, the conditions that are
 * compiled into the program, hooks without a cost, and the messages for invalid plug-ins.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { check, compileToIr, explore, type Finding, InputError, renderSarif } from '../../src/index.js';
import type { Module } from '../../src/ir/model.js';
import { readModule } from '../../src/ir/reader.js';
import { writeModule } from '../../src/ir/writer.js';
import { instrument } from '../../src/monitor/instrument/instrument.js';
import { type HookPlan, planOf } from '../../src/plugins/hook-plan.js';
import type { Hooks, Plugin } from '../../src/plugins/plugin.js';

const root = join(import.meta.dirname, '../..');
const modules = join(import.meta.dirname, 'modules');
const folder = mkdtempSync(join(tmpdir(), 'redzone-plugins-'));
afterAll(() => rmSync(folder, { recursive: true }));

const examples = join(root, 'examples/plugins');
const bugsIn = (text: string): string[] =>
  text.split('\n').flatMap((line, i) => {
    const code = /\/\/ BUG (\S+)/.exec(line)?.[1];
    return code === undefined ? [] : [`${i + 1} ${code}`];
  });
const found = (findings: readonly Finding[]): string[] =>
  findings
    .map(({ code, location }) => `${location.line} ${code}`)
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));

describe.each(['frozen', 'lock-order', 'no-alloc-after-start', 'file-descriptors', 'typestate', 'units'])(
  'examples/plugins/%s.ts',
  name => {
    const source = (twin: string) => {
      const file = `${name}${twin}.c`;
      return { name: file, text: readFileSync(join(examples, file), 'utf8') };
    };
    const shared = { plugins: [join(examples, `${name}.ts`)], folders: [folder] };

    test('has at most 60 lines', () => {
      expect(readFileSync(shared.plugins[0]!, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(60);
    });

    test('finds the errors under check, and nothing in the twin', async () => {
      const buggy = source('');
      const report = await check({ ...shared, inputs: [buggy], keepGoing: true });
      expect(found(report.findings)).toEqual(bugsIn(buggy.text));
      expect(report.program?.exit).toBe(0);
      const fixed = await check({ ...shared, inputs: [source('.fixed')] });
      expect(fixed.findings).toEqual([]);
    });

    test('finds the first error under explore, and nothing in the twin', async () => {
      const buggy = source('');
      const { plugins } = shared;
      const report = await explore({ plugins, inputs: [buggy] });
      expect(report.findings).toHaveLength(1);
      expect(bugsIn(buggy.text)).toContain(found(report.findings)[0]);
      const fixed = await explore({ plugins, inputs: [source('.fixed')] });
      expect(fixed.findings).toEqual([]);
    });
  },
);

test('the guide shows the first example', () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(readFileSync(join(root, 'docs/plugins.md'), 'utf8'))!;
  expect(readFileSync(join(examples, 'frozen.ts'), 'utf8')).toContain(shown);
});

test('examples/plugins/stack-profile.ts draws a flame graph', async () => {
  const picture = join(folder, 'flame.svg');
  const text = readFileSync(join(examples, 'stack-profile.c'), 'utf8');
  process.env.FLAME = picture;
  await explore({ plugins: [join(examples, 'stack-profile.ts')], inputs: [{ name: 'profile.c', text }] });
  delete process.env.FLAME;
  const svg = readFileSync(picture, 'utf8');
  expect(svg).toContain('48 calls, 8 deep');
  expect(svg.match(/<rect/g)).toHaveLength(20);
  expect(svg).toContain('<title>fib: 38 calls</title>');
  expect(readFileSync(join(examples, 'stack-profile.ts'), 'utf8').split('\n').length).toBeLessThanOrEqual(61);
});

const shadows = { name: 'shadows.c', text: readFileSync(join(modules, 'shadows.c'), 'utf8') };

test('compiled-in conditions agree with the same conditions in TypeScript', async () => {
  const plugins = [join(modules, 'conditions.ts')];
  const { findings } = await check({ plugins, inputs: [shadows] });
  expect(findings.map(({ code, message }) => `${code} ${message}`)).toEqual(['conditions/sum true 0']);
});

test('compiled-in code sets the expected cells, and no others', async () => {
  const plugins = [join(modules, 'settings.ts')];
  for (const run of [check, explore]) {
    const { findings } = await run({ plugins, inputs: [shadows] });
    expect(findings.map(({ code, message }) => `${code} ${message}`)).toEqual(['settings/sum 420 0']);
  }
});

test.each(['{ per: "byte", bits: 1 }', '{ per: "granule", bits: 8 }', '{ per: "granule", bits: 2 }'])(
  'compiled-in code sets cells of %s without the directory of pages, and no others',
  async kind => {
    // The first store is to no object; the run continues after it.
    const text = `#include <stdint.h>
      #include <stdlib.h>
      static void show(const void *p, long n) { (void)p, (void)n; }
      int main(void) {
        *(char *)(uintptr_t)0xf0000008 = 1;
        enum { BYTES = 200000 };
        char *p = aligned_alloc(16, BYTES);
        for (long i = 0; i < BYTES; i += 4096 + 8 * (i % 7)) p[i] = 1;
        *(long *)(p + 65536 + 8) = 1;
        *(int *)(p + 65536 + 28) = 1;
        show(p, BYTES);
        free(p);
        return 0;
      }`;
    // The cells of a second shadow lie after those of the first.
    const first = kind.includes('bits: 2') ? 'other: { per: "granule", bits: 4 }, ' : '';
    const pluginWith = (rule: string): string => `export default {
      name: 'written',
      shadow: { ${first}written: ${kind} },
      state: () => [],
      hooks: {
        store: ${rule},
        call: { functions: 'show', before: ({ arguments: [p, n] }, { state, shadow }) => {
          for (let i = 0; i < n; i++) if (shadow('written').get(p + i) === 1) state.push(i);
        } },
        end: (_, { state, report }) => report('cells', state.join(' ')),
      },
    };`;
    const cellsOf = async (rule: string): Promise<string> => {
      const plugin = join(folder, 'ordered.mjs');
      writeFileSync(plugin, pluginWith(rule));
      const inputs = [{ name: 'a.c', text }];
      const { findings } = await check({ plugins: [plugin], inputs, keepGoing: true });
      return findings.map(({ code, message }) => `${code} ${message}`).join('; ');
    };
    const called = await cellsOf(
      '({ address, bytes }, { shadow }) => shadow("written").set(address, bytes, 1)',
    );
    expect(called).toMatch(/^wild-pointer .*; written\/cells 0 /);
    expect(await cellsOf('{ set: { shadow: "written", to: 1 } }')).toBe(called);
  },
);

test('cells that the library sets are those that a function sets', async () => {
  const text = `#include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    static void show(const void *p, int n) { (void)p, (void)n; }
    static int order(const void *a, const void *b) { return *(const short *)a - *(const short *)b; }
    int main(void) {
      static char text[40], far[200000];
      static short sorted[4] = {3, 1, 2, 0}, kept[4] = {0, 1, 2, 3};
      char *end;
      strcpy(text + 1, "word");
      show(text, 40);
      sprintf(text + 20, "%d", 1234);
      show(text, 40);
      qsort(sorted, 4, 2, order);
      show(sorted, 8);
      qsort(kept, 1, 2, order);
      show(kept, 8);
      strtol(text + 20, &end, 10);
      show(&end, 8);
      memmove(far + 65000, far, 70000);
      show(far, 200000);
      return 0;
    }`;
  const pluginWith = (rule: string): string => `export default {
    name: 'written',
    shadow: { written: { per: 'byte', bits: 2 }, other: { per: 'granule', bits: 8 } },
    state: () => [],
    hooks: {
      store: [${rule}],
      call: { functions: 'show', before: ({ arguments: [p, n] }, { state, shadow }) => {
        const of = name => Array.from({ length: n }, (_, i) => shadow(name).get(p + i)).reduce((a, b) => a + b);
        state.push(of('written') + of('other'));
      } },
      end: (_, { state, report }) => report('sums', state.join(' ')),
    },
  };`;
  const sumsOf = async (run: typeof check | typeof explore, rule: string): Promise<string[]> => {
    const plugin = join(folder, 'written.mjs');
    writeFileSync(plugin, pluginWith(rule));
    const { findings } = await run({ plugins: [plugin], inputs: [{ name: 'a.c', text }] });
    return findings.map(({ message }) => message);
  };
  const sets = '{ set: { shadow: "written", to: 2 } }, { set: { shadow: "other", to: 1 } }';
  const called =
    '(e, { shadow }) => { shadow("written").set(e.address, e.bytes, 2); shadow("other").set(e.address, e.bytes, 1); }';
  const sums = await sumsOf(check, called);
  expect(sums[0]).toMatch(/^18 /);
  expect(await sumsOf(check, sets)).toEqual(sums);
  expect(await sumsOf(explore, sets)).toEqual(sums);
});

test('hooks of ranges are called where their conditions hold, and nowhere else', async () => {
  const plugins = [join(modules, 'ranges.ts')];
  const { findings } = await check({ plugins, inputs: [shadows] });
  expect(findings.map(({ code, message }) => `${code} ${message}`)).toEqual(['ranges/sum true 0']);
});

describe('loops with fast copies', () => {
  const loops = { name: 'loops.c', text: readFileSync(join(modules, 'loops.c'), 'utf8') };
  const sumsOf = async (plugin: string, speed: 'quick' | 'optimised') => {
    const { findings } = await check({ plugins: [join(modules, plugin)], inputs: [loops], speed });
    return findings.map(({ message }) => message.split(' ').map(Number));
  };

  test.each(['quick', 'optimised'] as const)('call hooks where conditions hold, %s code', async speed => {
    // Phase 7 writes 400 * (load and store) of `count`; phase 9 reads one value of the list.
    expect(await sumsOf('loops.ts', speed)).toEqual([[0, 4, 4, 2, 0, 2, 800, 0, 1, 0]]);
  });

  test('the loads of their checks are not loads of the program', async () => {
    const [sums] = await sumsOf('all-loads.ts', 'quick');
    expect(sums![8]).toBe(2 * 400);
  });
});

describe('unused hooks cost nothing', () => {
  const planFor = (hooks: Hooks): HookPlan | undefined =>
    planOf([{ specifier: 'test', plugin: { name: 'test', hooks } satisfies Plugin }]);

  test('hooks that the engine calls by itself leave the program as it is', () => {
    const nothing = (): void => undefined;
    expect(planFor({ start: nothing, end: nothing, allocate: nothing, free: nothing })).toBeUndefined();
  });

  test('functions without a hook are the same, byte for byte', async () => {
    const text = `#include <stdlib.h>
      struct s { int a[4]; } g;
      static int sum(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
      void put(struct s *s, int i) { s->a[i & 3] = i; }
      int main(int argc, char **argv) { put(&g, argc); return sum(g.a, 4) + atoi(argv[0]); }`;
    const { text: ir } = await compileToIr({ inputs: [{ name: 'a.c', text }] });
    const moduleOf = (): Module => {
      const result = readModule(ir, 'a.ll');
      if (result.kind !== 'module') throw new Error('clang writes modules');
      return result.module;
    };
    const instrumented = (plan?: HookPlan): string =>
      instrument(moduleOf(), {
        ...{ id: '0123456789abcdef', temporal: true, init: true, keepGoing: false },
        ...{ optimise: true, preAnalysis: true },
        ...(plan && { hooks: { plan, isLibrary: false } }),
      })
        .code.map(writeModule)
        .join();
    const without = instrumented();
    const run = (): void => undefined;
    // Nothing of this is in the program.
    expect(instrumented(planFor({ call: { functions: 'close', before: run } }))).toBe(without);
    expect(instrumented(planFor({ enter: { functions: /^not_/, run } }))).toBe(without);
    const bodyOf = (module: string, name: string): string | undefined =>
      new RegExp(`^define [^\\n]*@${name}\\(.*?^}`, 'ms')
        .exec(module)?.[0]
        .replace(/i64 \d+\) to i64/g, 'site');
    const hooked = instrumented(planFor({ enter: { functions: 'put', run } }));
    expect(bodyOf(hooked, 'put')).not.toBe(bodyOf(without, 'put'));
    expect(bodyOf(hooked, 'sum')).toBe(bodyOf(without, 'sum'));
  });
});

describe('hooks', () => {
  const program = `#include <klee/klee.h>
    #include <stdio.h>
    #include <stdlib.h>
    static double scale(double by, unsigned char c, long big, _Bool yes) { return by * c + big + yes; }
    static int pick(const char *names, int n) {
      switch (n) {
        case 2: return names[1];
        default: return names[0];
      }
    }
    int main(void) {
      int n = klee_range(0, 3, "n");
      double half = scale(0.5, 200, -5, 1);
      char *copy = malloc(3);
      copy = realloc(copy, 5);
      free(copy);
      return pick("ab", n) == 'b' && half > 1;
    }`;
  const plugin = `export default {
    name: 'log',
    state: () => ({ said: [] }),
    hooks: {
      start: ({ state }) => state.said.push('start'),
      enter: { functions: ['scale', 'pick'], run: (e, { state, here }) =>
        state.said.push('enter ' + e.function + ' ' + e.arguments.slice(0, 4).filter(v => v < 1000) + ' ' + here().stack.length) },
      return: { functions: /^(scale|pick)$/, run: (e, { state }) => state.said.push('return ' + e.result) },
      call: { functions: 'pick', before: (e, { state, text }) => state.said.push('text ' + text(e.arguments[0])),
        after: (e, { state }) => state.said.push('result ' + e.result) },
      allocate: (e, { state }) => state.said.push('+' + e.bytes),
      free: (e, { state }) => state.said.push('-' + e.bytes),
      branch: (e, { state }) => e.isSwitch && state.said.push('switch ' + e.value),
      arithmetic: (e, { state }) => state.said.push('moved ' + (e.to - e.from)),
      end: (e, { state, report }) => report('log', e.exit + ': ' + state.said.join(', ')),
    },
  };`;
  const path = join(folder, 'log.mjs');
  const said = (n: number, result: number): string =>
    `start, enter scale 0.5,200,-5,1 2, return 96, +3, -3, +5, -5, text ab, enter pick ${n} 2, switch ${n}, moved ${n === 2 ? 1 : 0}, return ${result}, result ${result}`;
  const orders = (text: string): string => text.replace('-3, +5', '+5, -3');

  test('receive all events, under check', async () => {
    writeFileSync(path, plugin);
    const { findings } = await check({ plugins: [path], inputs: [{ name: 'log.c', text: program }] });
    expect(findings.map(({ message }) => orders(message))).toEqual([orders(`0: ${said(0, 97)}`)]);
  });

  test('have a state for each path, under explore', async () => {
    writeFileSync(path, plugin);
    const { findings, verdict } = await explore({
      plugins: [path],
      inputs: [{ name: 'log.c', text: program.replace('return pick', 'if (n == 1) exit(9); return pick') }],
    });
    expect(verdict).toBe('findings');
    expect(findings.map(({ message }) => orders(message)).sort()).toEqual(
      [`0: ${said(0, 97)}`, `9: start, enter scale 0.5,200,-5,1 2, return 96, +3, -3, +5, -5`].map(orders),
    );
  });

  test('have shadows for each path, under explore', async () => {
    const text = `#include <klee/klee.h>
      static char c;
      static void mark(char *p, int value) { (void)p; (void)value; }
      int main(void) {
        mark(&c, 1);
        if (klee_range(0, 2, "n")) mark(&c, 5); else mark(&c, 7);
        mark(&c, 9);
        return 0;
      }`;
    const marking = join(folder, 'marking.mjs');
    writeFileSync(
      marking,
      `export default { name: 'marking', shadow: { marks: { per: 'byte', bits: 8 } }, state: () => [],
        hooks: {
          call: { functions: 'mark', before: ({ arguments: [p, value] }, { shadow, state }) => {
            state.push(shadow('marks').get(p));
            shadow('marks').set(p, 1, value);
          } },
          end: (_, { state, report }) => report('seen-' + state.join('-'), 'cells'),
        } };`,
    );
    const { findings } = await explore({ plugins: [marking], inputs: [{ name: 'a.c', text }] });
    expect(findings.map(({ code }) => code).sort()).toEqual(['marking/seen-0-1-5', 'marking/seen-0-1-7']);
  });

  test('report with place, stack, notes and a rule for SARIF', async () => {
    const text =
      'static int *f(int *p) {\n  *p = 1;\n  return p;\n}\nint main(void) {\n  int x;\n  return *f(&x);\n}';
    const plugins = [join(folder, 'store.mjs')];
    writeFileSync(
      plugins[0]!,
      `export default { name: 'all', hooks: { store: (e, { report }) => report('store', 'a store of ' + e.value, ['why not']) } };`,
    );
    const report = await check({ plugins, inputs: [{ name: 'a.c', text }] });
    expect(report.findings).toMatchObject([
      {
        code: 'all/store',
        severity: 'error',
        message: 'a store of 1',
        location: { file: 'a.c', line: 2, column: 6, function: 'f' },
        stack: [{ function: 'f' }, { function: 'main', line: 7 }],
        notes: [{ message: 'why not' }],
      },
    ]);
    const sarif = JSON.parse(renderSarif(report, { version: '1', readSource: () => text }));
    const [{ tool, results }] = sarif.runs;
    expect(tool.driver.rules[results[0].ruleIndex].id).toBe('all/store');
    const suppressed = await check({ plugins, inputs: [{ name: 'a.c', text }], suppressions: 'all/store:f' });
    expect(suppressed.findings).toEqual([]);
  });

  test('two plug-ins run side by side; one is TypeScript in two files, one a package', async () => {
    writeFileSync(join(folder, 'bits.ts'), 'export const bit: number = 4;');
    writeFileSync(
      join(folder, 'one.ts'),
      `import { definePlugin } from 'redzone';
       import { bit } from './bits.ts';
       enum Cell { free = 0 }
       export default definePlugin({ name: 'one', shadow: { s: { per: 'byte', bits: 8 } },
         hooks: { start: ({ shadow, report }) => { shadow('s').set(8192, 1, bit); if (shadow('s').get(8192) !== bit + Cell.free) report('bad', 'bad'); },
           end: (_, { report }) => report('end', 'one') } });`,
    );
    const packaged = join(folder, 'node_modules/redzone-plugin-two');
    mkdirSync(packaged, { recursive: true });
    writeFileSync(
      join(packaged, 'package.json'),
      '{"name":"redzone-plugin-two","exports":{"import":"./two.js"},"type":"module"}',
    );
    writeFileSync(
      join(packaged, 'two.js'),
      `export default { name: 'two', hooks: { end: (_, { report }) => report('end', 'two') } };`,
    );
    const before = process.cwd;
    process.cwd = () => folder;
    const { findings } = await check({
      plugins: ['./one.ts', 'redzone-plugin-two'],
      inputs: [{ name: 'a.c', text: 'int main(void) { return 0; }' }],
      keepGoing: true,
    }).finally(() => {
      process.cwd = before;
    });
    expect(findings.map(({ code }) => code)).toEqual(['one/end', 'two/end']);
  });
});

/** vitest reads what it imports before Node does. */
const cannotBeParsed = /cannot be loaded: (SyntaxError|Error: Failed to parse)/;

describe('an invalid plug-in is named', () => {
  const text = '#include <stdlib.h>\nint main(void) {\n  free(malloc(4));\n  return 0;\n}';
  const problemOf = async (content: string, engine = check, name = 'wrong.mjs'): Promise<string> => {
    const plugin = join(folder, name);
    writeFileSync(plugin, content);
    const error = await engine({ plugins: [plugin], inputs: [{ name: 'a.c', text }] }).then(
      ({ findings }) => new Error(`no failure, ${findings.length} findings`),
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof InputError)) throw error;
    return error.message.replaceAll(`${folder}/`, '');
  };
  const hook = (body: string): string => `export default { name: 'wrong', hooks: { ${body} } };`;

  const oneBit = (store: string): string =>
    `export default { name: 'wrong', shadow: { x: { per: 'byte', bits: 1 } }, hooks: { store: { ${store} } } };`;

  test.each([
    ['allocate: () => missing()', 'ReferenceError: missing is not defined'],
    ['allocate: () => { throw 7; }', '7'],
    ['allocate: async () => {}', 'it must not be async'],
    ['allocate: (_, { bytes }) => bytes(2 ** 40, 8)', 'the program has no memory at 0x10000000000'],
    ['allocate: (_, { text }) => text(0)', 'the program has no memory at 0x0'],
    ['allocate: (_, { report }) => report("Bad Code", "")', 'the code `Bad Code` must be lower-case'],
    ['allocate: (_, { shadow }) => shadow("none")', 'the plug-in has no shadow `none`'],
    ['allocate: function again() { again(); }', 'RangeError: Maximum call stack size exceeded'],
  ])('when it fails: %s', async (body, problem) => {
    for (const engine of [check, explore]) {
      const said = await problemOf(hook(body), engine as typeof check);
      expect(said).toContain('a.c:3:8: error: the plug-in `wrong` failed in its hook `allocate`: ');
      expect(said).toContain(problem);
    }
  });

  test.each([
    ['', 'its default export is not an object'],
    ['throw new Error("not today")', 'cannot be loaded: Error: not today'],
    ['export default { name: "wrong", hooks: {', cannotBeParsed],
    [hook('stroe: () => {}'), '`hooks` has no `stroe`'],
    [hook('store: 3'), 'the hook `store` must be a function'],
    [hook('enter: { run() {} }'), '`functions` of the hook `enter` must be names'],
    [hook('store: { when: { shadow: "x", has: 1 }, run() {} }'), 'names the shadow `x`, which the plug-in'],
    [
      oneBit('when: { shadow: "x", has: 2 }, run() {}'),
      '`when` of the hook `store` has 2, which no cell of 1 bit',
    ],
    [oneBit('when: { shadow: "x", is: 2 }, run() {}'), '`when` of the hook `store` has 2, which no cell'],
    [oneBit('set: { shadow: "x", to: -1 }'), '`set` of the hook `store` has -1, which no cell'],
    [
      oneBit('when: { shadow: "x", has: -1 }, set: { shadow: "x", to: 1 }, run: 3'),
      '`run` of the hook `store`',
    ],
    [
      hook('end: (_, { bytes }) => bytes(2 ** 40, 8)'),
      /^error: the plug-in `wrong` failed in its hook `end`/,
    ],
    ['export default { name: "Wrong!", hooks: {} };', 'its `name` must be lower-case'],
    [
      'export default { name: "wrong", hooks: {}, shadow: { a: { per: "bit", bits: 1 } } };',
      'the shadow `a` must be',
    ],
    ['export default { name: "wrong", hooks: {}, state: 3 };', '`state` must be a function'],
    [
      'export default { name: "wrong", state() { throw new Error("no"); }, hooks: {} };',
      'failed in its hook `state`',
    ],
  ])('when it cannot be used: %s', async (content, problem) => {
    expect(await problemOf(content)).toMatch(problem);
  });

  test('when its TypeScript cannot be read, or a file or a package is missing', async () => {
    expect(await problemOf('export default { name: ;', check, 'wrong.ts')).toMatch(
      /wrong\.ts:1:24: error: unexpected ";"/,
    );
    const missing = async (plugin: string): Promise<unknown> =>
      check({ plugins: [plugin], inputs: [{ name: 'a.c', text }] }).catch(error => error.message);
    expect(await missing(join(folder, 'nowhere.ts'))).toMatch(/^error: no such plug-in: '.*nowhere\.ts'$/);
    writeFileSync(join(folder, 'program.c'), '');
    expect(await missing(join(folder, 'program.c'))).toMatch(
      /program\.c' is not a module: its name must end in/,
    );
    expect(await missing('no-such-package')).toMatch("there is no package 'no-such-package' here");
    expect(await missing(join(folder, 'wrong.ts'))).not.toMatch('no such plug-in');
  });

  test('when its state cannot be cloned where paths fork', async () => {
    writeFileSync(
      join(folder, 'closure.mjs'),
      `export default { name: 'closure', state: () => ({ f: () => 1 }), hooks: { enter: { functions: 'f', run: (_, { state }) => state.f() } } };`,
    );
    const forks = `#include <klee/klee.h>
      static void f(void) {}
      int main(void) { if (klee_range(0, 2, "n")) f(); f(); return 0; }`;
    await expect(
      explore({ plugins: [join(folder, 'closure.mjs')], inputs: [{ name: 'a.c', text: forks }] }),
    ).rejects.toThrow(/the plug-in `closure` failed in its hook `enter`: DataCloneError/);
  });

  test('when it fails in a later schedule only', async () => {
    // The runs of all schedules share a worker, and so the variables of the module.
    const plugin = join(folder, 'second.mjs');
    writeFileSync(
      plugin,
      `let runs = 0; export default { name: 'second', hooks: { start: () => { if (++runs > 1) throw 'again'; } } };`,
    );
    const inputs = [join(root, 'examples/threads/counter.c')];
    const options = { plugins: [plugin], inputs, clangFlags: ['-DFIXED'] };
    await expect(check({ ...options, schedules: 3 })).rejects.toThrow(
      /the plug-in `second` failed in its hook `start`: again/,
    );
  });
});
