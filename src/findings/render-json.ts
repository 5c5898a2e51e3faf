/**
 * The JSON form of a report: one document, keys in the order of the contract, absent fields absent.
 *
 * `JSON.stringify` already leaves out what is undefined; the order is fixed here so that documents
 * can be compared as text.
 */
import type { Finding } from './finding.js';
import type { RunReport } from './report.js';

/** The keys of all reports. */
type ReportKey = RunReport extends infer Report ? (Report extends RunReport ? keyof Report : never) : never;

const reportKeys: readonly ReportKey[] = [
  'schema',
  'command',
  'verdict',
  'summary',
  'findings',
  'program',
  'stats',
  'left',
  'chosen',
  'results',
  'neverFires',
  'matrix',
];

const findingKeys: readonly (keyof Finding)[] = [
  'code',
  'severity',
  'cwe',
  'message',
  'annotation',
  'clause',
  'values',
  'loop',
  'budget',
  'location',
  'stack',
  'omittedFrames',
  'access',
  'accesses',
  'object',
  'label',
  'notes',
  'help',
  'input',
  'test',
  'confirmed',
];

export function renderJson(report: RunReport): string {
  const findings = report.findings.map(finding => inOrder(finding, findingKeys));
  const document: Partial<Record<ReportKey, unknown>> = { ...report, findings };
  return `${JSON.stringify(inOrder(document, reportKeys), null, 2)}\n`;
}

function inOrder<T extends object>(value: T, keys: readonly (keyof T)[]): Partial<T> {
  const ordered: Partial<T> = {};
  for (const key of keys) if (value[key] !== undefined) ordered[key] = value[key];
  return ordered;
}
