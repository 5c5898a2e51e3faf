/**
 * Follows each recipe's first step only, in a copy of the sources, and compiles it:
 * the files with an error must be those that the compiler is to show, and places of the recipe.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isListed, kinds, recipes, root } from './recipes.js';

let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'redzone-recipes-'));
  for (const part of ['src', 'package.json', 'tsconfig.json', 'tsconfig.build.json'])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function filesWithErrors(): string[] {
  const options = ['-p', 'tsconfig.build.json', '--noEmit', '--incremental', 'false'];
  const compiler = join(root, 'node_modules/.bin/tsc');
  const { stdout } = spawnSync(compiler, options, { cwd: copy, encoding: 'utf8' });
  return [...new Set([...stdout.matchAll(/^(src\/[^(]+)\(/gm)].map(match => match[1]!))];
}

test('the copy has no errors', () => {
  expect(filesWithErrors()).toEqual([]);
});

const extended = kinds.flatMap(({ recipe, addition }) =>
  addition === undefined ? [] : [{ recipe, addition }],
);

test.each(extended)(
  'the compiler shows the places of "add $recipe", and no others',
  ({ recipe, addition }) => {
    const file = join(copy, addition.file);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(addition.from);
    writeFileSync(file, text.replace(addition.from, addition.to));
    const missing = filesWithErrors();
    writeFileSync(file, text);
    expect(missing.sort()).toEqual(addition.shows);
    expect(missing.filter(place => !isListed(place, recipes().get(recipe)!))).toEqual([]);
  },
);
