/**
 * The table of rooms, and the test that holds it: which folder of `src/` may import which.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

const mayImport: Record<string, string[]> = {
  support: [],
  findings: ['support'],
  ir: ['support', 'findings'],
  passes: ['ir', 'support'],
  front: ['ir', 'passes', 'findings', 'wasm', 'platform', 'support'],
  driver: ['support'],
  wasm: ['support'],
  host: ['support', 'platform'],
  hashtable: ['support'],
  malloc: ['hashtable', 'kdalloc', 'support'],
  plugins: ['ir', 'findings', 'support'],
  labels: ['ir', 'passes', 'findings', 'support'],
  monitor: ['ir', 'passes', 'wasm', 'host', 'malloc', 'labels', 'plugins', 'findings', 'platform', 'support'],
  run: ['monitor', 'wasm', 'host', 'malloc', 'plugins', 'findings', 'platform', 'support'],
  heap: ['run', 'wasm', 'host', 'malloc', 'findings', 'platform', 'support'],
  expr: ['support'],
  solver: ['expr', 'platform', 'support'],
  kdalloc: ['support'],
  explore: [
    'ir',
    'passes',
    'expr',
    'solver',
    'kdalloc',
    'hashtable',
    'host',
    'labels',
    'plugins',
    'findings',
    'platform',
    'support',
  ],
  emit: ['ir', 'passes', 'wasm', 'support'],
  fuzz: ['monitor', 'explore', 'host', 'wasm', 'findings', 'platform', 'support'],
  modelcheck: ['expr', 'solver', 'hashtable', 'findings', 'platform', 'support'],
  platform: ['support'],
  queue: ['findings', 'platform', 'support'],
  options: [
    'findings',
    'explore',
    'kdalloc',
    'labels',
    'malloc',
    'modelcheck',
    'monitor',
    'solver',
    'support',
  ],
  reports: ['heap', 'findings', 'support'],
  cli: ['index', 'options', 'platform', 'reports', 'support'],
};

/**
 * The folders of `explore`, from the lowest up, in the order in which a path meets them from the
 * inside to the outside: each may import those that are listed with it, which all come before it.
 * So the state of a path does not depend on the machine, nor the machine on the searcher.
 */
const mayImportInExplore: Record<string, string[]> = {
  values: [],
  memory: ['values'],
  state: ['values', 'memory'],
  program: ['values', 'memory', 'state'],
  access: ['values', 'memory', 'state'],
  inputs: ['values', 'memory', 'state', 'access'],
  natives: ['values', 'memory', 'state', 'access', 'inputs'],
  instructions: ['values', 'memory', 'state', 'program', 'access', 'natives'],
  compile: ['values', 'memory', 'state', 'program', 'access', 'natives', 'instructions'],
  machine: ['values', 'memory', 'state', 'program', 'access', 'inputs', 'compile'],
  search: ['values', 'memory', 'state', 'program', 'inputs', 'natives', 'instructions', 'machine'],
  output: ['values', 'memory', 'state', 'program', 'inputs', 'search'],
};

/**
 * The most files of `explore` that may depend on each other in a circle, type-only imports
 * included.
 */
const LARGEST_CIRCLE = 4;

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
    .map(entry => relative(root, join(entry.parentPath, entry.name)));
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const specifiers = [...text.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)'([^']+)'/gm)];
  return specifiers.map(match => match[1]!);
}

/**
 * The room of a path below `src/`: its folder, or the file's own name at the top (`src/index.ts` is
 * `index`).
 */
function roomOf(file: string): string {
  const parts = file.split('/');
  return parts.length === 2 ? parts[1]!.replace(/\.[jt]s$/, '') : parts[1]!;
}

const files = sources(join(root, 'src'));

/** The rooms that compose others into commands; `src/index.ts` exports the result. */
const composition = ['index', 'api'];

describe('rooms', () => {
  test('every folder of src/ is a room of the table', () => {
    const rooms = new Set(files.map(roomOf));
    for (const room of composition) rooms.delete(room);
    expect([...rooms].filter(room => !(room in mayImport))).toEqual([]);
  });

  test.each(files.filter(file => !composition.includes(roomOf(file))))(
    '%s imports only what its room may',
    file => {
      const room = roomOf(file);
      const foreign = importsOf(file)
        .filter(specifier => specifier.startsWith('.'))
        .map(specifier => roomOf(posix.normalize(posix.join(posix.dirname(file), specifier))))
        .filter(other => other !== room && !mayImport[room]?.includes(other));
      expect(foreign).toEqual([]);
    },
  );

  test('only platform, host, cli and tests use Node', () => {
    const users = files.filter(
      file =>
        !['platform', 'host', 'cli'].includes(roomOf(file)) &&
        !file.endsWith('.test.ts') &&
        importsOf(file).some(specifier => specifier.startsWith('node:')),
    );
    expect(users).toEqual([]);
  });

  test('no engine uses modules that only Node has, since a page runs them, too', () => {
    const users = files.filter(
      file =>
        !['platform', 'host', 'cli', 'queue'].includes(roomOf(file)) &&
        !file.endsWith('.test.ts') &&
        /^(?!\s*(\*|\/\/)).*(?<!\w)Buffer\.\w/m.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(users).toEqual([]);
  });

  test('the page imports neither Node nor the command line', () => {
    const ofSite = sources(join(root, 'site'));
    const foreign = ofSite.flatMap(file =>
      importsOf(file)
        .map(specifier => posix.normalize(posix.join(posix.dirname(file), specifier)))
        .filter((path, i) => importsOf(file)[i]!.startsWith('node:') || /^src\/(cli|index)\b/.test(path))
        .map(path => `${file} imports ${path}`),
    );
    expect(ofSite.length).toBeGreaterThan(10);
    expect(foreign).toEqual([]);
  });

  test('a module of site/platform replaces the module of src with the same name', () => {
    const machine = files.filter(file => ['platform', 'host'].includes(roomOf(file)));
    const ofPage = readdirSync(join(root, 'site/platform')).filter(name => name.endsWith('.ts'));
    const replaced = ofPage.filter(name => machine.some(file => posix.basename(file) === name));
    for (const name of replaced)
      expect(readFileSync(join(root, 'site/platform', name), 'utf8')).toMatch(
        new RegExp(`^/\\*\\*\\s+(\\* )?\`src/(platform|host)/${name}\``),
      );
    // A module that imports Node and is not replaced cannot be reached from the page, because the
    // bundler fails to resolve Node's modules.
    expect(replaced).toContain('files.ts');
  });
});

/**
 * Names of files that may occur in several folders, each with the reason. A file is otherwise found
 * by its name alone, in prose, in an editor and in a stack trace.
 */
const repeatedNames: Record<string, string> = {
  'index.ts': 'what a folder exports, by the convention of Node',
};

/**
 * Types with the name of a type of another room that the room may import, each with the reason.
 * Rooms that do not import each other may use the same word.
 */
const sharedTypeNames: Record<string, string> = {
  Comparison: 'heap compare is public; in fuzz it is a comparison of the program',
  Memory: 'the address space of a path, and the shared words of the hash table',
  Model: 'a model of logic, and a model of a system: both are the words of their fields',
  Outcome: 'each decision procedure has its own',
  Range: 'of values in the solver, of addresses on a path',
  Searcher: 'the explorer chooses states, the fuzzer inputs',
  Span: 'of columns in an excerpt, of offsets in an annotation',
  Step: 'of a program under explore, of a thread under the explorer of interleavings',
  Target: 'of an access, of a fuzzing campaign',
  Task: 'of a worker, of a fuzzing round',
  Token: 'each reader has its own',
  Type: 'each language has its own',
};

const typeNames = (file: string): string[] =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(
      /^export (?:abstract )?(?:type|interface|class) (\w+)/gm,
    ),
  ].map(match => match[1]!);

describe('names', () => {
  test('a file name of src/ occurs once', () => {
    const names = files.map(file => posix.basename(file));
    const repeated = files.filter((_, i) => names.indexOf(names[i]!) !== names.lastIndexOf(names[i]!));
    expect(repeated.filter(file => !(posix.basename(file) in repeatedNames))).toEqual([]);
  });

  test("a type's name is unique among the rooms that its room may import", () => {
    const isNear = (a: string, b: string): boolean =>
      a === b || composition.includes(a) || mayImport[a]?.includes(b) === true;
    const declared = files.flatMap(file => typeNames(file).map(name => ({ name, file, room: roomOf(file) })));
    const repeated = declared.filter(({ name, file, room }) =>
      declared.some(other => other.name === name && other.file !== file && isNear(room, other.room)),
    );
    expect(repeated.length).toBeGreaterThan(0);
    const unknown = repeated.filter(({ name }) => !(name in sharedTypeNames));
    expect(unknown.map(({ name, file }) => `${file}: ${name}`)).toEqual([]);
    // An exception that no longer applies is removed.
    expect(Object.keys(sharedTypeNames).filter(name => !repeated.some(one => one.name === name))).toEqual([]);
  });
});

test('a function, class or constant is exported only if another file uses it', () => {
  const others = ['site', 'tests', 'bench', 'scripts', 'examples'].flatMap(folder =>
    readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
      .filter(entry => entry.isFile() && /\.(ts|mjs)$/.test(entry.name))
      .map(entry => relative(root, join(entry.parentPath, entry.name))),
  );
  const users = new Map<string, Set<string>>();
  for (const file of [...files, ...others])
    for (const [word] of readFileSync(join(root, file), 'utf8').matchAll(/[A-Za-z_]\w*/g))
      users.set(word, (users.get(word) ?? new Set()).add(file));
  const exported = /^export (?:async |abstract )*(?:function\*?|class|const|let) (\w+)/gm;
  const own = files.flatMap(file =>
    [...readFileSync(join(root, file), 'utf8').matchAll(exported)]
      .filter(([, name]) => users.get(name!)!.size === 1)
      .map(([, name]) => `${file}: ${name}`),
  );
  expect(own).toEqual([]);
});

/** The arguments of each optional call (`f?.(…)`, `a?.f(…)`) in a text, with where they begin. */
function optionalArguments(text: string): { readonly at: number; readonly args: string }[] {
  return [...text.matchAll(/\?\.(?:#?\w+)?\(/g)].map(({ index, 0: start }) => {
    const at = index + start.length;
    let end = at;
    for (let depth = 1; depth > 0 && end < text.length; end++) {
      if (text[end] === '(') depth++;
      else if (text[end] === ')') depth--;
    }
    return { at, args: text.slice(at, end - 1) };
  });
}

/**
 * Effects while the arguments are computed; the bodies of functions that are passed do not count.
 */
const hasEffect = (args: string): boolean =>
  !args.includes('=>') && /\+\+|--|[^=!<>]=(?!=)|\.(push|pop|shift|unshift|delete|add|set)\(/.test(args);

test('arguments of optional calls have no effects, which would be lost where nothing is called', () => {
  expect(
    optionalArguments('this.on?.({ n: ++this.#n }); a?.b(c);').map(({ args }) => hasEffect(args)),
  ).toEqual([true, false]);
  const lost = files.flatMap(file => {
    const text = readFileSync(join(root, file), 'utf8');
    return optionalArguments(text)
      .filter(({ args }) => hasEffect(args))
      .map(({ at }) => `${file}:${text.slice(0, at).split('\n').length}`);
  });
  expect(lost).toEqual([]);
});

/** The files that a file of the same tree imports, for their values or for their types. */
function importedFiles(file: string): string[] {
  return importsOf(file)
    .filter(specifier => specifier.startsWith('.'))
    .map(specifier => posix.normalize(posix.join(posix.dirname(file), specifier)).replace(/\.js$/, '.ts'));
}

/**
 * The strongly connected components of a graph: sets of nodes each of which leads to every other
 * (Tarjan).
 */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string): void => {
    numbers.set(node, numbers.size);
    lowest.set(node, numbers.get(node)!);
    open.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!numbers.has(next)) visit(next);
      if (open.includes(next)) lowest.set(node, Math.min(lowest.get(node)!, lowest.get(next)!));
    }
    if (lowest.get(node) === numbers.get(node)) circles.push(open.splice(open.indexOf(node)));
  };
  for (const node of graph.keys()) if (!numbers.has(node)) visit(node);
  return circles;
}

describe('explore', () => {
  const ofExplore = files.filter(file => roomOf(file) === 'explore' && !file.endsWith('.test.ts'));
  const folderOf = (file: string): string => file.split('/')[2]!;

  test('the table of folders names all of them, each after those that it may import', () => {
    const folders = Object.keys(mayImportInExplore);
    expect([...new Set(ofExplore.map(folderOf))].sort()).toEqual(folders.toSorted());
    for (const [i, folder] of folders.entries())
      expect(mayImportInExplore[folder]!.filter(other => !folders.slice(0, i).includes(other))).toEqual([]);
  });

  test('each folder imports only what it may', () => {
    const foreign = ofExplore.flatMap(file =>
      importedFiles(file)
        .filter(other => roomOf(other) === 'explore' && folderOf(other) !== folderOf(file))
        .filter(other => !mayImportInExplore[folderOf(file)]!.includes(folderOf(other)))
        .map(other => `${file} imports ${other}`),
    );
    expect(foreign).toEqual([]);
  });

  test('cycles are found', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', ['a']],
      ['d', ['e']],
      ['e', []],
    ]);
    expect(circlesOf(graph).map(circle => circle.sort())).toEqual([['e'], ['d'], ['a', 'b', 'c']]);
  });

  test('values are cast to scalars or parts only in the functions for it', () => {
    const trusting = ['values/register-value.ts', 'state/decoded.ts'].map(file => `src/explore/${file}`);
    const casts = ofExplore
      .filter(file => !trusting.includes(file))
      .flatMap(
        file =>
          readFileSync(join(root, file), 'utf8').match(/ as (readonly )?(Scalar|Step|Value)\b.*/g) ?? [],
      );
    expect(casts).toEqual([]);
  });

  test(`at most ${LARGEST_CIRCLE} files form an import cycle`, () => {
    const graph = new Map(ofExplore.map(file => [file, importedFiles(file)]));
    expect(circlesOf(graph).filter(circle => circle.length > LARGEST_CIRCLE)).toEqual([]);
  });
});
