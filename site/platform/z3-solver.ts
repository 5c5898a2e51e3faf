/** The package `z3-solver` in a page, which does not have it (docs/decisions/0151). */
export async function init(): Promise<never> {
  throw new Error('Z3 does not run in a page: this question needs `redzone prove` on a command line');
}
