/**
 * What `redzone tests --format xml` writes is valid by the document types of Test-Comp, version
 * 1.1, and says what is true of the program.
 *
 * No validator is installed everywhere, so this file has one for the part of XML that we use.
 * Its rules are those of `test-metadata.dtd` and `testcase.dtd` of the format "test-format".
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explore, tests } from '../../src/index.js';

/** An element: its children, as a pattern of names that each end with a comma, or text alone. */
interface ElementRule {
  readonly children: RegExp | 'text';
  readonly attributes: Readonly<Record<string, RegExp>>;
}

type Rules = ReadonlyMap<string, ElementRule>;

const text: ElementRule = { children: 'text', attributes: {} };
const sequence =
  'sourcecodelang producer specification programfile programhash entryfunction architecture'.split(' ');
const optional = ['inputtestsuitefile', 'inputtestsuitehash'];
const rules: Rules = new Map([
  [
    'test-metadata',
    {
      children: new RegExp(
        `^${sequence.map(name => `${name},`).join('')}${optional.map(name => `(${name},)*`).join('')}creationtime,$`,
      ),
      attributes: {},
    },
  ],
  ...[...sequence, ...optional, 'creationtime'].map(name => [name, text] as const),
  ['testcase', { children: /^(input,)*$/, attributes: { coversError: /^(true|false)$/ } }],
  ['input', { children: 'text', attributes: { type: /^[^<]*$/, variable: /^[^<]*$/ } }],
]);

interface Element {
  readonly name: string;
  readonly children: string[];
  text: string;
}

const tag =
  /<(?<close>\/)?(?<name>[A-Za-z_][\w.-]*)(?<attributes>(?:\s+[A-Za-z_][\w.-]*\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(?<empty>\/)?>/y;
const head =
  /^<\?xml version="1\.0" encoding="UTF-8"(?: standalone="(?:yes|no)")?\?>\s*<!DOCTYPE (?<root>[\w-]+) PUBLIC "(?<id>[^"<&]+)" "[^"<&]+">\s*/;

/** What is wrong with a document; the empty list if it is valid. */
function faultsOf(document: string): string[] {
  const faults: string[] = [];
  if (/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(document))
    faults.push('a character that XML forbids');
  const start = head.exec(document);
  if (start === null) return ['no declaration or no document type'];
  const { root, id } = start.groups!;
  if (id !== `+//IDN sosy-lab.org//DTD test-format ${root} 1.1//EN`) faults.push(`identifier ${id}`);
  const open: Element[] = [];
  const roots: string[] = [];
  const end = (element: Element): void => {
    const rule = rules.get(element.name);
    if (rule === undefined) faults.push(`<${element.name}> is not declared`);
    else if (rule.children === 'text') {
      if (element.children.length > 0) faults.push(`<${element.name}> has elements`);
    } else {
      if (!rule.children.test(element.children.map(name => `${name},`).join('')))
        faults.push(`<${element.name}> has ${element.children.join(', ')}`);
      if (element.text.trim() !== '') faults.push(`<${element.name}> has text`);
    }
  };
  for (let at = start[0].length; at < document.length; ) {
    tag.lastIndex = at;
    const found = tag.exec(document)?.groups;
    if (found === undefined) {
      if (document[at] === '<') return [...faults, `no tag at ${at}`];
      const next = document.indexOf('<', at);
      const content = document.slice(at, next === -1 ? document.length : next);
      if (/&(?!(amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(content) || content.includes(']]>'))
        faults.push(`text '${content}'`);
      const inside = open.at(-1);
      if (inside !== undefined) inside.text += content;
      else if (content.trim() !== '') faults.push('text outside of the root');
      at += content.length;
      continue;
    }
    at = tag.lastIndex;
    const { name = '', attributes = '', close, empty } = found;
    if (close !== undefined) {
      const element = open.pop();
      if (element?.name !== name) return [...faults, `</${name}> closes <${element?.name}>`];
      end(element);
      continue;
    }
    for (const [, key = '', value = ''] of attributes.matchAll(/([\w.-]+)\s*=\s*["']([^"']*)["']/g))
      if (!rules.get(name)?.attributes[key]?.test(value)) faults.push(`${name} ${key}="${value}"`);
    (open.at(-1)?.children ?? roots).push(name);
    const element: Element = { name, children: [], text: '' };
    if (empty === undefined) open.push(element);
    else end(element);
  }
  if (open.length > 0) faults.push(`<${open.at(-1)!.name}> is not closed`);
  if (roots.join() !== root) faults.push(`the root is ${roots.join()}, not ${root}`);
  return faults;
}

const root = mkdtempSync(join(tmpdir(), 'redzone-test-comp-'));
afterAll(() => rmSync(root, { recursive: true }));

describe('the validator itself', () => {
  const testcase = (body: string): string =>
    `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE testcase PUBLIC "+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN" "x">${body}`;

  test.each([
    '<testcase/>',
    '<testcase coversError="true"><input type="int">5</input><input/></testcase>',
    '<testcase>\n <input>&lt;</input></testcase>\n',
  ])('%s', body => {
    expect(faultsOf(testcase(body))).toEqual([]);
  });

  test.each([
    '<testcase><input>1</testcase>',
    '<testcase>1</testcase>',
    '<testcase><input><input/></input></testcase>',
    '<testcase><output/></testcase>',
    '<testcase coversError="perhaps"/>',
    '<testcase number="1"/>',
    '<testcase><input>&</input></testcase>',
    '<testcase><input>\x01</input></testcase>',
    '<testcase/><testcase/>',
    '<test-metadata/>',
    '<testcase>',
  ])('%s', body => {
    expect(faultsOf(testcase(body))).not.toEqual([]);
  });
});

describe('a suite', () => {
  // The bell is no character of XML.
  const file = join(root, 'a & b <c>\x07.c');
  const folder = join(root, 'out');
  const suite = join(root, 'suite');
  const source = `
int __VERIFIER_nondet_int(void);
char __VERIFIER_nondet_char(void);
double __VERIFIER_nondet_double(void);
unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 1;
  if (__VERIFIER_nondet_char() == 'x') return 2;
  if (__VERIFIER_nondet_double() > 1.5) return 3;
  int a[4] = {0};
  return __VERIFIER_nondet_ulong() > 1ul << 60 ? a[n] : 4;
}`;
  beforeAll(async () => {
    writeFileSync(file, source);
    await explore({ inputs: [file], folder, seed: 1 });
    await tests({ folder, outDir: suite, format: 'xml' });
  });

  test('each document is valid', () => {
    const files = readdirSync(suite);
    expect(files.length).toBeGreaterThan(5);
    for (const name of files) expect(faultsOf(readFileSync(join(suite, name), 'utf8')), name).toEqual([]);
  });

  test('a test has a number for each call, in their order', async () => {
    const { tests: all } = await tests({ folder });
    for (const { number, end } of all) {
      const text = readFileSync(join(suite, `${String(number).padStart(6, '0')}.xml`), 'utf8');
      const values = [...text.matchAll(/<input>(.*)<\/input>/g)].map(([, value]) => Number(value));
      const calls = { 'exit 1': 1, 'exit 2': 2, 'exit 3': 3 }[end] ?? 4;
      expect(values, end).toHaveLength(calls);
      expect(values[0]! < 0).toBe(calls === 1);
      if (calls > 1) expect(values[1] === 'x'.charCodeAt(0)).toBe(calls === 2);
    }
  });

  test('the metadata has the hash of the file', () => {
    const metadata = readFileSync(join(suite, 'metadata.xml'), 'utf8');
    const field = (name: string): string | undefined =>
      new RegExp(`<${name}>(.*)</${name}>`).exec(metadata)?.[1];
    expect(field('programhash')).toBe(createHash('sha256').update(source).digest('hex'));
    expect(field('programfile')).toMatch(/\/a &amp; b &lt;c&gt;\ufffd\.c$/);
    expect(field('entryfunction')).toBe('main');
    expect(new Date(field('creationtime')!).getTime()).not.toBeNaN();
  });
});
