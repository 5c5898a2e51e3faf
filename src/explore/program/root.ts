import type { Value } from '../../ir/model.js';

/** The pointer from which a pointer is computed by steps inside one object. */
export function rootOf(pointer: Value): Value {
  let root = pointer;
  for (;;) {
    if (root.kind === 'instruction' && root.op === 'getelementptr') root = root.base;
    else if (root.kind === 'expression' && root.op === 'getelementptr') root = root.operands[0]!;
    else return root;
  }
}
