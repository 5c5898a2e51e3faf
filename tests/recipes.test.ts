/**
 * The recipes of `CONTRIBUTING.md` list all places. A file that names every instance of a kind has
 * to name the next one too; `recipes.long.test.ts` uses the compiler as well.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codes } from '../src/findings/codes.js';
import { filesBelow } from '../src/platform/files.js';
import { isListed, kinds, read, recipes, root } from './recipes.js';

const listed = recipes();
const sources = ['src', 'docs']
  .flatMap(folder => filesBelow(join(root, folder)).map(file => `${folder}/${file}`))
  .filter(file => /\.(ts|md)$/.test(file) && !file.startsWith('docs/decisions/'));

test('there is a recipe for every kind', () => {
  const titles = [...listed.keys()];
  for (const { recipe } of kinds) expect(titles).toContain(recipe);
  const others = ['an option', 'a libc function', 'a rewrite rule', "a check of one's own"];
  for (const other of others) expect(titles).toContain(other);
});

test.each([...listed])('the places of "add %s" exist', (_, places) => {
  expect(places.length).toBeGreaterThan(0);
  const named = places.filter(place => !/CODE|NAME/.test(place));
  expect(named.filter(place => !existsSync(join(root, place)))).toEqual([]);
});

test.each(kinds)(
  'every file that names all instances is a place of "add $recipe"',
  ({ recipe, instances, names }) => {
    const places = listed.get(recipe)!;
    const all = sources.filter(file => {
      const text = read(file);
      return instances.every(instance => names(text, instance));
    });
    expect(all.some(file => file.startsWith('src/'))).toBe(true);
    expect(all.filter(file => !isListed(file, places))).toEqual([]);
  },
);

test('every code has the files that its recipe names', () => {
  const patterns = listed.get('a code')!.filter(place => place.includes('CODE'));
  expect(patterns.length).toBeGreaterThan(1);
  for (const code of Object.keys(codes))
    for (const pattern of patterns) {
      const file = pattern.replace('CODE', code);
      expect(existsSync(join(root, file)), file).toBe(true);
    }
});

test('a rule that the code applies is written at the top of a file of rules', () => {
  const files = listed
    .get('a rewrite rule')!
    .filter(file => file.startsWith('src/expr/rules-') && !file.includes('test'));
  const parts = [...files, 'src/expr/terms.ts'].map(file => {
    const text = read(file);
    const end = text.indexOf('*/');
    return { file, head: text.slice(0, end), code: text.slice(end) };
  });
  const rules = new Set(parts.flatMap(({ head }) => head.match(/\b[A-Z]\d+\b/g) ?? []));
  const applied = parts.flatMap(({ file, code }) =>
    [...code.matchAll(/\/\/ ([A-Z]\d+)(?: and ([A-Z]\d+))?\b/g)].flatMap(([, one, two]) =>
      [one, two].flatMap(rule => (rule === undefined ? [] : [`${rule} in ${file}`])),
    ),
  );
  expect(applied.length).toBeGreaterThan(50);
  expect(applied.filter(rule => !rules.has(rule.split(' ')[0]!))).toEqual([]);
  expect(filesBelow(join(root, 'src/expr')).filter(file => /^rules-.*\.ts$/.test(file))).toHaveLength(
    files.length,
  );
});
