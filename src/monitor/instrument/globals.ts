/**
 * Globals: each gets a referent number, a redzone, and an entry in the table that the runtime reads
 * at start.
 *
 * The definitions are moved to a separate module, so that the code sees only declarations. A
 * reference to `@g` becomes `@g + (number << 32)`, which would be out of bounds if the optimiser
 * saw the definition. All references are changed: next to a plain `@g + 40` the optimiser would
 * assume that `@g + (number << 32) + 8 * i` is another location.
 *
 * ```
 *   code:  load i32, ptr getelementptr (i8, ptr @table, i64 0x0f3a11c8_00000010)
 *   data:  @table = global { [10 x i32], [16 x i8] } { ..., zeroinitializer }, align 16
 *          @__rz_globals.ID = { ptr @table, i32 40, i32 0x0f3a11c8 }, ...
 *          @__rz_functions.ID = { ptr @compare, i32 0x0a1b2c3d }, ...      signature-numbers.ts
 * ```
 *
 * The number of a global is a hash of its linkage name, so that separately compiled objects agree
 * on it. Two globals whose numbers collide (one chance in 2^27 per pair) are still bounded by their
 * redzones.
 *
 * A global that is only declared `extern` may be defined by uninstrumented code, or be weak and
 * missing: a weak one keeps its plain address, so that a comparison with null is correct.
 */
import { makeFunction, makeModule, makeVariable } from '../../ir/builder.js';
import { integerConstant, zeroConstant } from '../../ir/constants.js';
import type { DataLayout } from '../../ir/data-layout.js';
import { globalVariable } from '../../ir/debug.js';
import type { Constant, GlobalVariable, IrFunction, Module, PlainConstant } from '../../ir/model.js';
import { arrayType, i8, i32, i64, ptr, structType } from '../../ir/types.js';
import { constantBit, globalBit, globalRedzone } from '../memory-map.js';
import type { GlobalSite, ObjectSites } from '../sites.js';
import { offsetBy, sitesDefinition } from './runtime.js';
import type { NumberedFunction } from './signature-numbers.js';

/**
 * The linker collects the records of all objects in this section; `objects.c` iterates over them.
 */
const moduleSection = 'rz_modules';

export class Globals {
  /** The definitions. */
  readonly data: Module;
  readonly sites: GlobalSite[] = [];
  readonly #tagged = new Map<Constant, Constant>();
  readonly #numbered = new Map<GlobalVariable, number>();
  readonly #defined: GlobalVariable[] = [];
  readonly #definedNames = new Set<string>();
  readonly #declaredNames = new Set<string>();
  readonly #shared = new Set<IrFunction>();

  constructor(
    private readonly module: Module,
    private readonly layout: DataLayout,
    private readonly id: string,
    /** The names of variables without one; others are numbered. */
    private readonly names: ReadonlyMap<GlobalVariable, string> = new Map(),
  ) {
    this.data = makeModule(module.file);
    this.data.dataLayout = module.dataLayout;
    this.data.triple = module.triple;
  }

  /** Moves the definitions out of the module; afterwards `tagged` gives the references to them. */
  separate(): void {
    const { module } = this;
    module.variables = module.variables.filter(variable => !/^llvm\.(compiler\.)?used$/.test(variable.name));
    for (const variable of module.variables) {
      if (variable.name.startsWith('llvm.')) continue;
      variable.threadLocal = undefined;
      if (variable.initializer === undefined) {
        if (variable.linkage !== 'extern_weak') this.#number(variable);
      } else {
        this.#define(variable, variable.initializer);
      }
    }
    for (const variable of this.#defined) {
      const initializer = variable.initializer;
      if (initializer?.kind !== 'aggregate') continue;
      initializer.elements[0] = this.tagged(initializer.elements[0]!);
      this.#share(initializer.elements[0]);
    }
  }

  /**
   * Declares the symbols to which the data refers. Static functions are exported to it under unique
   * names.
   */
  #share(constant: Constant): void {
    if (constant.kind === 'expression') for (const operand of constant.operands) this.#share(operand);
    else if (constant.kind === 'aggregate') for (const element of constant.elements) this.#share(element);
    else if (constant.kind === 'variable' && !this.#isInData(constant.name)) {
      this.#declaredNames.add(constant.name);
      this.data.variables.push(makeVariable(constant.name, i8));
    } else if (constant.kind === 'function' && !this.#shared.has(constant)) {
      this.#shared.add(constant);
      if (constant.linkage === 'internal' || constant.linkage === 'private') {
        constant.name += `.${this.id}`;
        constant.linkage = 'external';
        constant.visibility = 'hidden';
      }
      this.data.functions.push(makeFunction(constant.name, constant.functionType));
    }
  }

  #isInData(name: string): boolean {
    return this.#definedNames.has(name) || this.#declaredNames.has(name);
  }

  /** Whether the variable certainly exists with its declared type. */
  isDefined(variable: GlobalVariable): boolean {
    return this.#definedNames.has(variable.name);
  }

  /** The constant with the referent number in every reference to a global. */
  tagged(constant: Constant): Constant {
    const known = this.#tagged.get(constant);
    if (known !== undefined) return known;
    const made = this.#tag(constant);
    if (made !== constant || constant.kind === 'variable') this.#tagged.set(constant, made);
    return made;
  }

  /**
   * Completes the data module: the table of globals, the sites of each part of the code, and the
   * records by which the runtime finds them.
   */
  finish(parts: readonly ObjectSites[], functions: readonly NumberedFunction[]): void {
    const { data, module } = this;
    // The code refers to the aliased symbols, which are defined elsewhere.
    module.aliases = module.aliases.filter(({ valueType }) => valueType.kind === 'function');
    for (const { target } of functions) this.#share(target);
    const records = parts.map((part, i) =>
      i === 0 ? this.#record(part, this.#defined, functions) : this.#record(part, [], []),
    );
    const used = hidden('llvm.used', arrayType(ptr, records.length), records);
    used.linkage = 'appending';
    used.isConstant = false;
    used.section = 'llvm.metadata';
    data.variables.push(...records, used);
  }

  #record(
    { id, sites: { length } }: ObjectSites,
    globals: readonly GlobalVariable[],
    functions: readonly NumberedFunction[],
  ): GlobalVariable {
    const row = structType([ptr, i32, i32]);
    const rows: Constant[] = globals.map((variable, i) => {
      const { bytes, number } = this.sites[i]!;
      const elements = [variable, integerConstant(i32, bytes), integerConstant(i32, number)];
      return { kind: 'aggregate', type: row, elements };
    });
    const table = hidden(`__rz_globals.${id}`, arrayType(row, rows.length), rows);
    const sites = sitesDefinition(id, Math.max(length, 1));
    const functionRow = structType([ptr, i32]);
    const functionRows: Constant[] = functions.map(({ target, number }) => {
      return { kind: 'aggregate', type: functionRow, elements: [target, integerConstant(i32, number)] };
    });
    const calls = hidden(`__rz_functions.${id}`, arrayType(functionRow, functionRows.length), functionRows);
    const recordType = structType([i64, ptr, ptr, ptr, i32, i32]);
    const record = hidden(`__rz_module.${id}`, recordType, [
      integerConstant(i64, BigInt(`0x${id}`)),
      sites,
      table,
      calls,
      integerConstant(i32, rows.length),
      integerConstant(i32, functionRows.length),
    ]);
    record.section = moduleSection;
    // A larger alignment would leave gaps: the runtime treats the records of all objects as one
    // array.
    record.align = 8;
    this.data.variables.push(sites, table, calls);
    return record;
  }

  #number(variable: GlobalVariable): number {
    const number = (hash27(variable.name) | globalBit | (variable.isConstant ? constantBit : 0)) >>> 0;
    this.#numbered.set(variable, number);
    return number;
  }

  #define(variable: GlobalVariable, initializer: Constant): void {
    const described = globalVariable(variable);
    const location = described?.location;
    const shown = described?.name ?? variable.name;
    if (variable.name === '')
      variable.name = this.names.get(variable) ?? `__rz_unnamed.${this.#defined.length}`;
    if (variable.linkage === 'internal' || variable.linkage === 'private') variable.name += `.${this.id}`;
    const bytes = this.layout.allocBytes(variable.valueType);
    const redzone = arrayType(i8, (-bytes & 7) + globalRedzone);
    const type = structType([variable.valueType, redzone]);
    const definition = makeVariable(variable.name, type, {
      kind: 'aggregate',
      type,
      elements: [initializer, zeroConstant(redzone)],
    });
    definition.isConstant = variable.isConstant;
    definition.align = Math.max(variable.align, this.layout.align(variable.valueType), 16);
    definition.section = variable.section;
    if (/^(weak|linkonce)/.test(variable.linkage)) definition.linkage = variable.linkage;
    this.data.variables.push(definition);
    this.#defined.push(definition);
    this.#definedNames.add(definition.name);
    const kind = variable.isConstant ? 'constant' : 'global';
    const number = this.#number(variable);
    this.sites.push({ name: shown, kind, bytes, number, ...(location && { location }) });
    this.#numbered.set(definition, this.#numbered.get(variable)!);
    variable.initializer = undefined;
    variable.linkage = 'external';
    variable.unnamedAddress = undefined;
    variable.comdat = undefined;
    variable.metadata = undefined;
    variable.section = undefined;
  }

  #tag(constant: Constant): Constant {
    switch (constant.kind) {
      case 'variable': {
        const number = this.#numbered.get(constant);
        return number === undefined ? constant : offsetBy(constant, BigInt(number) << 32n);
      }
      case 'alias':
        return constant.valueType.kind === 'function' ? constant : this.tagged(constant.aliasee);
      case 'expression': {
        const operands = constant.operands.map(operand => this.tagged(operand));
        return operands.every((operand, i) => operand === constant.operands[i])
          ? constant
          : { ...constant, operands };
      }
      case 'aggregate': {
        const elements = constant.elements.map(element => this.tagged(element));
        return elements.every((element, i) => element === constant.elements[i])
          ? constant
          : { ...constant, elements };
      }
      // An ifunc and what names a function are no places of data.
      case 'function':
      case 'ifunc':
      case 'blockaddress':
      case 'dso_local_equivalent':
      case 'no_cfi':
        return constant;
      default:
        return constant satisfies PlainConstant;
    }
  }
}

function hidden(name: string, type: Constant['type'], elements: Constant[]): GlobalVariable {
  const variable = makeVariable(name, type, { kind: 'aggregate', type, elements });
  variable.linkage = 'internal';
  variable.isConstant = true;
  return variable;
}

/** FNV-1a, folded to 27 bits. */
export function hash27(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 5) ^ (hash & 31);
}
