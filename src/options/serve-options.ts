/** The options of `serve`. */
const own = {
  port: {
    flags: ['--port'],
    kind: 'number',
    value: 'N',
    default: 8642,
    help: 'where the page is served; 0 takes any port that is free',
  },
  open: {
    flags: ['--open'],
    kind: 'choice',
    choices: ['yes', 'no'],
    default: 'yes',
    help: 'open the page in a browser, when a terminal is there',
  },
} as const;

export const serveOptions: typeof own = own;
