/**
 * vitest loads this file before each test file: the process is ours, so the compiler may start as
 * fast as on the command line.
 */
import { allowV8Flags } from '../src/index.js';

allowV8Flags();
