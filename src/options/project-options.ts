/** Options of `run`. */
import { keepGoing, maxTime, reportFolder, sarif, shown } from './shared.js';

const own = {
  programOptions: {
    flags: ['--options'],
    kind: 'text',
    value: 'LIST',
    help: 'REDZONE_OPTIONS of the programs, such as checks=-leaks:dir=/data',
  },
} as const;

export const projectOptions: typeof maxTime & typeof keepGoing & typeof own = {
  ...maxTime,
  ...keepGoing,
  ...own,
};

export const projectOutput: typeof shown & typeof sarif & typeof reportFolder = {
  ...shown,
  ...sarif,
  ...reportFolder,
};
