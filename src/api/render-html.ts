/** Renders a report as one HTML file (`reports/report-page.ts`, loaded on demand). */
import type { RunReport } from '../findings/report.js';
import type { ReadSource } from '../findings/source-text.js';
import type { ReportPage } from '../reports/report-page.js';

/** The data of the page that the report itself does not hold. */
export interface HtmlOptions
  extends Pick<
    ReportPage,
    'version' | 'headline' | 'output' | 'warnings' | 'samples' | 'tables' | 'heapMap'
  > {
  readonly readSource: ReadSource;
}

export async function renderHtml(report: RunReport, options: HtmlOptions): Promise<string> {
  const { reportPage } = await import('../reports/report-page.js');
  const { command, verdict, summary, findings, stats } = report;
  const details = command === 'explore' ? report.details : undefined;
  return reportPage({
    ...options,
    command: `redzone ${command}`,
    verdict,
    summary,
    findings,
    stats,
    program: 'program' in report ? report.program : undefined,
    exploration: details,
    coverage: command === 'fuzz' ? report.coverage : details?.coverage,
    proofs: command === 'prove' ? report : undefined,
    attacks: command === 'heap' ? report.matrix : undefined,
  });
}
