/**
 * Visits and replaces the references to globals: in code, initialisers and aliases, and inside
 * constant expressions at any depth.
 *
 * Constants that hold others (aggregates, expressions) may be shared, so each is visited once.
 */
import type { Constant, GlobalValue, IrFunction, Module, PlainConstant, Value } from './model.js';
import { forEachOperand, mapDebugOperands, mapOperands } from './operands.js';

export type Replacement = Map<GlobalValue, GlobalValue>;

/** In a linked program: a weak reference without a definition, whose address is null. */
export function isMissing(value: Value): boolean {
  return (value.kind === 'function' || value.kind === 'variable') && value.linkage === 'extern_weak';
}

/** Replaces each reference to `g` by `replacement.get(g)`. */
export function replaceGlobals(module: Module, replacement: Replacement): void {
  const seen = new Set<Constant>();
  const replaceIn = <V extends Value>(value: V): V => {
    switch (value.kind) {
      case 'variable':
      case 'function':
      case 'alias':
      case 'ifunc':
        return (replacement.get(value) ?? value) as V;
      case 'aggregate':
      case 'expression': {
        if (seen.has(value)) return value;
        seen.add(value);
        const parts = value.kind === 'aggregate' ? value.elements : value.operands;
        for (let i = 0; i < parts.length; i++) parts[i] = replaceIn(parts[i]!);
        return value;
      }
      case 'dso_local_equivalent':
      case 'no_cfi':
        value.target = replacement.get(value.target) ?? value.target;
        return value;
      case 'metadata':
        if (value.metadata.kind === 'value') value.metadata.value = replaceIn(value.metadata.value);
        return value;
      case 'argument':
      case 'instruction':
      case 'assembly':
      case 'blockaddress':
        return value;
      default:
        value satisfies PlainConstant;
        return value;
    }
  };
  for (const variable of module.variables) {
    if (variable.initializer !== undefined) variable.initializer = replaceIn(variable.initializer);
  }
  for (const alias of module.aliases) alias.aliasee = replaceIn(alias.aliasee);
  for (const ifunc of module.ifuncs) ifunc.resolver = replaceIn(ifunc.resolver);
  for (const definition of module.functions) {
    for (const part of ['prefix', 'prologue', 'personality'] as const) {
      const constant = definition[part];
      if (constant !== undefined) definition[part] = replaceIn(constant);
    }
    for (const { instructions } of definition.blocks) {
      for (const instruction of instructions) {
        mapOperands(instruction, replaceIn);
        mapDebugOperands(instruction, replaceIn);
      }
    }
  }
}

/** Calls `visit` for each reference of a global to another, itself included. */
export function forEachReference(global: GlobalValue, visit: (target: GlobalValue) => void): void {
  const seen = new Set<Constant>();
  const look = (value: Value): void => {
    switch (value.kind) {
      case 'variable':
      case 'function':
      case 'alias':
      case 'ifunc':
        visit(value);
        return;
      case 'aggregate':
      case 'expression':
        if (seen.has(value)) return;
        seen.add(value);
        for (const part of value.kind === 'aggregate' ? value.elements : value.operands) look(part);
        return;
      case 'blockaddress':
        visit(value.function);
        return;
      case 'dso_local_equivalent':
      case 'no_cfi':
        visit(value.target);
        return;
      case 'argument':
      case 'instruction':
      case 'assembly':
      case 'metadata':
        return;
      default:
        value satisfies PlainConstant;
    }
  };
  switch (global.kind) {
    case 'variable':
      if (global.initializer !== undefined) look(global.initializer);
      return;
    case 'alias':
      look(global.aliasee);
      return;
    case 'ifunc':
      look(global.resolver);
      return;
    case 'function':
      lookIntoFunction(global, look);
  }
}

function lookIntoFunction(definition: IrFunction, look: (value: Value) => void): void {
  for (const constant of [definition.prefix, definition.prologue, definition.personality]) {
    if (constant !== undefined) look(constant);
  }
  for (const { instructions } of definition.blocks) {
    for (const instruction of instructions) forEachOperand(instruction, look);
  }
}
