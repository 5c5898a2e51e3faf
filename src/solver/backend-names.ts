/** The choices of `--solver` and `--dump-queries`. */

/** The deciding back end. `both` is CaDiCaL with Z3 as a fallback. */
export const backends = ['both', 'cadical', 'z3'] as const;

export type Backend = (typeof backends)[number];

/** Also the extensions of such files. */
export const dumpFormats = ['smt2', 'kquery'] as const;

export type DumpFormat = (typeof dumpFormats)[number];
