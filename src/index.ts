/** Redzone as a library: what the commands do, as typed functions over plain data. */
export type { FindingCode } from './findings/codes.js';
export { codes } from './findings/codes.js';
export type * from './findings/finding.js';
