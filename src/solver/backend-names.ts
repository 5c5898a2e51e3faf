/** What `--solver` and `--dump-queries` choose from. */

/** Who decides. `both` is CaDiCaL with Z3 behind it. */
export const backends = ['both', 'cadical', 'z3'] as const;

export type Backend = (typeof backends)[number];

/** Also how such files end. */
export const dumpFormats = ['smt2', 'kquery'] as const;

export type DumpFormat = (typeof dumpFormats)[number];
