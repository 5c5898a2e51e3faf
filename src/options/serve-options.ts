/** The options of `serve`. */
const own = {
  port: {
    flags: ['--port'],
    kind: 'number',
    value: 'N',
    default: 8642,
    help: 'the port of the page; 0 selects a free port',
  },
  open: {
    flags: ['--open'],
    kind: 'choice',
    choices: ['yes', 'no'],
    default: 'yes',
    help: 'open the page in a browser, if there is a terminal',
  },
} as const;

export const serveOptions: typeof own = own;
