/**
 * The workflow and the problem matcher in docs/ci.md, as far as they can be tested without GitHub:
 * the workflow is YAML with the structure of a workflow, its actions exist with these inputs, and
 * the step that checks the project does what the page says, in a checkout with a Makefile.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hasTool, noteLeftOut } from '../optional-tools.js';

interface Step {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
  readonly if?: string;
}
interface Workflow {
  readonly jobs: Readonly<
    Record<string, { 'runs-on': string; permissions: Record<string, string>; steps: Step[] }>
  >;
}

interface Matchers {
  readonly problemMatcher: readonly {
    readonly owner: string;
    readonly pattern: readonly ({ readonly regexp: string } & Readonly<Record<string, number>>)[];
  }[];
}

const home = join(import.meta.dirname, '../..');
const root = mkdtempSync(join(tmpdir(), 'redzone-workflow-'));
afterAll(() => rmSync(root, { recursive: true }));

const page = readFileSync(join(home, 'docs/ci.md'), 'utf8');
const text = /^```text\n(name: .*?)^```/ms.exec(page)?.[1] ?? '';

/** From action.yml of each action (read on 2026-11-18): the inputs that it has. */
const inputsOf: Record<string, string[]> = {
  'actions/checkout@v4': [],
  'actions/setup-node@v4': ['node-version'],
  'actions/cache@v4': ['path', 'key', 'restore-keys'],
  'github/codeql-action/upload-sarif@v3': ['sarif_file'],
};

function hasYaml(): boolean {
  const leftOut = 'the YAML of docs/ci.md is parsed';
  if (!hasTool('python3', leftOut)) return false;
  const has = spawnSync('python3', ['-c', 'import yaml']).status === 0;
  if (!has) noteLeftOut('PyYAML', leftOut);
  return has;
}

test.skipIf(!hasYaml())('the workflow is YAML, and its actions have these inputs', () => {
  const parse = 'import json, sys, yaml; print(json.dumps(yaml.load(sys.stdin, yaml.BaseLoader)))';
  const parsed = spawnSync('python3', ['-c', parse], { input: text, encoding: 'utf8' });
  expect(parsed.stderr).toBe('');
  const { jobs } = JSON.parse(parsed.stdout) as Workflow;
  const [job] = Object.values(jobs);
  expect(job?.['runs-on']).toBe('ubuntu-latest');
  expect(job?.permissions).toEqual({ contents: 'read', 'security-events': 'write' });
  const actions = job?.steps.filter(step => step.uses !== undefined) ?? [];
  expect(actions.map(step => step.uses)).toEqual(Object.keys(inputsOf));
  for (const { uses = '', with: inputs = {} } of actions)
    expect(inputsOf[uses], uses).toEqual(Object.keys(inputs));
  // The findings are uploaded although the step before has failed.
  expect(job?.steps.at(-1)?.if).toBe('always()');
});

/** A run with a finding of each shape: with both sites, with one, with a note, and of a leak. */
const shapes = `#include <stdlib.h>
int *make(void) { return malloc(4); }
int main(int argc, char **argv) {
  int *p = make(), a[2] = {0}, i = argc + 1, zero = argc - 1, *lost = make();
  free(p);
  *p = 1;
  a[i] = 2 / zero;
  lost = p;
  return 0;
}
`;

test('the problem matcher matches every line of `--format gcc`, with the place and the code', () => {
  const json = /^```text\n(\{ "problemMatcher".*?)^```/ms.exec(page)?.[1] ?? '';
  const [matcher] = (JSON.parse(json) as Matchers).problemMatcher;
  const { regexp, ...groups } = matcher!.pattern[0]!;
  const folder = join(root, 'a folder');
  mkdirSync(folder);
  writeFileSync(join(folder, 'shapes.c'), shapes);
  const options = ['check', '-q', '--keep-going', '--format', 'gcc', 'shapes.c'];
  const { stdout } = spawnSync(process.execPath, [join(home, 'bin/redzone.js'), ...options], {
    cwd: folder,
    encoding: 'utf8',
  });
  const lines = stdout.trimEnd().split('\n');
  const matched = lines.map(line => {
    const match = new RegExp(regexp).exec(line);
    return Object.fromEntries(Object.entries(groups).map(([name, group]) => [name, match?.[group]]));
  });
  // Every line is matched, and the code is not part of the message.
  for (const { file, line, column, message } of matched) {
    expect([file, Number(column) > 0, message?.includes('[')]).toEqual(['shapes.c', true, false]);
    expect(shapes.split('\n')[Number(line) - 1]).toMatch(/\S/);
  }
  expect(matched.map(({ severity, line, code }) => [severity, line, code])).toEqual([
    ['error', '6', 'use-after-free'],
    ['note', '2', undefined],
    ['note', '5', undefined],
    ['error', '7', 'division-by-zero'],
    ['error', '7', 'stack-buffer-overflow'],
    ['note', '4', undefined],
    ['warning', '2', 'memory-leak'],
    ['note', '2', undefined],
  ]);
});

test('the step that runs the tests fails for a finding, and writes SARIF with paths in the checkout', () => {
  const commands = Array.from(text.matchAll(/^ +- run: (.*)$/gm), ([, command]) => command!);
  expect(commands).toHaveLength(2);
  expect(commands[0]).toMatch(/^npm install --global redzone /);
  const checkout = join(root, 'checkout');
  cpSync(join(home, 'examples/project'), checkout, { recursive: true });
  writeFileSync(join(checkout, 'Makefile'), 'check:\n\tsh check.sh\n');
  const bin = join(root, 'bin');
  mkdirSync(bin);
  symlinkSync(join(home, 'bin/redzone.js'), join(bin, 'redzone'));
  // As GitHub runs a step.
  const done = spawnSync('bash', ['-e', '-c', commands[1]!], {
    cwd: checkout,
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
    encoding: 'utf8',
  });
  expect(done.status, done.stderr).toBe(1);
  const sarif = JSON.parse(readFileSync(join(checkout, 'redzone.sarif'), 'utf8')) as {
    version: string;
    runs: { results: { ruleId: string; locations: { physicalLocation: object }[] }[] }[];
  };
  expect(sarif.version).toBe('2.1.0');
  const [result] = sarif.runs[0]!.results;
  expect(result?.ruleId).toBe('heap-buffer-overflow');
  expect(result?.locations[0]?.physicalLocation).toMatchObject({
    artifactLocation: { uri: 'stack.c' },
    region: { startLine: 12 },
  });
});
