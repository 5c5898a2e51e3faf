/**
 * The labels of `<redzone.h>`, which `check` follows and `explore` does not: no byte has one, and a
 * path that asks says that its answers stand for less than all.
 */
import type { Native } from '../state/decoded.js';

const unfollowed: Native = machine => {
  machine.note('labels of values were not followed');
  return 0;
};

const ignored: Native = machine => {
  machine.note('labels of values were not followed');
  return undefined;
};

export const labelNatives: Record<string, Native> = {
  __rz_label_named: unfollowed,
  __rz_label_given: unfollowed,
  __rz_label_names: unfollowed,
  __rz_label_text: unfollowed,
  __rz_label_add: ignored,
  __rz_label_sanitize: ignored,
  __rz_label_expect_none: ignored,
};
