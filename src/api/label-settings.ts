/**
 * Converts `--taint`, `--sinks`, `--taint-rules` and `--secret` to the settings of both engines.
 */
import { type Diagnostic, InputError } from '../findings/diagnostic.js';
import type { Module } from '../ir/model.js';
import {
  type FlowRule,
  inputNames,
  type LabelOptions,
  type LabelRequest,
  parseFlowRules,
  secretName,
  sinkChoices,
} from '../labels/flow-rules.js';
import type { flows } from '../options/check-options.js';
import type { Settings } from '../options/schema.js';
import { closestTo } from '../support/closest.js';

type FlowSettings = Settings<typeof flows>;

/**
 * The sources and sinks to look for; undefined unless the options request labels. A program that
 * labels something itself always has them.
 */
export function labelOptionsOf(options: FlowSettings): LabelOptions | undefined {
  const { taint = [], secret = [] } = options;
  const rules = flowRulesOf(options);
  if (taint.length === 0 && secret.length === 0 && rules.length === 0) return undefined;
  const sinks = taint.length === 0 && rules.length === 0 ? [] : (options.sinks ?? sinkChoices);
  return { sinks, secrets: secret.length > 0 || taint.includes(secretName), rules };
}

export function labelRequestOf(options: FlowSettings): LabelRequest {
  const { taint = [], secret = [] } = options;
  return { taint, secrets: secret, rules: flowRulesOf(options) };
}

/**
 * Names that look like misspelt inputs. Only the running program can tell, because it may label
 * data with any name.
 */
export function doubtfulNames({ taint = [], secret = [] }: FlowSettings): Diagnostic[] {
  return [...new Set([...taint, ...secret])].flatMap(name => {
    const meant = (inputNames as readonly string[]).includes(name) ? undefined : closestTo(name, inputNames);
    if (meant === undefined) return [];
    const message = `'${name}' is no input: only data that the program labels with this name is tracked`;
    return [{ severity: 'warning', message, help: `did you mean '${meant}'?` }];
  });
}

/** Functions that rules name and the program neither has nor calls: probably misspelt. */
export function unknownFunctions(rules: readonly FlowRule[], modules: readonly Module[]): Diagnostic[] {
  const names = new Set(modules.flatMap(({ functions }) => functions.map(({ name }) => name)));
  const unknown = new Set(rules.map(rule => rule.function).filter(name => !names.has(name)));
  return [...unknown].map(name => {
    const meant = closestTo(name, [...names]);
    return {
      severity: 'warning',
      message: `the program calls no function '${name}', which the rules of --taint-rules name`,
      ...(meant !== undefined && { help: `did you mean '${meant}'?` }),
    };
  });
}

function flowRulesOf({ taintRules }: FlowSettings): FlowRule[] {
  const { rules, problems } = parseFlowRules(taintRules);
  if (problems.length > 0)
    throw new InputError(
      ...problems.map(({ line, message }) => ({
        severity: 'error' as const,
        message: `line ${line} of the rules of --taint-rules: ${message}`,
      })),
    );
  return rules;
}
