/** Options that several commands have. */

/** How results are shown. Only the command line reads these options. */
export const shown = {
  json: { flags: ['--json'], kind: 'flag', help: 'print one JSON document on stdout, and nothing else' },
  quiet: { flags: ['-q', '--quiet'], kind: 'flag', help: 'print only the results' },
  verbose: {
    flags: ['-v', '--verbose'],
    kind: 'flag',
    help: 'print more: times, statistics, frames of the C library, reachable blocks, whole traces',
  },
  color: {
    flags: ['--color'],
    kind: 'choice',
    choices: ['auto', 'always', 'never'],
    default: 'auto',
    help: 'colour the output; auto: on a terminal, unless NO_COLOR is set',
  },
} as const;

export const page = {
  html: {
    flags: ['--html'],
    kind: 'text',
    value: 'FILE',
    help: 'also write the results to FILE, as a self-contained HTML page',
  },
} as const;

export const sarif = {
  html: page.html as typeof page.html,
  sarif: {
    flags: ['--sarif'],
    kind: 'text',
    value: 'FILE',
    help: 'also write the findings to FILE, as SARIF 2.1.0',
  },
  format: {
    flags: ['--format'],
    kind: 'choice',
    choices: ['text', 'gcc'],
    default: 'text',
    help: 'print findings with source lines, or one line each in the format of gcc',
  },
} as const;

/** The output folder of engines that write no other files. */
export const reportFolder = {
  outDir: {
    flags: ['-o'],
    kind: 'text',
    value: 'DIR',
    help: 'also write the JSON document to DIR/report.json',
  },
} as const;

/** Redirects the result from standard output to a file. */
export const resultFile = {
  outFile: { flags: ['-o'], kind: 'text', value: 'FILE', help: 'write to FILE instead of stdout' },
} as const;

export const maxTime = {
  maxTimeMs: {
    flags: ['--max-time'],
    kind: 'duration',
    value: 'TIME',
    help: 'stop after this time, compilation included, such as 500ms, 10s, 5min or 2h; a number alone is seconds',
  },
} as const;

export const limits = {
  maxTimeMs: maxTime.maxTimeMs as typeof maxTime.maxTimeMs,
  maxMemoryBytes: {
    flags: ['--max-memory'],
    kind: 'bytes',
    value: 'SIZE',
    least: 65_536,
    help: 'memory limit of the program or the exploration, such as 512MB or 2GB; a number alone is bytes',
  },
} as const;

export const seed = {
  seed: {
    flags: ['--seed'],
    kind: 'number',
    value: 'N',
    default: 0,
    help: 'seed of the random numbers of Redzone and of the modelled host',
  },
} as const;

export const keepGoing = {
  keepGoing: {
    flags: ['--keep-going'],
    kind: 'flag',
    default: false,
    help: 'report every finding, not only the first: an invalid write is skipped, and the run continues',
  },
} as const;

export const clang = {
  clang: {
    flags: ['--clang'],
    kind: 'text',
    value: 'PATH',
    help: 'use this clang (16 or newer) instead of the embedded one',
  },
} as const;

/** Flags that are passed to clang. */
export const compileFlags = {
  includeFolder: {
    flags: ['-I'],
    kind: 'clang',
    separable: true,
    value: 'DIR',
    help: 'search DIR for headers',
  },
  define: { flags: ['-D'], kind: 'clang', separable: true, value: 'NAME[=VALUE]', help: 'define a macro' },
  standard: {
    flags: ['-std='],
    kind: 'clang',
    value: 'STANDARD',
    help: 'language standard, such as c99, c11 or gnu17',
  },
  optimise: {
    flags: ['-O'],
    kind: 'clang',
    value: 'LEVEL',
    help: 'optimization level: 0, 1, 2, 3, s, z; explore ignores it',
  },
  undefine: { flags: ['-U'], kind: 'clang', separable: true, value: 'NAME', help: 'undefine a macro' },
  includeFile: {
    flags: ['-include'],
    kind: 'clang',
    separable: true,
    value: 'FILE',
    help: 'include FILE before the source',
  },
} as const;

/** Files of the modelled machine. */
export const modelledFiles = {
  files: {
    flags: ['--file'],
    kind: 'files',
    value: 'FILE',
    help: 'let the program read this file of the host, under the same name; may be repeated',
  },
} as const;

export const entry = {
  entryPoint: {
    flags: ['--entry-point'],
    kind: 'text',
    value: 'NAME',
    help: 'start at this function instead of main; its parameters are inputs, unless they are those of main',
  },
} as const;

/** Environment variables of a program that runs on this machine. */
export const variables = {
  env: {
    flags: ['--env'],
    kind: 'list',
    value: 'NAME[=VALUE]',
    pattern: '[^=]',
    help: 'set this environment variable of the program, to its current value by default; may be repeated',
  },
} as const;

export const folders = {
  dirs: {
    flags: ['--dir'],
    kind: 'list',
    value: 'DIR',
    help: 'let the program use this folder in addition to the current one; may be repeated',
  },
} as const;
