/** The options of `ir`. */
import { clang, maxTime, resultFile, shown } from './shared.js';

const own = {
  instrumented: {
    flags: ['--instrumented'],
    kind: 'flag',
    default: false,
    help: 'show the instrumented IR',
  },
  woven: {
    flags: ['--woven'],
    kind: 'flag',
    default: false,
    help: 'show the C that annotations are translated to, instead of IR',
  },
} as const;

export const irOptions: typeof own & typeof maxTime & typeof clang = { ...own, ...maxTime, ...clang };

const color = { color: shown.color as typeof shown.color } as const;

export const irOutput: typeof resultFile & typeof color = { ...resultFile, ...color };
