/**
 * The programs that the page offers, taken from the repository when the page is built: the examples
 * of `docs/explain`, listings of papers, programs to explore, attacks on mallocs, models.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** @param {string} file */
const read = file => readFileSync(file, 'utf8');

/**
 * Removes the marks of golden programs, which state the expected findings, and their settings.
 * @param {string} text
 */
const withoutMarks = text =>
  text.replace(/[ \t]*\/\/(\[\w+\])?~.*$/gm, '').replace(/^(\/\/ (engines|adds|args|taint):.*\n)+/, '');

/**
 * The settings of a golden program, as values of the page's fields.
 * @param {string} text
 */
function settingsOf(text) {
  /** @param {string} name */
  const given = name => new RegExp(`^// ${name}: (.*)$`, 'm').exec(text)?.[1];
  const checks = given('adds') ?? (given('taint') && `taint-${given('taint')}`);
  return {
    ...(given('args') && { 'check-args': given('args') }),
    ...(checks && { 'check-checks': checks }),
  };
}

/**
 * The case with the error of a program that is both the case and its fixed twin.
 * @param {string} text
 */
function withoutTwin(text) {
  const at = text.indexOf('BUGGY(');
  if (at < 0) return text;
  let depth = 0;
  let comma = -1;
  let end = at + 'BUGGY'.length;
  do {
    const character = text[end];
    if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === ',' && depth === 1 && comma < 0) comma = end;
    end++;
  } while (depth > 0);
  return withoutTwin(text.slice(0, at) + text.slice(at + 'BUGGY('.length, comma).trim() + text.slice(end));
}

const headers = ['stdint', 'stdio', 'stdlib', 'string'].map(name => `#include <${name}.h>`).join('\n');

/**
 * The first comment of a file, as a title.
 * @param {string} text
 */
function titleOf(text) {
  const [, block, line] = /(?:\/\*([\s\S]*?)\*\/|(?:\/\/|%|;;)(.*)$)/m.exec(text) ?? [];
  const words = (block ?? line ?? '')
    .replace(/\s*\n \*\s*/g, ' ')
    .replace(/^\s*(metadata|data): /, '')
    .trim();
  const sentence = words.split(/[.:]\s|\.$/)[0];
  return sentence.length > 72 ? `${sentence.slice(0, 70).replace(/\s\S*$/, '')} …` : sentence;
}

/** @param {string} file */
function explained(file) {
  const code = basename(file, '.md');
  const [, text] = /```c\n([\s\S]*?)```/.exec(read(`docs/explain/${file}`)) ?? [''];
  const source = text ?? '';
  const settings = settingsOf(source);
  return { id: code, title: code, name: `${code}.c`, text: withoutMarks(source), tab: 'check', settings };
}

/** @param {string} file */
function listing(file) {
  const text = withoutTwin(withoutMarks(read(`tests/templist/${file}.c`))).replace(
    '#include "../golden/cases.h"',
    headers,
  );
  return { id: file, title: titleOf(text), name: `${file.replace(/^\d+-/, '')}.c`, text, tab: 'check' };
}

/**
 * `change` makes a program smaller that is large for a bench.
 * @param {string} file
 * @param {string} tab
 * @param {{ change?: (text: string) => string, title?: string,
 *   settings?: Record<string, string> }} [more]
 */
function example(file, tab, { change = text => text, ...more } = {}) {
  const text = change(read(file));
  return { id: basename(file), title: titleOf(text), name: basename(file), text, tab, ...more };
}

const models = [
  'lfht.sal',
  'peterson-broken.mcmt',
  'peterson.mcmt',
  'semaphore-broken.sal',
  'msi-broken.sal',
  'msi.sal',
  'jugs.mcmt',
  'counter.mcmt',
];

export function collectExamples() {
  return [
    {
      title: 'First',
      examples: [
        example('examples/use-after-free.c', 'check', { title: 'Use after free in a list' }),
        example('examples/tutorial/join.c', 'check', {
          title: 'Words joined into too small a block',
          settings: { 'check-args': 'memory safety for C' },
        }),
        example('bench/programs/expression-parser.c', 'explore', {
          title: 'All paths of a parser',
          change: text => text.replace('#define N 8', '#define N 4'),
        }),
      ],
    },
    {
      title: 'One for each kind of finding',
      examples: readdirSync('docs/explain').map(explained),
    },
    {
      title: "Papers' listings",
      examples: [
        listing('03-sibling-scopes'),
        listing('01-reused-block'),
        listing('04-nested-scopes'),
        listing('10-list'),
        example('examples/all-zeros.c', 'check'),
      ],
    },
    {
      title: 'To explore',
      examples: [
        example('examples/function-harness.c', 'explore'),
        example('bench/programs/tokenizer.c', 'explore'),
      ],
    },
    {
      title: 'Attacks on mallocs',
      examples: readdirSync('runtime/heap/attacks')
        .filter(file => file.endsWith('.c'))
        .map(file =>
          example(`runtime/heap/attacks/${file}`, 'heap', {
            title: basename(file, '.c'),
            settings: { 'heap-what': 'attacks' },
          }),
        ),
    },
    { title: 'Models to prove', examples: models.map(file => example(`examples/models/${file}`, 'prove')) },
  ];
}
