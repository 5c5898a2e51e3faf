/** Refuses programs whose global variables do not fit into the memory of an engine. */
import { InputError } from '../findings/diagnostic.js';
import { DataLayout } from '../ir/data-layout.js';
import type { Module } from '../ir/model.js';

/** `available` says in the help what a program may have. */
export function refuseLargeGlobals(modules: readonly Module[], mostBytes: number, available: string): void {
  const bytes = modules
    .flatMap(({ dataLayout, variables }) => {
      const layout = new DataLayout(dataLayout);
      return variables.map(({ initializer, valueType }) => (initializer ? layout.allocBytes(valueType) : 0));
    })
    .reduce((sum, each) => sum + each, 0);
  if (bytes <= mostBytes) return;
  throw new InputError({
    severity: 'error',
    message: `the global variables of the program take ${bytes} bytes`,
    help: available,
    isLimit: true,
  });
}
