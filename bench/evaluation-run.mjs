/** One run of `bench/evaluation.mjs`, in a separate process to measure its peak memory. */
import { explore } from '../dist/index.js';

const options = JSON.parse(process.argv[2]);
let start = process.cpuUsage();
const report = await explore(options, {
  onEvent: event => {
    if (event.kind === 'phase' && event.text === 'exploring') start = process.cpuUsage();
  },
});
const { user, system } = process.cpuUsage(start);
const { verdict, findings, stats } = report;
const diverged = report.reused?.divergences ?? [];
const codes = findings.map(({ code, location }) => `${code}:${location.line}`).sort();
console.log(JSON.stringify({ verdict, codes, diverged, ...stats, processorMs: (user + system) / 1000 }));
