/**
 * Functions that have no row in the table of ranges find freed memory all the same, in each pointer
 * that they take; where they do not, `silentCalls` says why.
 */
import { expect, test } from 'vitest';
import { check, defaultChecks } from '../../src/index.js';
import { betterCalls, silentCalls } from './library-freed.js';
import { type Prototype, prototypesWithPointers } from './library-prototypes.js';
import { unlisted } from './library-unlisted.js';

interface Probe {
  /** `name:position`, counted from 1. */
  readonly key: string;
  readonly call: string;
}

const isPointer = (parameter: string): boolean => /[*[]/.test(parameter) && !isFunction(parameter);
const isFunction = (parameter: string): boolean => /\(\s*\*/.test(parameter);

function argumentFor(parameter: string): string {
  if (parameter === '...') return '0';
  if (isFunction(parameter)) return '(void *)compare';
  if (/va_list/.test(parameter)) return '*(va_list *)GOOD';
  if (/^FILE\b/.test(parameter)) return 'stdout';
  if (isPointer(parameter)) return '(void *)GOOD';
  const [, struct] = /^(cookie_io_functions_t|ENTRY)\b/.exec(parameter) ?? [];
  return struct === undefined ? '1' : `(${struct}){0}`;
}

function probesOf({ name, parameters }: Prototype): Probe[] {
  return parameters.flatMap((parameter, i) => {
    if (!isPointer(parameter)) return [];
    const key = `${name}:${i + 1}`;
    const args = parameters.map((each, j) => (i === j ? '(void *)BAD' : argumentFor(each)));
    return [{ key, call: betterCalls.get(key) ?? `${name}(${args.join(', ')})` }];
  });
}

/** Labels cannot be followed beside threads, and inputs of engines are tested with them. */
const names = new Set(
  unlisted.flatMap(({ names }) => names.trim().split(/\s+/)).filter(name => !/^(dfsan|redzone)_/.test(name)),
);

test('every function reports a pointer to freed memory, or has a documented exception', async () => {
  const prototypes = prototypesWithPointers().filter(({ name }) => names.has(name));
  const probes = prototypes.flatMap(probesOf);
  const headers = new Set([...prototypes.map(({ header }) => header), 'netinet/in.h', 'xlocale.h']);
  const text = `#define _GNU_SOURCE
${[...headers].map(header => `#include <${header}>`).join('\n')}
static char *BAD, GOOD[8192];
static int compare() { return 0; }
static struct obstack *stack(void) { static struct obstack s; _obstack_begin(&s, 0, 0, malloc, free); return &s; }
static struct random_data *generator(void) { static struct random_data r; initstate_r(1, GOOD, 64, &r); return &r; }
static struct hsearch_data *table(void) { static struct hsearch_data t; hcreate_r(9, &t); return &t; }
${probes.map(({ call }, i) => `static void probe${i}(void) { ${call}; }`).join('\n')}
static void (*const probes[])(void) = {${probes.map((_, i) => `probe${i}`).join(', ')}};
int main(int argc, char **argv) {
  BAD = calloc(1, 2048);
  BAD[0] = 'a';
  free(BAD);
  probes[atoi(argv[1])]();
  return 0;
}
`;
  const first = text.split('\n').findIndex(line => line.startsWith('static void probe0')) + 1;
  const silent = new Set(silentCalls.flatMap(({ calls }) => calls.trim().split(/\s+/)));
  const wrong: string[] = [];
  for (const [i, { key, call }] of probes.entries()) {
    const { findings, verdict } = await check({
      inputs: [{ name: 'freed.c', text }],
      arguments: [String(i)],
      checks: defaultChecks.filter(kind => kind !== 'leaks'),
      clangFlags: ['-w'],
      stdin: '',
    });
    const found = findings.map(({ code, location }) =>
      location.line === first + i ? code : `${code} at ${location.file}:${location.line}`,
    );
    const isFound = found.some(code => ['use-after-free', 'double-free', 'unsupported'].includes(code));
    if (isFound === silent.has(key)) wrong.push(`${key} ${call}: ${found.join(' ') || verdict}`);
    silent.delete(key);
  }
  expect(wrong).toEqual([]);
  expect([...silent], 'calls that are no longer made').toEqual([]);
  expect(probes.length).toBeGreaterThan(700);
});
