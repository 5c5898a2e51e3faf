/**
 * Many small errors, and many correct programs, in one C program: compiling costs a second, running
 * a case next to nothing.
 *
 * A case is one line of C, so that a finding is recognised by its line. `check` meets all cases in
 * one run with `--keep-going`; `explore` forks into one path for each. `arguments` are those of the
 * program.
 */
import { check, explore, type FindingCode } from '../../src/index.js';
import { type CheckKind, checkKinds } from '../../src/monitor/check-kinds.js';

export interface Case {
  readonly name: string;
  /** Statements, on one line. */
  readonly code: string;
  /** Nothing, for a correct program. */
  readonly expected: FindingCode | undefined;
  /** Another code that is true of the error, so that either may be reported first. */
  readonly alternatives?: readonly FindingCode[];
}

export type Engine = 'check' | 'explore';

/** A line for each case in which an engine is wrong: `name: expected CODE, found CODES`. */
export async function wrongCases(
  engine: Engine,
  preamble: string,
  cases: readonly Case[],
  clangFlags: readonly string[] = [],
  checks: readonly CheckKind[] = checkKinds,
): Promise<string[]> {
  const first = preamble.split('\n').length + 2;
  const choice =
    engine === 'check'
      ? `static void (*const cases[])(void) = {${cases.map((_, i) => `case${i}`).join(', ')}}; for (int i = 0; i < ${cases.length}; i++) cases[i]();`
      : `switch (klee_range(0, ${cases.length}, "case")) { ${cases.map((_, i) => `case ${i}: case${i}(); break;`).join(' ')} }`;
  const text = `${preamble}
static char **arguments;
${cases.map(({ code }, i) => `static void case${i}(void) { ${code} }`).join('\n')}
int klee_range(int, int, const char *);
int main(int argc, char **argv) {
  arguments = argv;
  ${choice}
  return 0;
}
`;
  const shared = {
    inputs: [{ name: 'cases.c', text }],
    clangFlags: ['-w', ...clangFlags],
    maxTimeMs: 500_000,
    checks,
  };
  const { findings, verdict, summary } =
    engine === 'check'
      ? await check({ ...shared, keepGoing: true })
      : await explore({ ...shared, maxPaths: 100_000, confirm: false });
  const found = cases.map(() => new Set<string>());
  const elsewhere: string[] = [];
  for (const { code, location, stack } of findings) {
    const line = [location, ...stack]
      .map(place => place.line - first)
      .find((_, i, lines) => {
        const place = [location, ...stack][i]!;
        return place.file === 'cases.c' && lines[i]! >= 0 && lines[i]! < cases.length;
      });
    if (line === undefined) elsewhere.push(`${code} at ${location.file}:${location.line}`);
    else found[line]!.add(code);
  }
  const wrong = cases.flatMap(({ name, expected, alternatives = [] }, i) => {
    const codes = [...found[i]!];
    const isRight =
      expected === undefined
        ? codes.length === 0
        : codes.includes(expected) || alternatives.some(code => codes.includes(code));
    return isRight
      ? []
      : [`${name}: expected ${expected ?? 'nothing'}, found ${codes.join(' ') || 'nothing'}`];
  });
  return [...wrong, ...elsewhere, ...(verdict === 'inconclusive' ? [summary ?? 'inconclusive'] : [])];
}
