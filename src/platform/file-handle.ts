/** Writing at offsets of an open file: what a journal needs of the machine. */
export { closeSync, fdatasyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
