/**
 * A report as SARIF 2.1.0, the format that code hosts and editors read.
 *
 * One run; every code of the table is a rule, with its page from `docs/explain/` as help, and so is
 * each code that a plug-in has reported. A result carries the location, the sites of allocation and
 * free as related locations and, in order of time, as a code flow; the call stacks; and a
 * fingerprint that survives line shifts.
 *
 * SARIF counts columns in UTF-16 units or code points, debug information in bytes: columns are
 * converted through the source text, and left out if the file cannot be read.
 */
import { type AnyCode, codes, type FindingCode, infoOf, isFindingCode } from './codes.js';
import type { Finding, Note, SourceLocation, Stack } from './finding.js';
import { fingerprints } from './fingerprint.js';
import { sitesOf } from './object-sites.js';
import type { RunReport } from './report.js';
import { indexOfColumn, type ReadSource, SourceFiles } from './source-text.js';

export interface SarifOptions {
  readonly readSource: ReadSource;
  /** Redzone's own version. */
  readonly version: string;
  /** The page of a code, in Markdown. */
  readonly explain?: (code: FindingCode) => string | undefined;
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

export function renderSarif(report: RunReport, options: SarifOptions): string {
  return `${JSON.stringify(new SarifRenderer(options).log(report), null, 2)}\n`;
}

const ownIds = Object.keys(codes) as FindingCode[];

class SarifRenderer {
  readonly #options: SarifOptions;
  readonly #sources: SourceFiles;
  #ruleIds: readonly AnyCode[] = ownIds;

  constructor(options: SarifOptions) {
    this.#options = options;
    this.#sources = new SourceFiles(options.readSource);
  }

  log(report: RunReport): Json {
    const prints = fingerprints(report.findings, this.#sources);
    this.#ruleIds = [...new Set([...ownIds, ...report.findings.map(({ code }) => code)])];
    return {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: {
              name: 'Redzone',
              version: this.#options.version,
              rules: this.#ruleIds.map(code => this.#rule(code)),
            },
          },
          columnKind: 'utf16CodeUnits',
          invocations: [invocationOf(report)],
          results: report.findings.map((finding, i) => this.#result(finding, prints[i]!)),
        },
      ],
    };
  }

  #rule(code: AnyCode): Json {
    const { title, severity, cwe } = infoOf(code);
    const page = isFindingCode(code) ? this.#options.explain?.(code) : title;
    return {
      id: code,
      shortDescription: { text: title },
      help: {
        text: page ?? `Run \`redzone explain ${code}\`.`,
        ...(page !== undefined && { markdown: page }),
      },
      defaultConfiguration: { level: severity },
      properties: { tags: cwe === undefined ? ['correctness'] : ['security', `external/cwe/cwe-${cwe}`] },
    };
  }

  #result(finding: Finding, fingerprint: string): Json {
    const sites = sitesOf(finding).map(({ label, location }) => ({ message: label, location }));
    const flow = [...sites, { message: finding.message, location: finding.location }];
    const related: readonly Note[] = [...sites, ...(finding.notes ?? [])];
    const stacks = [
      ['the error', finding.stack],
      ['the allocation', finding.object?.allocated],
      ['the end of the object', finding.object?.freed],
    ] as const;
    return {
      ruleId: finding.code,
      ruleIndex: this.#ruleIds.indexOf(finding.code),
      level: finding.severity,
      message: { text: messageOf(finding) },
      locations: [this.#location(finding.location)],
      relatedLocations: related.flatMap((note, i) =>
        note.location === undefined ? [] : [{ id: i + 1, ...this.#location(note.location, note.message) }],
      ),
      codeFlows: [
        {
          threadFlows: [
            { locations: flow.map(step => ({ location: this.#location(step.location, step.message) })) },
          ],
        },
      ],
      stacks: stacks.flatMap(([title, stack]) =>
        stack === undefined || stack.length === 0 ? [] : [this.#stack(`stack of ${title}`, stack)],
      ),
      partialFingerprints: { 'redzoneFinding/v1': fingerprint },
      properties: {
        access: finding.access && { ...finding.access },
        annotation: finding.annotation,
        test: finding.test,
        confirmed: finding.confirmed,
      },
    };
  }

  #stack(title: string, stack: Stack): Json {
    return { message: { text: title }, frames: stack.map(frame => ({ location: this.#location(frame) })) };
  }

  #location(location: SourceLocation, message?: string): { [key: string]: Json } {
    return {
      physicalLocation: {
        artifactLocation: artifactOf(location.file),
        ...(location.line > 0 && { region: this.#region(location) }),
      },
      ...(location.function !== undefined && {
        logicalLocations: [{ name: location.function, kind: 'function' }],
      }),
      ...(message !== undefined && { message: { text: message } }),
    };
  }

  #region({ file, line, column }: SourceLocation): Json {
    const text = this.#sources.line(file, line);
    if (text === undefined || column === 0) return { startLine: line };
    return { startLine: line, startColumn: indexOfColumn(text, column) + 1, snippet: { text } };
  }
}

/**
 * The message together with the label, the notes without a location, and the help of the text form.
 */
function messageOf({ message, label, notes = [], help }: Finding): string {
  const remarks = notes.filter(note => note.location === undefined).map(note => note.message);
  return [message, label, ...remarks, help].filter(part => part !== undefined).join('\n');
}

function invocationOf(report: RunReport): Json {
  const { verdict, summary } = report;
  const program = 'program' in report ? report.program : undefined;
  const notification = {
    level: 'warning',
    message: { text: summary ?? 'a limit was reached before the answer' },
  };
  return {
    executionSuccessful: true,
    ...(verdict === 'inconclusive' && { toolExecutionNotifications: [notification] }),
    ...(program !== undefined && { properties: { program: { ...program } } }),
  };
}

/**
 * Absolute paths become file URIs; relative ones are resolved by the reader against the source
 * root.
 */
function artifactOf(file: string): Json {
  const path = file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  if (/^[A-Za-z]:\//.test(file.replaceAll('\\', '/'))) return { uri: `file:///${path.replace('%3A', ':')}` };
  return path.startsWith('/') ? { uri: `file://${path}` } : { uri: path, uriBaseId: '%SRCROOT%' };
}
