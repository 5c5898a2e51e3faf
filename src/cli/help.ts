/** Help texts, made from the tables of commands and options. Nothing here is written twice. */
import { type CommandName, commands } from './command-table.js';
import { type OptionName, type OptionSpec, options } from './option-table.js';

/** Says whether a command exists yet. */
export type IsBuilt = (command: CommandName) => boolean;

/** `redzone` without arguments: examples first. */
export function overview(isBuilt: IsBuilt): string {
  const names = Object.keys(commands) as CommandName[];
  const rows = names.map(name => [commands[name].usage, describe(name, isBuilt)] as const);
  return `Redzone finds memory errors in C.

Examples
${indent(names.filter(isBuilt).flatMap(name => commands[name].examples.slice(0, 1)))}

Commands
${indent(columns(rows))}

FILE is one or more .c or .ll files; - reads C from stdin. Flags such as -I -D -U -std= -include -O go to clang.
\`redzone COMMAND --help\` shows a command's options, \`redzone --version\` the version.

Exit codes
${indent(columns(exitCodeRows))}
`;
}

/** `redzone COMMAND --help`, and `--help=all` with the rare options. */
export function commandHelp(name: CommandName, extent: 'usual' | 'all', isBuilt: IsBuilt): string {
  const spec = commands[name];
  const shown = extent === 'all' ? [...spec.options, ...spec.more] : spec.options;
  const rest =
    spec.more.length > 0 && extent === 'usual'
      ? `\n\`redzone ${name} --help=all\` shows ${spec.more.length} more.\n`
      : '';
  return `redzone ${spec.usage}: ${describe(name, isBuilt)}

Examples
${indent(spec.examples)}

Options
${indent(columns(shown.map(option => [synopsis(options[option]), options[option].help])))}
${rest}`;
}

const exitCodeRows: readonly (readonly [string, string])[] = [
  ['0', 'nothing found'],
  ['1', 'findings'],
  ['2', 'bad usage, or the input does not compile'],
  ['3', 'inconclusive: a limit was reached before the answer'],
  ['125', 'a defect in Redzone, printed with what to report'],
];

/** `-q, --quiet` or `--max-time TIME` or `-std=STANDARD`. */
function synopsis({ flags, kind, separable, value }: OptionSpec): string {
  const isJoined = value === undefined || (kind === 'clang' && !separable);
  return `${flags.join(', ')}${isJoined ? '' : ' '}${value ?? ''}`;
}

/** `docs/options.md`. */
export function optionsPage(isBuilt: IsBuilt): string {
  const sections = (Object.keys(commands) as CommandName[]).map(name => {
    const { usage, options: usual, more } = commands[name];
    const rows = [...usual, ...more].map(option => row(option, more.includes(option)));
    return `## ${name}

\`redzone ${usage}\`: ${describe(name, isBuilt)}

| option | meaning |
|---|---|
${rows.join('\n')}
`;
  });
  return `# Options of each command

This page is made from the table in \`src/cli/option-table.ts\` by \`npm run bless\`. A star marks what only \`--help=all\` shows.

${sections.join('\n')}`;
}

function row(option: OptionName, isRare: boolean): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  return `| \`${cell(synopsis(options[option]))}\`${isRare ? ' \\*' : ''} | ${cell(options[option].help)} |`;
}

function describe(name: CommandName, isBuilt: IsBuilt): string {
  return isBuilt(name) ? commands[name].summary : `${commands[name].summary} (not built yet)`;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`);
}

function indent(lines: readonly string[]): string {
  return lines.map(line => `  ${line}`).join('\n');
}
