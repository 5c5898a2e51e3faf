/** The explanation of a code: its row of the table and its page. */
import { type CodeInfo, codes, type FindingCode } from '../findings/codes.js';
import { readFileIfAny } from '../platform/files.js';
import { packageRoot } from '../platform/node.js';
import { assert } from '../support/assert.js';

export interface Explanation extends CodeInfo {
  readonly code: FindingCode;
  /** The page: what the code means, an example, how to fix it, how Redzone detects it. */
  readonly markdown: string;
}

export function explain(code: FindingCode): Explanation {
  const page = readFileIfAny(`${packageRoot}docs/explain/${code}.md`);
  assert(page !== undefined, `docs/explain/${code}.md is missing`);
  return { code, ...codes[code], markdown: new TextDecoder().decode(page) };
}
