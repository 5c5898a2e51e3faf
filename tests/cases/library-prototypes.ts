/** The functions of the C library to which a pointer is passed, as its headers declare them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../../src/platform/files.js';

export interface Prototype {
  readonly name: string;
  readonly header: string;
  readonly parameters: readonly string[];
}

const runtime = join(import.meta.dirname, '../../runtime');

/** Those that the library exports, by name; the first declaration of each. */
export function prototypesWithPointers(): Prototype[] {
  const symbols = new Set(Object.keys(JSON.parse(readFileSync(join(runtime, 'libc/symbols.json'), 'utf8'))));
  const found = new Map<string, Prototype>();
  // The headers of intrinsics define their functions, and the program's checks see into them.
  const headers = filesBelow(join(runtime, 'include')).filter(file => !file.endsWith('intrin.h'));
  for (const header of headers) {
    const text = readFileSync(join(runtime, 'include', header), 'utf8')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/\/\/.*/g, '')
      .replace(/#.*(\\\n.*)*/g, '');
    for (const statement of text.split(/[;{}]/)) {
      const [, name, rest] =
        /^.*?[\s*](\w+)\s*\((.*)\)\s*(?:__\w+.*)?$/.exec(statement.trim().replace(/\s+/g, ' ')) ?? [];
      if (name === undefined || !/[*[]/.test(rest!) || !symbols.has(name) || found.has(name)) continue;
      found.set(name, { name, header, parameters: parametersOf(rest!) });
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Divides at commas outside parentheses, and ends before attributes of the declaration. */
function parametersOf(text: string): string[] {
  const parameters = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth++;
    if (character === ')' && --depth < 0) break;
    if (character === ',' && depth === 0) parameters.push('');
    else parameters[parameters.length - 1] += character;
  }
  return parameters.map(parameter => parameter.trim());
}
