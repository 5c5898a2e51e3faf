/**
 * Writes every query that passes, for `--dump-queries`: a script per query, in SMT-LIB 2 or KQuery,
 * with the outcome and the time as a comment. Concatenated, they are one file: an SMT-LIB script
 * ends with `(reset)`.
 */
import { printKQuery } from '../expr/print-kquery.js';
import { printSmtLibQuery } from '../expr/print-smtlib.js';
import type { Terms } from '../expr/terms.js';
import type { DumpFormat } from './backend-names.js';
import type { Layer, Query } from './layer.js';
import type { Outcome } from './query-outcome.js';

export interface DumpOptions {
  readonly format: DumpFormat;
  /** Called once per query, in order. */
  readonly write: (text: string) => void;
}

export class DumpLayer implements Layer {
  #count = 0;

  constructor(
    readonly t: Terms,
    readonly options: DumpOptions,
    readonly below: Layer,
  ) {}

  check(query: Query): Outcome {
    const start = performance.now();
    const outcome = this.below.check(query);
    const note = `query ${++this.#count}: ${outcome.kind}, ${(performance.now() - start).toFixed(3)} ms`;
    const { format, write } = this.options;
    if (format === 'smt2') write(`; ${note}\n${printSmtLibQuery(this.t, query.constraints)}(reset)\n`);
    else write(`# ${note}\n${printKQuery(query.constraints, this.t.false)}`);
    return outcome;
  }
}
