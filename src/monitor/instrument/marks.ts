/**
 * The marks of memory that clean copies of loops must not touch (`fast-loops.ts`): labels, and
 * cells for which the conditions of plug-ins wait. `runtime/monitor/marks.h` is the runtime's side.
 */
import { integerConstant } from '../../ir/constants.js';
import type { DataLayout } from '../../ir/data-layout.js';
import { i1, i32 } from '../../ir/types.js';
import { type AccessRule, decidingShadows } from '../../plugins/hook-plan.js';
import type { Marks } from './fast-loops.js';
import { cellsAround, hasFewGranules, somePasses } from './inline-shadow.js';
import { labelWordsOf } from './label-flow.js';
import { accessOf, type MemoryAccess } from './memory-access.js';
import type { InstrumentOptions } from './options.js';
import type { WeaveContext } from './weave-hooks.js';

interface MarkContext {
  readonly options: InstrumentOptions;
  readonly layout: DataLayout;
  readonly hooks: WeaveContext | undefined;
}

/**
 * Undefined if nothing is marked, or if copies cannot be clean: hooks are called where all cells
 * are 0, or by the library, which evaluates conditions in TypeScript.
 */
export function marksOf({ options, layout, hooks }: MarkContext): Marks | undefined {
  const rules = ({ isStore }: MemoryAccess): readonly AccessRule[] =>
    hooks?.plan[isStore ? 'store' : 'load'] ?? [];
  const hasRules = hooks !== undefined && hooks.plan.load.length + hooks.plan.store.length > 0;
  if (hasRules ? hooks.isLibrary || decidingShadows(hooks.plan) === undefined : options.labels === undefined)
    return undefined;
  const sizeOf = ({ type, align }: MemoryAccess) => ({ bytes: layout.storeBytes(type), align });
  return {
    isTestable: instruction => {
      const access = accessOf(instruction)!;
      return rules(access).length === 0 || hasFewGranules(sizeOf(access));
    },
    noneAt: (instruction, pointer, builder) => {
      const access = { ...accessOf(instruction)!, pointer };
      const words = options.labels === undefined ? [] : labelWordsOf(access, layout, builder);
      const noLabels = words.map(word => builder.icmp('eq', word, integerConstant(i32, 0)));
      const noneHolds = rules(access).map(({ when }) => {
        const shadow = { number: when!.shadow, kind: hooks!.plan.shadows[when!.shadow]! };
        const cells = cellsAround(builder, shadow, sizeOf(access), pointer);
        return builder.binary('xor', somePasses(cells, when!, builder), integerConstant(i1, 1));
      });
      return [...noLabels, ...noneHolds];
    },
  };
}
