/**
 * `REDZONE_OPTIONS`: the options of a program that `redzone cc` has linked. They are options of
 * `check`, without the dashes, and a few that only linked programs have.
 */
import { checkOptions } from './check-options.js';
import type { CommandSpec } from './commands.js';

const { checks, suppressions, quarantineBytes, store, storeLimitBytes, noChecks, malloc } = checkOptions;
const { maxTimeMs, maxMemoryBytes, keepGoing, dirs, seed, allowRun, allowNet, speed } = checkOptions;

/** The options that are passed to the run. */
export const linkedProgramOptions: Pick<
  typeof checkOptions,
  | 'checks'
  | 'suppressions'
  | 'keepGoing'
  | 'maxTimeMs'
  | 'maxMemoryBytes'
  | 'dirs'
  | 'allowRun'
  | 'allowNet'
  | 'speed'
  | 'seed'
  | 'quarantineBytes'
  | 'store'
  | 'storeLimitBytes'
  | 'noChecks'
  | 'malloc'
> = {
  checks,
  suppressions,
  keepGoing,
  maxTimeMs,
  maxMemoryBytes,
  dirs,
  allowRun,
  allowNet,
  speed,
  seed,
  quarantineBytes,
  store,
  storeLimitBytes,
  noChecks,
  malloc,
};

/** The options that control how findings are reported. */
export const linkedProgramOutput = {
  exitCode: {
    flags: ['--exit-code'],
    kind: 'number',
    value: 'N',
    default: 99,
    help: 'the exit status of a program with findings',
  },
  logFile: {
    flags: ['--log-file'],
    kind: 'text',
    value: 'FILE',
    help: 'append findings to FILE, as text, instead of standard error',
  },
  reportFolder: {
    flags: ['--report-dir'],
    kind: 'text',
    value: 'DIR',
    help: 'write a JSON document for each process to DIR',
  },
  color: {
    flags: ['--color'],
    kind: 'choice',
    choices: ['auto', 'always', 'never'],
    default: 'auto',
    help: 'colour the findings; auto: on a terminal, unless NO_COLOR is set',
  },
  verbose: {
    flags: ['--verbose'],
    kind: 'flag',
    help: 'print the verdict of runs without findings, too',
  },
} as const;

export const linkedProgramSpec: CommandSpec = {
  usage: 'REDZONE_OPTIONS=OPTION:OPTION… ./program',
  summary: 'how a program that `redzone cc` has linked is run',
  examples: ["REDZONE_OPTIONS='checks=-leaks:exit-code=3' ./program"],
  options: linkedProgramOptions,
  output: linkedProgramOutput,
};

/**
 * Splits the variable into options as on a command line. Colons and spaces separate them; a value
 * that contains one is quoted.
 */
export function linkedProgramArguments(text: string): string[] {
  const words = text.match(/(?:[^\s:'"]|'[^']*'|"[^"]*")+/g) ?? [];
  return words
    .map(word => {
      const [, name = '', value] = /^-*([^=]+)(?:=(.*))?$/s.exec(word.replace(/['"]/g, '')) ?? [];
      const flag = `--${name.replaceAll('_', '-')}`;
      // Other tools spell a flag as `keep-going=1`.
      if (value === undefined || (value === '1' && isFlag(flag))) return flag;
      return value === '0' && isFlag(flag) ? '' : `${flag}=${value}`;
    })
    .filter(word => word !== '');
}

function isFlag(flag: string): boolean {
  return Object.values({ ...linkedProgramSpec.options, ...linkedProgramOutput }).some(
    row => row.kind === 'flag' && (row.flags as readonly string[]).includes(flag),
  );
}
