/**
 * The parts of `docs/api.md` that are made from the code. A comment says which:
 *
 *     <!-- types: CheckReport CheckStats -->    declarations, as the sources have them
 *     <!-- options: check -->                   the rows of the command's table that the library takes
 *
 * and what stands between it and the next `<!-- end -->` is made anew by `npm run bless`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { meaning } from '../src/cli/help.js';
import { commands } from '../src/options/commands.js';
import type { OptionSpec, OptionTable } from '../src/options/schema.js';

const root = join(import.meta.dirname, '..');

/** The page with its parts made anew. */
export function renewed(page: string): string {
  return page.replaceAll(
    /(<!-- (types|options): (.*?) -->\n).*?(<!-- end -->)/gs,
    (_, opening: string, kind: string, names: string, closing: string) => {
      const part = kind === 'types' ? declarationsOf(names.split(' ')) : optionRows(names);
      return `${opening}\n${part}\n\n${closing}`;
    },
  );
}

/** What `src/index.ts` exports, by name: the text that declares it, and its name there. */
export function exportedNames(): Map<string, { readonly text: string; readonly own: string }> {
  const index = readFileSync(join(root, 'src/index.ts'), 'utf8');
  const textOf = (file: string): string => readFileSync(join(root, `src/${file}.ts`), 'utf8');
  const lists = [...index.matchAll(/export (?:type )?\{([^}]*)\} from '\.\/(.*?)\.js'/gs)];
  const named = lists.flatMap(([, list, file]) =>
    list!
      .split(',')
      .map(name => name.replace(/^\s*type /, '').trim())
      .filter(name => name !== '')
      .map(name => name.split(' as '))
      .map(([own, name = own]) => [name!, { text: textOf(file!), own: own! }] as const),
  );
  const whole = [...index.matchAll(/export type \* from '\.\/(.*?)\.js'/g)].flatMap(([, file]) => {
    const text = textOf(file!);
    const names = [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name!);
    return names.map(own => [own, { text, own }] as const);
  });
  return new Map([...named, ...whole]);
}

function declarationsOf(names: readonly string[]): string {
  const exported = exportedNames();
  const blocks = names.map(name => {
    const found = exported.get(name);
    if (found === undefined) throw new Error(`docs/api.md: '${name}' is not exported`);
    return declarationOf(found.own, found.text).replace(found.own, name);
  });
  return `\`\`\`ts\n${blocks.join('\n\n')}\n\`\`\``;
}

const comment = '(?:/\\*\\*(?:(?!\\*/).)*\\*/\\n)?';

/**
 * A declaration with its comment, without the body of a function. Biome formats them so that the
 * first and the last line of each have no indentation.
 */
function declarationOf(name: string, text: string): string {
  const shapes = [
    `export (?:interface|class) ${name}\\b.*?^\\}$`,
    `export (?:async )?function ${name}\\b.*?(?= \\{$)`,
    `export (?:type|const) ${name}\\b.*?;$(?=\\n(?:\\S|\\n|$)|$(?![\\s\\S]))`,
  ];
  for (const shape of shapes) {
    const found = new RegExp(`^${comment}${shape}`, 'ms').exec(text);
    if (found === null) continue;
    // Only the type of a table is shown.
    const declaration = found[0].replace(/^(export const [^\n]*?) = \{\n.*/ms, '$1');
    return declaration.replace(/^export (async )?/m, '');
  }
  throw new Error(`docs/api.md: no declaration of '${name}' is found`);
}

function optionRows(command: string): string {
  const [name, subcommand = ''] = command.split(' ');
  const spec = commands[name as keyof typeof commands];
  const table: OptionTable = (spec.subcommands?.[subcommand] ?? spec).options;
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  const rows = Object.entries(table).map(
    ([key, option]) => `| \`${key}\` | \`${cell(typeOf(option))}\` | ${cell(meaning(option))} |`,
  );
  return `| option | type | meaning |\n|---|---|---|\n${rows.join('\n')}`;
}

function typeOf({ kind, choices = [], fields = [], expected }: OptionSpec): string {
  const union = choices.length > 4 ? 'string' : choices.map(choice => `'${choice}'`).join(' | ');
  switch (kind) {
    case 'flag':
      return 'boolean';
    case 'number':
    case 'duration':
    case 'bytes':
      return 'number';
    case 'numbers':
      return `{ ${fields.join(', ')} }`;
    case 'choice':
      return union;
    case 'choices':
    case 'list':
      return 'string[]';
    case 'files':
      return 'Record<string, Uint8Array | string>';
    case 'variables':
      return 'Record<string, string>';
    case 'parsed':
      return expected?.includes('range') ? 'ThreadCount' : 'Fraction';
    default:
      return 'string';
  }
}
