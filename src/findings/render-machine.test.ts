/** The forms for machines: JSON by the contract, SARIF by its schema. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv, type SchemaObject } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codes, type FindingCode } from './codes.js';
import type { Finding, SourceLocation } from './finding.js';
import { fingerprints } from './fingerprint.js';
import { renderJson } from './render-json.js';
import { renderSarif } from './render-sarif.js';
import { type CheckReport, type RunReport, verdictOf } from './report.js';
import { SourceFiles } from './source-text.js';

const source = 'int main(void) {\n  char *größe = malloc(8);\n  größe[8] = 1;\n}\n';
const at = (line: number, column: number): SourceLocation => ({
  file: 'src dir/a.c',
  line,
  column,
  function: 'main',
});

const overflow: Finding = {
  code: 'heap-buffer-overflow',
  severity: 'error',
  cwe: 122,
  message: 'write of 1 byte past the end of an 8-byte block',
  location: at(3, 14),
  stack: [at(3, 14)],
  access: { kind: 'write', bytes: 1 },
  object: { kind: 'heap', bytes: 8, allocated: [at(2, 19)] },
  notes: [{ message: 'happens when `n` = 8' }, { message: 'the size is computed here', location: at(2, 19) }],
};

const report: CheckReport = {
  schema: 1,
  command: 'check',
  verdict: 'findings',
  findings: [overflow],
  program: { exit: 0, signal: null },
  stats: { wallMs: 12, compileMs: 4, maxRssBytes: 9 },
};

describe('JSON', () => {
  test('has the keys of the contract in their order, and no others', () => {
    const text = renderJson(report);
    const document = JSON.parse(text);
    expect(Object.keys(document)).toEqual(['schema', 'command', 'verdict', 'findings', 'program', 'stats']);
    expect(Object.keys(document.findings[0])).toEqual([
      'code',
      'severity',
      'cwe',
      'message',
      'location',
      'stack',
      'access',
      'object',
      'notes',
    ]);
    expect(document).toEqual(report);
  });

  test('does not lose a field of a finding', () => {
    const full: Required<Finding> = {
      ...overflow,
      cwe: 122,
      access: { kind: 'write', bytes: 1 },
      accesses: [{ kind: 'read', thread: 2, stack: [] }],
      object: { kind: 'heap', bytes: 8 },
      notes: [],
      omittedFrames: 3,
      label: 'label',
      help: 'help',
      annotation: 'requires',
      clause: 'n > 0',
      values: [{ term: 'n', value: '0' }],
      loop: { instructions: 5, lines: [{ file: 'a.c', line: 3 }] },
      budget: { resource: 'heap', used: 9, limit: 8 },
      input: 'redzone-out/crash-1',
      test: 'redzone-out/000001.ktest',
      confirmed: true,
    };
    expect(JSON.parse(renderJson({ ...report, findings: [full] })).findings[0]).toEqual(full);
  });
});

test('only a complete run without findings is clean; unsupported code makes it inconclusive', () => {
  const unsupported: Finding = { ...overflow, code: 'unsupported' };
  expect(verdictOf([], true)).toBe('clean');
  expect(verdictOf([], false)).toBe('inconclusive');
  expect(verdictOf([unsupported], true)).toBe('inconclusive');
  expect(verdictOf([unsupported, overflow], false)).toBe('findings');
});

describe('SARIF', () => {
  const validate = sarifValidator();
  const log = (of: RunReport, text: string | undefined = source) =>
    JSON.parse(renderSarif(of, { readSource: () => text, version: '0.1.0', explain: code => `# ${code}` }));

  test('a full report is valid', () => {
    const document = log(report);
    expect(validate(document)).toEqual([]);
    const [result] = document.runs[0].results;
    expect(document.runs[0].tool.driver.rules[result.ruleIndex].id).toBe('heap-buffer-overflow');
    expect(result.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'src%20dir/a.c', uriBaseId: '%SRCROOT%' },
      // Byte column 14 is the twelfth UTF-16 unit: ö and ß take two bytes each.
      region: { startLine: 3, startColumn: 12, snippet: { text: '  größe[8] = 1;' } },
    });
    expect(result.relatedLocations.map((site: { message: { text: string } }) => site.message.text)).toEqual([
      'the 8-byte block is allocated here',
      'the size is computed here',
    ]);
    expect(result.codeFlows[0].threadFlows[0].locations).toHaveLength(2);
  });

  test('every code, absent sources, line 0 and absolute paths are valid', () => {
    const findings = (Object.keys(codes) as FindingCode[]).map(code => ({
      ...overflow,
      code,
      ...codes[code],
    }));
    const bare: Finding = {
      code: 'unsupported',
      severity: 'warning',
      message: 'inline assembly',
      location: { file: '/tmp/ü.c', line: 0, column: 0 },
      stack: [],
    };
    expect(validate(log({ ...report, verdict: 'inconclusive', findings: [...findings, bare] }))).toEqual([]);
    expect(
      validate(
        JSON.parse(
          renderSarif({ ...report, findings: [bare] }, { readSource: () => undefined, version: '1' }),
        ),
      ),
    ).toEqual([]);
  });

  test('the schema rejects an invalid report', () => {
    const document = log(report);
    document.runs[0].results[0].level = 'fatal';
    document.runs[0].results[0].surprise = 1;
    expect(validate(document)).toHaveLength(2);
  });
});

describe('fingerprints', () => {
  const print = (findings: readonly Finding[], text: string) =>
    fingerprints(findings, new SourceFiles(() => text));

  test('survive lines inserted before and changes of indentation', () => {
    const moveBy = (lines: number): Finding => ({
      ...overflow,
      location: at(3 + lines, 12),
      object: { kind: 'heap', bytes: 8, allocated: [at(2 + lines, 3)] },
    });
    fc.assert(
      fc.property(fc.nat(50), fc.constantFrom('', '\t', '    '), (lines, indent) => {
        const moved = '\n'.repeat(lines) + source.replaceAll('\n', `\n${indent}`);
        expect(print([moveBy(lines)], moved)).toEqual(print([moveBy(0)], source));
      }),
      { seed: 1 },
    );
  });

  test('differ between codes, places and repetitions', () => {
    const others = [
      overflow,
      { ...overflow, code: 'double-free' as const },
      { ...overflow, location: at(2, 3) },
      overflow,
    ];
    expect(new Set(print(others, source)).size).toBe(4);
    expect(print(others, source).map(text => text.split(':')[1])).toEqual(['1', '1', '1', '2']);
  });
});

/**
 * The published schema is JSON Schema draft 4; ajv 8 reads later drafts, which differ in the
 * spelling of `id` here.
 */
function sarifValidator(): (document: unknown) => string[] {
  const folder = dirname(createRequire(import.meta.url).resolve('@microsoft/jest-sarif/package.json'));
  const text = readFileSync(join(folder, 'lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8');
  const { id, $schema: _, ...schema } = JSON.parse(text) as SchemaObject & { id: string };
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  ajv.addFormat('uri', /^[a-z][a-z0-9+.-]*:\S+$/i);
  ajv.addFormat('uri-reference', /^[^\s\\{}<>"|^`]*$/);
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT/);
  const validate = ajv.compile({ $id: id, ...schema });
  return document => {
    validate(document);
    return (validate.errors ?? []).map(error => `${error.instancePath}: ${error.message}`);
  };
}
