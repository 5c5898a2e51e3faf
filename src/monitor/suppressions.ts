/**
 * Suppressed findings: a file of rules, and comments in the source.
 *
 * ```
 *   # a comment                        int x = a[i]; // redzone:ignore stack-buffer-overflow
 *   memory-leak                        everywhere
 *   use-after-free:src/list.c:40       at a line; without the line, in a file
 *   signed-overflow:hash               in a function, or in what it calls
 * ```
 *
 * A name with a dot or a slash is a file, and matches the end of a path: `list.c` is any file of
 * that name.
 */
import { type AnyCode, codes, isFindingCode, isPluginCode } from '../findings/codes.js';
import type { Diagnostic } from '../findings/diagnostic.js';
import type { Finding } from '../findings/finding.js';
import { closestTo } from '../support/closest.js';

export interface Suppression {
  readonly code: AnyCode;
  readonly file?: string;
  readonly line?: number;
  readonly function?: string;
}

export interface ParsedSuppressions {
  readonly rules: readonly Suppression[];
  /** The lines that could not be parsed. */
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
  if (!isFindingCode(code) && !isPluginCode(code)) return `\`${code}\` is not a code of a finding`;
  if (place === undefined) return { code };
  if (place === '' || rest.length > 0)
    return `\`${rule}\` is not CODE, CODE:FILE, CODE:FILE:LINE or CODE:FUNCTION`;
  if (line !== undefined)
    return /^\d+$/.test(line)
      ? { code, file: place, line: Number(line) }
      : `\`${line}\` is not a line number`;
  return /[./]/.test(place) ? { code, file: place } : { code, function: place };
}

const comment = /\/[/*]\s*redzone:ignore\b([^*\n]*)/;

export interface IgnoreComments {
  readonly rules: readonly Suppression[];
  /** Comments that suppress nothing, or less than their author expects. */
  readonly problems: readonly Diagnostic[];
}

/**
 * The rules of the comments in a source file, each for its own line: `// redzone:ignore CODE,
 * CODE`. Text after the codes is the author's reason, except words after a comma and words that
 * resemble codes.
 */
export function ignoreComments(file: string, text: string): IgnoreComments {
  const rules: Suppression[] = [];
  const problems: Diagnostic[] = [];
  if (!text.includes('redzone:ignore')) return { rules, problems };
  text.split('\n').forEach((content, i) => {
    const found = comment.exec(content);
    if (found === null) return;
    const line = i + 1;
    const list = found[1]!;
    const warn = (index: number, message: string, help: string) => {
      const column = encodedLength(content.slice(0, index)) + 1;
      problems.push({ severity: 'warning', message, location: { file, line, column }, help });
    };
    if (list.trim() === '') {
      const help = 'name what it is about: `redzone:ignore CODE`; `redzone explain` lists the codes';
      warn(found.index, "'redzone:ignore' without a code suppresses nothing", help);
    }
    for (const { 1: separator = '', 2: word = '', index } of list.matchAll(/([\s,:]*)([^\s,:]+)/g)) {
      if (isFindingCode(word) || isPluginCode(word)) {
        rules.push({ code: word, file, line });
        continue;
      }
      const meant = closestTo(word, Object.keys(codes));
      if (index === 0 || separator.includes(',') || meant !== undefined) {
        const at = found.index + found[0].length - list.length + index + separator.length;
        const help = meant === undefined ? '`redzone explain` lists the codes' : `did you mean '${meant}'?`;
        warn(at, `'${word}' is not a code of a finding and suppresses nothing`, help);
      }
      break;
    }
  });
  return { rules, problems };
}

function encodedLength(text: string): number {
  return new TextEncoder().encode(text).length;
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
