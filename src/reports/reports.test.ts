/**
 * Reports: their contents, and that all of it is inserted as text. The same pages in a real
 * browser are in `tests/reports/browser.long.test.ts`.
 */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ExplorationDetails } from '../findings/exploration.js';
import type { Finding } from '../findings/finding.js';
import type { ProofStep, ProveReport } from '../findings/report.js';
import { Cell } from '../heap/map.js';
import { foldedSteps } from './folded-steps.js';
import { heapMapView } from './heap-map-view.js';
import { embeddedJson, markup, words } from './markup.js';
import { type ReportPage, reportPage } from './report-page.js';
import { Samples } from './samples.js';
import { binaryTicks, decimalTicks, inShort } from './scale.js';

const hostile = `</script><script>alert(1)</script><!--"'&amp;<img src=x onerror=alert(2)>\u2028\u202e</style></pre>`;

const finding: Finding = {
  code: 'use-after-free',
  severity: 'error',
  cwe: 416,
  message: `read ${hostile}`,
  location: { file: `a${hostile}.c`, line: 2, column: 3, function: `f${hostile}` },
  stack: [
    { file: `a${hostile}.c`, line: 2, column: 3, function: `f${hostile}` },
    { file: 'b.c', line: 1, column: 1, function: hostile },
  ],
  object: {
    kind: 'heap',
    bytes: 8,
    name: hostile,
    allocated: [{ file: 'b.c', line: 1, column: 1, function: hostile }],
  },
  label: hostile,
  notes: [{ message: hostile, location: { file: 'gone.c', line: 3, column: 1 } }],
  help: hostile,
  clause: hostile,
  values: [{ term: hostile, value: hostile }],
  test: hostile,
  input: hostile,
  confirmed: true,
};

const exploration: ExplorationDetails = {
  forks: {
    parents: [-1, 0, 0],
    holds: [0, 1, 0],
    ends: [0, 1, 1],
    tests: [0, 1, 2],
    labels: [0, 1, 1],
    texts: [`${hostile}:1`, hostile],
    isCut: true,
  },
  paths: [1, 2].map(number => ({
    ...{ number, inputs: hostile, instructions: 9, isError: number === 2 },
    lines: [[`a${hostile}.c`, [1, 2]]] as const,
  })),
  coverage: [
    {
      file: `a${hostile}.c`,
      functions: [{ name: hostile, line: 1, hits: 0 }],
      lines: [
        [1, 0],
        [2, 3],
      ],
    },
    { file: 'gone.c', functions: [], lines: [[1, 1]] },
  ],
};

const proofs: ProveReport = {
  schema: 1,
  command: 'prove',
  verdict: 'findings',
  findings: [],
  stats: { wallMs: 1 },
  results: [
    {
      ...{ property: hostile, status: 'refuted', engine: hostile, depth: 1, text: hostile, reason: hostile },
      trace: [{ state: { [hostile]: hostile } }, { command: hostile, state: { [hostile]: 'x' } }],
    },
  ],
  neverFires: [hostile],
};

const everything: ReportPage = {
  command: 'redzone check',
  verdict: 'findings',
  summary: hostile,
  version: hostile,
  findings: [finding],
  readSource: file => (file === 'gone.c' ? undefined : `int x; // ${hostile}\n  return *p; ${hostile}\n`),
  program: { exit: null, signal: hostile },
  stats: { wallMs: 12, paths: { completed: 1, error: 1, partial: 0 } },
  output: { stdout: hostile, stderr: hostile },
  warnings: [hostile],
  samples: [
    { ms: 0, counts: { paths: 0 } },
    { ms: 10, counts: { paths: 3 } },
  ],
  exploration,
  coverage: exploration.coverage,
  proofs,
  attacks: { [hostile]: { [hostile]: 'exploited' } },
  tables: [{ caption: hostile, head: [hostile], rows: [[hostile]] }],
  heapMap: heapMapView([{ title: hostile, survey: surveyWith(hostile) }]),
};

function surveyWith(site: string) {
  const cells = Uint8Array.of(Cell.client, Cell.client, Cell.metadata, Cell.free);
  return {
    ...{ rows: [{ cells, bytesApart: 40, calls: 0 }], columns: 60, calls: 100, start: 65_536, end: 131_072 },
    ...{ moment: 0, knownSites: 9 },
    closeUp: [{ cells, sites: Uint8Array.of(1, 2, 0, 0), starts: [0, 1], marks: [], at: 65_536 }],
    sites: [1, 2].map(n => ({ name: `${site}${n}`, blocks: 1, bytes: 16 })),
  };
}

/**
 * Elements by name, as the parser of HTML sees them: the contents of `script` and `style` are no
 * markup.
 */
function elementsOf(html: string): string[] {
  const bare = html.replace(/(<(script|style)\b[^>]*>)[\s\S]*?<\/\2>/g, '$1');
  return [...bare.matchAll(/<!--|<([a-z][a-z0-9]*)\b[^>]*>/gi)].map(match => match[1] ?? match[0]);
}

test('whatever a page shows is text', async () => {
  const page = await reportPage(everything);
  const { readSource: _, heapMap: __, ...rest } = everything;
  const text = JSON.stringify(rest).replaceAll(JSON.stringify(hostile).slice(1, -1), 'calm');
  const harmless = await reportPage({
    ...JSON.parse(text),
    readSource: file => (file === 'gone.c' ? undefined : 'int x; // calm\n  return *p; calm\n'),
    heapMap: heapMapView([{ title: 'calm', survey: surveyWith('calm') }]),
  });
  // The same elements in the same order: no text has become one.
  expect(elementsOf(page)).toEqual(elementsOf(harmless));
  expect(elementsOf(page)).not.toContain('img');
  expect(page.match(/<script/g)).toHaveLength(2);
  expect(page.match(/<\/script>/g)).toHaveLength(2);
  expect(page).not.toContain('<!--');
  expect(page).not.toMatch(/\u202e/);
  expect(page).not.toMatch(/ on[a-z]+="/);
});

test('data for the script are unchanged, and cannot end the script element', () => {
  const json = embeddedJson({ a: hostile }).text;
  expect(JSON.parse(json)).toEqual({ a: hostile });
  expect(json).not.toMatch(/[<>&\u2028\u2029]/);
});

test('the policy allows the style and the script of the page by their hashes, and nothing else', async () => {
  const page = await reportPage(everything);
  const policy = page.match(/Content-Security-Policy" content="([^"]*)"/)![1]!;
  const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
  const style = page.match(/<style>([\s\S]*?)<\/style>/)![1]!;
  const script = page.match(/<script>([\s\S]*?)<\/script>/)![1]!;
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    `script-src '${hashOf(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<style'));
  const { exploration: _, ...plain } = everything;
  expect(await reportPage(plain)).not.toContain('<script');
  expect(page).not.toMatch(/\b(src|href)="(?!#)/);
});

test('a finding is shown with its source, its carets and the sites of its block', async () => {
  const source = 'int *p = malloc(4);\nfree(p);\n\treturn *p;\n';
  const page = await reportPage({
    ...{ command: 'redzone check', verdict: 'findings', version: '1', readSource: () => source },
    findings: [
      {
        ...{ code: 'use-after-free', severity: 'error', message: 'read of 4 bytes', stack: [] },
        location: { file: 'a.c', line: 3, column: 9 },
        label: 'here',
        object: {
          ...{ kind: 'heap', bytes: 4 },
          allocated: [{ file: 'a.c', line: 1, column: 10 }],
          freed: [{ file: 'a.c', line: 2, column: 1 }],
        },
      },
    ],
  });
  const shown = page.replace(/<[^>]*>/g, '');
  expect(shown).toContain(
    [
      '1int *p = malloc(4);',
      '         --------- the 4-byte block is allocated here',
      '2free(p);',
      '------- it is freed here',
      '3    return *p;',
      '           ^^ here',
    ].join('\n'),
  );
  expect(page).toContain('class="line primary"');
});

test('a heap map has ticks, borders between blocks, and the places that allocated them', () => {
  const panels = ['a', 'b'].map(name => ({ title: name, survey: surveyWith('main a.c:') }));
  const svg = heapMapView(panels).text;
  expect(svg).toContain('>0x10000</text>');
  expect(svg).toContain('>+32 KiB</text>');
  expect(svg).toMatch(/>calls<\/text>/);
  expect(svg.match(/class="border"/g)).toHaveLength(2);
  expect(svg.match(/main a\.c:1: 16 B in 1 block</g)).toHaveLength(2);
  expect(svg.match(/<g transform/g)).toHaveLength(2);
  expect(svg.match(/<rect/g)).toHaveLength(svg.match(/<rect[^>]*\/>/g)!.length);
  // A file by itself needs its colours as attributes.
  expect(svg).not.toContain('<style');
});

test('ticks are round, and cover their range', () => {
  expect(decimalTicks(2650, 6)).toEqual([0, 500, 1000, 1500, 2000, 2500]);
  expect(decimalTicks(3, 6)).toEqual([0, 1, 2, 3]);
  expect(binaryTicks(1_100_000, 7)).toEqual([0, 1, 2, 3, 4].map(n => n * 262_144));
  expect([0, 999, 1500, 20_480, 3_000_000].map(inShort)).toEqual(['0', '999', '1.5 k', '20 k', '3 M']);
});

test('samples keep the first and the latest, however many are added', () => {
  const samples = new Samples();
  for (let ms = 0; ms < 10_000; ms++) samples.add(ms, { paths: ms, states: undefined });
  const all = samples.all();
  expect(all.length).toBeLessThanOrEqual(401);
  expect(all.length).toBeGreaterThan(100);
  expect([all[0], all.at(-1)]).toEqual([
    { ms: 0, counts: { paths: 0 } },
    { ms: 9999, counts: { paths: 9999 } },
  ]);
});

test('cycles of a trace are folded, and nothing else is', () => {
  const steps = (...commands: string[]): ProofStep[] => [
    { state: {} },
    ...commands.map(command => ({ command, state: {} })),
  ];
  expect(
    foldedSteps(steps('a', 'b', 'a', 'b', 'a', 'b', 'c')).map(({ from, to, repeats }) => [from, to, repeats]),
  ).toEqual([
    [0, 1, 1],
    [1, 3, 3],
    [7, 8, 1],
  ]);
  expect(foldedSteps(steps('a', 'b', 'a', 'b', 'c'))).toHaveLength(6);
});

test('words in backticks are code, and still text', () => {
  expect(words('`<b>` and `x').text).toBe('<code>&lt;b&gt;</code> and `x');
});

test('a proof has its own verdict', async () => {
  const page = await reportPage({ ...everything, findings: [], summary: 'one' });
  expect(page).toContain('<span class="verdict findings">refuted</span> one');
});

test('markup is escaped in elements and in attributes', () => {
  const name = `"><b onclick='x'>`;
  expect(markup`<i title="${name}">${[name, markup`<u>${1}</u>`]}</i>`.text).toBe(
    '<i title="&quot;&gt;&lt;b onclick=&#39;x&#39;&gt;">&quot;&gt;&lt;b onclick=&#39;x&#39;&gt;<u>1</u></i>',
  );
});
