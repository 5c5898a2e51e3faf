/**
 * A fingerprint identifies a finding across unrelated edits that move its line.
 *
 * It is a hash of the finding (code, access, object) and its place *by content*: the file, the
 * function and the text of the line with its white space collapsed, for the error and for the site
 * of allocation. Line numbers do not enter. Equal findings of one report are distinguished by their
 * ordinal.
 *
 * The hash is 64-bit FNV-1a over UTF-16 units: it identifies findings and offers no cryptographic
 * protection.
 */
import { type Finding, ownFrame, type SourceLocation } from './finding.js';
import type { SourceFiles } from './source-text.js';

/** One fingerprint per finding, in the same order. */
export function fingerprints(findings: readonly Finding[], sources: SourceFiles): string[] {
  const seen = new Map<string, number>();
  return findings.map(finding => {
    const hash = fnv1a(identityOf(finding, sources));
    const ordinal = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, ordinal);
    return `${hash}:${ordinal}`;
  });
}

function identityOf({ code, location, access, object }: Finding, sources: SourceFiles): string {
  const site = ownFrame(object?.allocated ?? []);
  return [
    code,
    ...placeOf(location, sources),
    access?.kind,
    object?.kind,
    object?.name,
    ...(site === undefined ? [] : placeOf(site, sources)),
  ].join('\0');
}

function placeOf(
  { file, line, function: name }: SourceLocation,
  sources: SourceFiles,
): (string | undefined)[] {
  return [file, name, sources.line(file, line)?.trim().replaceAll(/\s+/g, ' ')];
}

function fnv1a(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let i = 0; i < text.length; i++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(i))) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}
