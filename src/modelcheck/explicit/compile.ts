/**
 * Compiles guards, updates and properties to JavaScript, so that explicit search is fast.
 *
 * One function unpacks a state, tries every command and emits each successor:
 *
 *     (words, base) => {
 *       const v0 = ..., v1 = ...;                       // unpacked
 *       if (guard) { next.set(v...); next[3] = v3 + 1; emit(0); }
 *     }
 *
 * Another evaluates the properties. Values are small integers; a value that does not fit into its
 * field is reported to the caller, never truncated.
 */
import { unreachable } from '../../support/assert.js';
import { type BoolExpr, type Expr, type Variable, valuesOf } from '../expression.js';
import type { System } from '../system.js';
import type { Layout } from './state-layout.js';

export interface Compiled {
  /** Unpacks the state into `current`. */
  readonly unpack: (words: Int32Array, base: number) => void;
  readonly pack: (values: Int32Array, words: Int32Array) => void;
  /** Calls `emit(command)` for every successor of `current`, with its values in `next`. */
  readonly expand: () => void;
  /** Calls `found(i)` for each of the formulas that does not hold in `current`. */
  readonly checkProperties: () => void;
  readonly current: Int32Array;
  readonly next: Int32Array;
}

export interface Callbacks {
  readonly emit: (command: number) => void;
  /** A value without a bound does not fit into its field. */
  readonly tooLarge: () => void;
  readonly violated: (formula: number) => void;
}

export function compile(
  system: System,
  layout: Layout,
  formulas: readonly BoolExpr[],
  callbacks: Callbacks,
): Compiled {
  const { variables, commands } = system;
  const indexOf = new Map(variables.map((variable, i) => [variable, i]));
  const text = (expr: Expr): string =>
    source(expr, ({ variable, next }) => {
      const at = indexOf.get(variable)!;
      return next ? `next[${at}]` : `v${at}`;
    });
  const load = variables.map((_, i) => `const v${i} = current[${i}];`).join('\n');

  const expand = commands.map((command, c) => {
    const updated = [...command.updates].map(([variable, value]) => ({ at: indexOf.get(variable)!, value }));
    const lines = updated.map(({ at, value }) => `const n${at} = ${asNumber(value, text)};`);
    const fits = ['true', ...updated.map(({ at }) => fitsInto(system, layout, at))].join(' && ');
    const store = ['next.set(current);', ...updated.map(({ at }) => `next[${at}] = n${at};`)].join(' ');
    const emit = `${command.constraint.kind === 'bool' ? '' : `if (${text(command.constraint)}) `}emit(${c});`;
    const loops = command.free.map(variable => loopOver(variable, indexOf.get(variable)!));
    const body = `${store} ${loops.join(' ')} ${emit} ${'}'.repeat(loops.length)}`;
    return `if (${text(command.guard)}) {\n${lines.join('\n')}\nif (${fits}) { ${body} }\n}`;
  });
  const checks = formulas.map((formula, i) => `if (!(${text(formula)})) violated(${i});`);

  const current = new Int32Array(variables.length);
  const next = new Int32Array(variables.length);
  const packed = Array.from({ length: layout.words }, (_, word) => {
    const fields = layout.fields
      .map((field, i) => ({ ...field, i }))
      .filter(field => field.word === word && field.bits > 0)
      .map(({ i, min, shift }) => `((values[${i}] - ${paren(min)}) << ${shift})`);
    return `words[${word}] = ${fields.join(' | ') || '0'};`;
  });
  const unpacked = layout.fields.map(({ word, shift, bits, min }, i) => {
    const mask = bits === 32 ? '' : ` & ${2 ** bits - 1}`;
    const raw = bits === 0 ? '0' : `((words[base + ${word}] >>> ${shift})${mask})`;
    return `current[${i}] = ${raw} + ${paren(min)};`;
  });
  // The source is made of numbers, operators and names of ours: no text of the model reaches it.
  const make = new Function(
    'current',
    'next',
    'emit',
    'tooLarge',
    'violated',
    `'use strict';
    return {
      unpack(words, base) { ${unpacked.join('\n')} },
      pack(values, words) { ${packed.join('\n')} },
      expand() { ${load}\n${expand.join('\n')} },
      checkProperties() { ${load}\n${checks.join('\n')} },
    };`,
  );
  const functions = make(current, next, callbacks.emit, callbacks.tooLarge, callbacks.violated);
  return { ...functions, current, next };
}

/** A boolean as the 0 or 1 that is stored. */
function asNumber(expr: Expr, text: (expr: Expr) => string): string {
  return isBoolean(expr) ? `(${text(expr)} ? 1 : 0)` : text(expr);
}

function isBoolean(expr: Expr): boolean {
  if (expr.kind === 'var') return expr.variable.domain.kind === 'bool';
  return ['bool', 'not', 'and', 'or', 'implies', 'iff', 'choose', 'eq', 'le'].includes(expr.kind);
}

function paren(value: number): string {
  return value < 0 ? `(${value})` : `${value}`;
}

/**
 * A bounded variable that would leave its domain makes no step; an unbounded one needs a wider
 * field.
 */
function fitsInto(system: System, layout: Layout, at: number): string {
  const { domain } = system.variables[at]!;
  if (domain.kind === 'bool') return 'true';
  const { min, max } = layout.fields[at]!;
  const bounded = domain.min !== undefined && domain.max !== undefined;
  const inside = `n${at} >= ${paren(min)} && n${at} <= ${paren(max)}`;
  if (bounded) return `(${inside})`;
  const below = domain.min === undefined ? '' : `n${at} < ${paren(domain.min)} ? false : `;
  const above = domain.max === undefined ? '' : `n${at} > ${paren(domain.max)} ? false : `;
  return `(${inside} || (${below}${above}(tooLarge(), false)))`;
}

function loopOver(variable: Variable, at: number): string {
  const values = valuesOf(variable.domain) ?? [];
  return `for (next[${at}] = ${values[0]}; next[${at}] <= ${values.at(-1)}; next[${at}]++) {`;
}

function source(expr: Expr, leaf: (leaf: Extract<Expr, { kind: 'var' }>) => string): string {
  const text = (part: Expr): string => source(part, leaf);
  switch (expr.kind) {
    case 'bool':
      return `${expr.value}`;
    case 'int':
      return paren(expr.value);
    case 'var':
      return expr.variable.domain.kind === 'bool' ? `(${leaf(expr)} !== 0)` : leaf(expr);
    case 'not':
      return `!${text(expr.a)}`;
    case 'and':
      return `(${expr.parts.map(text).join(' && ')})`;
    case 'or':
      return `(${expr.parts.map(text).join(' || ')})`;
    case 'implies':
      return `(!${text(expr.a)} || ${text(expr.b)})`;
    case 'iff':
    case 'eq':
      return `(${text(expr.a)} === ${text(expr.b)})`;
    case 'le':
      return `(${text(expr.a)} <= ${text(expr.b)})`;
    case 'choose':
    case 'ite':
      return `(${text(expr.condition)} ? ${text(expr.yes)} : ${text(expr.no)})`;
    case 'sum':
      return `(${expr.parts.map(text).join(' + ')})`;
    case 'scale':
      return `(${paren(expr.factor)} * ${text(expr.a)})`;
    case 'div':
      return `Math.floor(${text(expr.a)} / ${expr.divisor})`;
    case 'mod':
      return `(((${text(expr.a)} % ${expr.divisor}) + ${expr.divisor}) % ${expr.divisor})`;
    case 'count':
      return 'NaN';
    default:
      return unreachable(expr);
  }
}
