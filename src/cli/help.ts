/** Generates the help texts from the tables of commands and options. */
import { type CommandName, type CommandSpec, commands, rowsOf } from '../options/commands.js';
import type { OptionSpec, OptionTable } from '../options/schema.js';

/** `redzone` without arguments: examples first. */
export function overview(): string {
  const all = Object.values(commands);
  const rows = all.map(({ usage, summary }) => [usage, summary] as const);
  return `Redzone finds memory errors in C.

Examples
${indent(all.flatMap(({ examples }) => examples.slice(0, 1)))}

Commands
${indent(columns(rows))}

FILE is one or more .c or .ll files; - reads C from stdin. Flags such as -I -D -U -std= -include -O go to clang.
\`redzone COMMAND --help\` shows a command's options, \`redzone --version\` the version.

Exit codes
${indent(columns(exitCodeRows))}
`;
}

/** `redzone COMMAND --help`, and `--help=all` with the rare options. */
export function commandHelp(
  name: CommandName,
  subcommand: string | undefined,
  extent: 'usual' | 'all',
): string {
  const { subcommands } = commands[name];
  const spec = subcommands?.[subcommand ?? ''] ?? commands[name];
  const called = spec === commands[name] ? name : `${name} ${subcommand}`;
  const body = spec.subcommands === undefined ? optionHelp(called, spec, extent) : subcommandHelp(name, spec);
  return `redzone ${spec.usage}: ${spec.summary}

Examples
${indent(spec.examples)}

${body}`;
}

function subcommandHelp(name: string, { subcommands = {} }: CommandSpec): string {
  const rows = Object.values(subcommands).map(({ usage, summary }) => [usage, summary] as const);
  return `Subcommands
${indent(columns(rows))}

\`redzone ${name} SUBCOMMAND --help\` shows the options of one.
`;
}

function optionHelp(called: string, spec: CommandSpec, extent: 'usual' | 'all'): string {
  const { usual, more } = rowsOf(spec);
  const shown = Object.values(extent === 'all' ? { ...usual, ...more } : usual);
  if (shown.length === 0) return spec.note === undefined ? '' : `${spec.note}\n`;
  const left = Object.keys(more).length;
  const rest =
    left > 0 && extent === 'usual' ? `\n\`redzone ${called} --help=all\` shows ${left} more.\n` : '';
  return `Options
${indent(columns(shown.map(option => [synopsis(option), meaning(option)] as const)))}
${rest}`;
}

const exitCodeRows: readonly (readonly [string, string])[] = [
  ['0', 'nothing found'],
  ['1', 'findings'],
  ['2', 'bad usage, or the input does not compile'],
  ['3', 'inconclusive: a limit was reached before the answer'],
  ['125', 'a defect in Redzone, printed with what to report'],
];

/** `-q, --quiet` or `--max-time TIME` or `--acsl on|off` or `-std=STANDARD`. */
function synopsis({ flags, kind, separable, value, choices }: OptionSpec): string {
  const shown = value ?? choices?.join('|');
  const isJoined = shown === undefined || (kind === 'clang' && !separable);
  return `${flags.join(', ')}${isJoined ? '' : ' '}${shown ?? ''}`;
}

/**
 * The option's help sentence, with its choices and its default where the synopsis and the sentence
 * do not show them.
 */
export function meaning({ help, value, choices, kind, default: usual }: OptionSpec): string {
  const listed = value === undefined || choices === undefined ? '' : `: ${choices.join(', ')}`;
  const text = defaultText(kind, usual);
  return `${help}${listed}${text === undefined ? '' : ` (default: ${text})`}`;
}

function defaultText(kind: OptionSpec['kind'], usual: unknown): string | undefined {
  if (typeof usual === 'number' && usual > 0 && kind === 'bytes') return `${usual / 2 ** 20}MB`;
  if (typeof usual === 'number' && usual > 0) return `${usual}`;
  return kind !== 'flag' && typeof usual === 'string' && usual !== '' ? usual : undefined;
}

/** `docs/options.md`. */
export function optionsPage(): string {
  const sections = Object.entries(commands).flatMap(([name, spec]) => [
    section(name, spec),
    ...Object.entries(spec.subcommands ?? {}).map(([sub, own]) => section(`${name} ${sub}`, own)),
  ]);
  return `# Options of each command

This page is made from the tables in \`src/options\` by \`npm run bless\`.
A star marks what only \`--help=all\` shows.
In the library an option has the name in the last column; those without one belong to the command line.

${sections.join('\n')}`;
}

function section(title: string, spec: CommandSpec): string {
  const { usual, more } = rowsOf(spec);
  const rows = [...tableRows(usual, spec, ''), ...tableRows(more, spec, ' \\*')];
  const table = `
| option | meaning | library |
|---|---|---|
${rows.join('\n')}
`;
  return `## ${title}

\`redzone ${spec.usage}\`: ${spec.summary}
${rows.length === 0 ? '' : table}`;
}

function tableRows(rows: OptionTable, { options }: CommandSpec, mark: string): string[] {
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  return Object.entries(rows).map(([key, option]) => {
    const name = key in options ? `\`${key}\`` : option.kind === 'clang' ? '`clangFlags`' : '';
    return `| \`${cell(synopsis(option))}\`${mark} | ${cell(meaning(option))} | ${name} |`;
  });
}

/** The width of a line in columns, including the indentation. */
const lineWidth = 110;

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.flatMap(([left, right]) =>
    wrapped(right, lineWidth - width - 4).map((line, i) => `${(i === 0 ? left : '').padEnd(width)}  ${line}`),
  );
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines.push(`${lines.pop()} ${word}`);
    else lines.push(word);
  }
  return lines;
}

function indent(lines: readonly string[]): string {
  return lines.map(line => `  ${line}`).join('\n');
}
