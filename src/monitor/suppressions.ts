/**
 * Findings that somebody does not want to hear of: a file of rules, and comments in the source.
 *
 * ```
 *   # a comment                        int x = a[i]; // redzone:ignore stack-buffer-overflow
 *   memory-leak                        everywhere
 *   use-after-free:src/list.c:40       at a line; without the line, in a file
 *   signed-overflow:hash               in a function, or in what it calls
 * ```
 *
 * A file is meant when the name has a dot or a slash, and matches from its end: `list.c` is any file of that name.
 */
import { type FindingCode, isFindingCode } from '../findings/codes.js';
import type { Finding } from '../findings/finding.js';

export interface Suppression {
  readonly code: FindingCode;
  readonly file?: string;
  readonly line?: number;
  readonly function?: string;
}

export interface ParsedSuppressions {
  readonly rules: readonly Suppression[];
  /** What could not be understood, by line. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

export function parseSuppressions(text: string): ParsedSuppressions {
  const rules: Suppression[] = [];
  const problems: { line: number; message: string }[] = [];
  text.split('\n').forEach((content, i) => {
    const rule = content.replace(/#.*/, '').trim();
    if (rule === '') return;
    const parsed = parseRule(rule);
    if (typeof parsed === 'string') problems.push({ line: i + 1, message: parsed });
    else rules.push(parsed);
  });
  return { rules, problems };
}

function parseRule(rule: string): Suppression | string {
  const [code = '', place, line, ...rest] = rule.split(':').map(part => part.trim());
  if (!isFindingCode(code)) return `\`${code}\` is no code of a finding`;
  if (place === undefined) return { code };
  if (place === '' || rest.length > 0)
    return `\`${rule}\` is not CODE, CODE:FILE, CODE:FILE:LINE or CODE:FUNCTION`;
  if (line !== undefined)
    return /^\d+$/.test(line) ? { code, file: place, line: Number(line) } : `\`${line}\` is no line`;
  return /[./]/.test(place) ? { code, file: place } : { code, function: place };
}

const comment = /\/[/*]\s*redzone:ignore\b([^*\n]*)/;

/** Does the text have comments that suppress something? */
export function hasIgnoreComments(text: string): boolean {
  return comment.test(text);
}

/** The rules that the comments of a source file make: `// redzone:ignore CODE...`, for their own line. */
export function ignoreComments(file: string, text: string): Suppression[] {
  return text.split('\n').flatMap((content, i) => {
    const codes =
      comment
        .exec(content)?.[1]
        ?.split(/[\s,]+/)
        .filter(isFindingCode) ?? [];
    return codes.map(code => ({ code, file, line: i + 1 }));
  });
}

export function isSuppressed(finding: Finding, rules: readonly Suppression[]): boolean {
  return rules.some(rule => matches(finding, rule));
}

function matches(finding: Finding, rule: Suppression): boolean {
  if (finding.code !== rule.code) return false;
  const { file, line } = finding.location;
  if (rule.file !== undefined && file !== rule.file && !file.endsWith(`/${rule.file}`)) return false;
  if (rule.line !== undefined && line !== rule.line) return false;
  return rule.function === undefined || finding.stack.some(frame => frame.function === rule.function);
}
