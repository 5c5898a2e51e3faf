/**
 * The static part of taint tracking: the kinds of sinks, the names of sources, and the rules that
 * declare functions as sources, sinks and sanitizers.
 *
 * ```
 *   source     read_packet  *1:return  packet    the bytes that argument 1 points to, as many as are returned
 *   sink       run_query    *1                   the text that argument 1 points to
 *   sanitizer  clamp        return               the result has no label
 * ```
 *
 * The sinks of the C library are declared in the same format (`libraryRules`).
 */

import type { FlowSink } from '../findings/facts.js';

/** The order is that of `enum sink_kind` in `runtime/monitor/labels.c`. */
export const sinkKinds: readonly FlowSink[] = [
  'expected-none',
  'size',
  'index',
  'format',
  'path',
  'command',
  'loop',
  'divisor',
  'call',
  'branch',
  'lookup',
  'extent',
];

export type SinkKind = FlowSink;

/** The choices of `--sinks`. Sinks of a rule file are always active. */
export const sinkChoices = ['size', 'index', 'format', 'path', 'command', 'loop', 'divisor'] as const;

export type SinkChoice = (typeof sinkChoices)[number];

/** The predefined names of `--taint`; any other name is a label of the program. */
export const inputNames = ['stdin', 'args', 'files', 'env'] as const;

/** The name of the label that `redzone_secret` sets. */
export const secretName = 'secret';

/** A value that is passed or returned, or the memory to which it points. */
export interface Place {
  /** From 0 on; undefined for the result. */
  readonly argument: number | undefined;
  /** The number of bytes of memory; a `text` ends with a zero. */
  readonly bytes?: 'text' | 'result' | number;
}

export interface FlowRule {
  readonly role: 'source' | 'sink' | 'sanitizer';
  readonly function: string;
  readonly place: Place;
  /** The name of the label that a source sets. */
  readonly name?: string;
  /** What kind of sink it is. */
  readonly kind?: SinkKind;
}

/** The label options that are compiled into the program and its library. */
export interface LabelOptions {
  readonly sinks: readonly SinkChoice[];
  /** Whether branches and table lookups that depend on secrets are reported. */
  readonly secrets: boolean;
  /** The user's rules; sources are numbered by their index in this list. */
  readonly rules: readonly FlowRule[];
  /** A part of the C library: it has no sinks, and its assignments are not recorded. */
  readonly isLibrary?: true;
}

/** Functions of the monitor and of the host, which neither read nor set labels. */
export const passesNoLabels: RegExp =
  /^(__host_|__ubsan_|__rz_(range|label|library|window|leave)_|__rz_(abort|exit)$|(malloc|calloc|realloc|reallocarray|free|aligned_alloc|memalign|valloc|posix_memalign|malloc_usable_size)$)/;

/** The functions with which a program sets and reads labels. */
export const labelFunctions: RegExp =
  /^(redzone_(label|has_label|labels_of|expect_no_label|unlabel|secret)|dfsan_(create|set|add|get|read)_label)$/;

/** Functions of the library whose results depend on all bytes that they read. */
export const comparesTexts: RegExp = /^(b?mem|bcmp|str|wcs|wmem)/;

/** The label settings of a run. */
export interface LabelRequest {
  /** The names of inputs and labels that must not reach a sink. */
  readonly taint: readonly string[];
  /** The names of secret labels. */
  readonly secrets: readonly string[];
  readonly rules: readonly FlowRule[];
}

export const noLabels: LabelRequest = { taint: [], secrets: [], rules: [] };

export interface RuleProblem {
  readonly line: number;
  readonly message: string;
}

/** Parses one rule per line; `#` begins a comment. */
export function parseFlowRules(text: string): { rules: FlowRule[]; problems: RuleProblem[] } {
  const rules: FlowRule[] = [];
  const problems: RuleProblem[] = [];
  for (const [i, whole] of text.split('\n').entries()) {
    const words = whole.replace(/#.*/, '').trim().split(/\s+/);
    if (words[0] === '') continue;
    const rule = ruleOf(words);
    if (typeof rule === 'string') problems.push({ line: i + 1, message: rule });
    else rules.push(rule);
  }
  return { rules, problems };
}

function ruleOf([role, name, where = '', last, ...more]: readonly string[]): FlowRule | string {
  if (role !== 'source' && role !== 'sink' && role !== 'sanitizer')
    return `'${role}' is not a role: source, sink or sanitizer`;
  if (name === undefined || !/^[A-Za-z_]\w*$/.test(name)) return `${role} has no function`;
  const place = placeOf(where);
  if (place === undefined)
    return `'${where}' is not a location: return, 1 (an argument), *1 (its text), *1:2 or *1:return (its bytes)`;
  if (more.length > 0 || (role === 'sanitizer' && last !== undefined))
    return `'${last}' is one word too many`;
  if (role !== 'sink' && place.argument !== undefined && place.bytes === undefined)
    return `a ${role} gives its result, or the memory that an argument points to (*${place.argument + 1})`;
  if (role === 'source') return { role, function: name, place, name: last ?? name };
  if (role === 'sanitizer') return { role, function: name, place };
  const kind = last ?? 'call';
  if (!(sinkKinds as readonly string[]).includes(kind)) return `'${kind}' is not a kind of sink`;
  if (place.argument === undefined) return 'a sink is an argument, not a result';
  return { role, function: name, place, kind: kind as SinkKind };
}

function placeOf(text: string): Place | undefined {
  const match = /^(\*?)(return|[1-9]\d?)(?::(return|[1-9]\d?))?$/.exec(text);
  if (match === null || (match[3] !== undefined && match[1] === '')) return undefined;
  const argument = match[2] === 'return' ? undefined : Number(match[2]) - 1;
  if (match[1] === '') return { argument };
  return {
    argument,
    bytes: match[3] === undefined ? 'text' : match[3] === 'return' ? 'result' : Number(match[3]) - 1,
  };
}

const librarySinks: Readonly<Record<string, readonly [SinkKind, ...string[]]>> = {
  malloc: ['size', '1'],
  calloc: ['size', '1', '2'],
  realloc: ['size', '2'],
  reallocarray: ['size', '2', '3'],
  aligned_alloc: ['size', '2'],
  memalign: ['size', '2'],
  valloc: ['size', '1'],
  posix_memalign: ['size', '3'],
  memcpy: ['size', '3'],
  memmove: ['size', '3'],
  memset: ['size', '3'],
  strncpy: ['size', '3'],
  strncat: ['size', '3'],
  printf: ['format', '*1'],
  vprintf: ['format', '*1'],
  fprintf: ['format', '*2'],
  vfprintf: ['format', '*2'],
  dprintf: ['format', '*2'],
  sprintf: ['format', '*2'],
  vsprintf: ['format', '*2'],
  snprintf: ['format', '*3'],
  vsnprintf: ['format', '*3'],
  asprintf: ['format', '*2'],
  vasprintf: ['format', '*2'],
  scanf: ['format', '*1'],
  fscanf: ['format', '*2'],
  sscanf: ['format', '*2'],
  syslog: ['format', '*2'],
  err: ['format', '*2'],
  errx: ['format', '*2'],
  warn: ['format', '*1'],
  warnx: ['format', '*1'],
  fopen: ['path', '*1'],
  freopen: ['path', '*1'],
  open: ['path', '*1'],
  openat: ['path', '*2'],
  creat: ['path', '*1'],
  opendir: ['path', '*1'],
  unlink: ['path', '*1'],
  remove: ['path', '*1'],
  rename: ['path', '*1', '*2'],
  mkdir: ['path', '*1'],
  rmdir: ['path', '*1'],
  chdir: ['path', '*1'],
  truncate: ['path', '*1'],
  link: ['path', '*1', '*2'],
  symlink: ['path', '*1', '*2'],
  chmod: ['path', '*1'],
  system: ['command', '*1'],
  popen: ['command', '*1'],
  execl: ['command', '*1'],
  execlp: ['command', '*1'],
  execle: ['command', '*1'],
  execv: ['command', '*1'],
  execvp: ['command', '*1'],
  execve: ['command', '*1'],
};

/** clang's intrinsics count as the functions that they stand for. */
function libraryName(name: string): string {
  return /^llvm\.(memcpy|memmove|memset)\./.exec(name)?.[1] ?? name;
}

/**
 * The sinks of a call of this function, of the selected kinds. With secrets, the time that a call
 * of the program takes depends on its sizes.
 */
export function sinksOf(
  name: string,
  { sinks, rules, secrets, isLibrary }: LabelOptions,
): { kind: SinkKind; place: Place }[] {
  const own = rules.filter(rule => rule.role === 'sink' && rule.function === name);
  const [kind, ...places] = librarySinks[libraryName(name)] ?? ['call'];
  const kinds = [
    ...((sinks as readonly string[]).includes(kind) ? [kind] : []),
    ...(secrets && !isLibrary && kind === 'size' ? (['extent'] as const) : []),
  ];
  return [
    ...own.map(rule => ({ kind: rule.kind ?? 'call', place: rule.place })),
    ...kinds.flatMap(each => places.map(place => ({ kind: each, place: placeOf(place)! }))),
  ];
}
