/**
 * A linked module prepared for execution: globals have addresses and contents, and functions are
 * decoded when they are first called.
 *
 * Addresses of globals come from the allocator of the first state, in the order of the module, so
 * they are the same in every run.
 */

import { type Print, withText } from '../../expr/term-print.js';
import { globalName } from '../../findings/words/object-words.js';
import { DataLayout } from '../../ir/data-layout.js';
import { globalVariable } from '../../ir/debug.js';
import { isMissing } from '../../ir/global-references.js';
import type { GlobalValue, GlobalVariable, IrFunction, Module } from '../../ir/model.js';
import { signatureOf } from '../../ir/signatures.js';
import { requireValid, verifyFunction } from '../../ir/verify.js';
import { Region } from '../../kdalloc/index.js';
import { describeLocals } from '../../passes/described-locals.js';
import { markLiteralScopes } from '../../passes/literal-scopes.js';
import { promoteLocals } from '../../passes/mem2reg.js';
import { placeReturns } from '../../passes/returned-values.js';
import { accessElements } from '../../passes/vector-elements.js';
import { verifiesIr } from '../../platform/node.js';
import { assert } from '../../support/assert.js';
import type { Memory } from '../memory/address-space.js';
import type { ObjectState } from '../memory/object-state.js';
import { meaningOf, Origin } from '../memory/origin.js';
import type { DecodedBlock, DecodedFunction, Native } from '../state/decoded.js';
import type { ProgramTable } from '../state/running.js';
import { Constants } from './constant-values.js';
import { functionPrint } from './function-print.js';
import { joinConditions } from './join-conditions.js';
import { linesOfBlocks } from './lines.js';
import { functionsOf, keepPrepared, preparedFunction } from './prepared-functions.js';

/** Functions have addresses of this alignment, and occupy no memory. */
const functionAlign = 16;

/** Implements instructions and native functions, which the program does not know. */
export interface Engine {
  readonly natives: ReadonlyMap<string, Native>;
  /** Decodes the blocks of a function that is called for the first time. */
  decode(program: Program, target: DecodedFunction): void;
  /** Puts the hooks of plug-ins into a function. */
  readonly hook?: ((target: IrFunction) => void) | undefined;
}

export class Program implements ProgramTable {
  readonly layout: DataLayout;
  readonly constants: Constants;
  readonly blocks: DecodedBlock[] = [];
  /** An upper bound of the number of decoded blocks. */
  readonly mostBlocks: number;
  readonly #module: Module;
  readonly #engine: Engine;
  readonly #addresses = new Map<GlobalValue, number>();
  readonly #functions = new Map<number, DecodedFunction>();
  readonly #variables = new Map<string, number>();
  readonly #signatures = new Map<IrFunction, string>();
  readonly #byName = new Map<string, DecodedFunction>();
  /**
   * Fingerprints of functions that were decoded or mentioned; undefined unless they are recorded.
   */
  prints: Map<string, Print> | undefined;
  /** In the order in which they are executed. */
  readonly constructors: readonly DecodedFunction[];

  /** Puts the globals of the module into the memory of the first state. */
  constructor(module: Module, memory: Memory, engine: Engine) {
    this.#module = module;
    this.#engine = engine;
    this.layout = new DataLayout(module.dataLayout);
    this.constants = new Constants(this.layout, global => this.addressOf(global));
    const functions = functionsOf(module);
    for (const target of functions) this.#addFunction(target, memory);
    for (const variable of module.variables) this.#addVariable(variable, memory);
    for (const variable of module.variables) this.#initialize(variable, memory);
    this.mostBlocks = functions.reduce((sum, { blocks }) => sum + blocks.length, 0);
    this.constructors = this.#constructorsOf(module);
  }

  /** The function at an address. */
  functionAt(address: number): DecodedFunction | undefined {
    return this.#functions.get(address);
  }

  functions(): IterableIterator<DecodedFunction> {
    return this.#byName.values();
  }

  functionNamed(name: string): DecodedFunction | undefined {
    return this.#byName.get(name);
  }

  isDefined(name: string): boolean {
    return (this.#byName.get(name)?.ir.blocks.length ?? 0) > 0;
  }

  /** Initializes an object with the initial value of the variable at the address. */
  initialize(address: number, object: ObjectState): void {
    const variable = this.#module.variables.find(other => this.#addresses.get(other) === address);
    if (variable !== undefined) this.#write(variable, object);
  }

  /** The address of a variable. */
  variableNamed(name: string): number | undefined {
    return this.#variables.get(name);
  }

  addressOf(global: GlobalValue): number {
    if (global.kind === 'alias') return Number(this.constants.value(global.aliasee));
    const address = this.#addresses.get(global);
    assert(address !== undefined, `the global ${global.name} has an address`);
    return address;
  }

  signatureOf(target: IrFunction): string {
    let known = this.#signatures.get(target);
    if (known === undefined) {
      known = signatureOf(target, this.layout);
      this.#signatures.set(target, known);
    }
    return known;
  }

  /** The fingerprint of a function; undefined if there is none of that name. Requires `prints`. */
  printOf(name: string): Print | undefined {
    const known = this.prints!.get(name);
    const target = this.#byName.get(name);
    if (known !== undefined || target === undefined) return known;
    const print = preparedFunction(target.ir)?.print ?? this.#makePrint(target);
    this.prints!.set(name, print);
    return print;
  }

  #makePrint(target: DecodedFunction): Print {
    const { ir, name } = target;
    const isChanged = target.isDecoded || preparedFunction(ir) !== undefined;
    assert(!isChanged, 'the print of a function is taken before it is decoded');
    const code = functionPrint(ir, global => this.addressOf(global));
    // The start function calls the constructors without naming them.
    return name === '__rz_start' ? withText(code, this.constructors.map(({ name }) => name).join()) : code;
  }

  /** Decodes a function when it is first needed. */
  ready(target: DecodedFunction): DecodedFunction {
    if (!target.isDecoded) {
      const print = this.prints && this.printOf(target.name);
      target.isDecoded = true;
      target.lines = this.#prepare(target.ir, print);
      this.#engine.decode(this, target);
    }
    return target;
  }

  /** Runs the passes on a function. Returns the lines of its blocks. */
  #prepare(target: IrFunction, print: Print | undefined): DecodedFunction['lines'] {
    const known = preparedFunction(target);
    if (known !== undefined) return known.lines;
    const lines = linesOfBlocks(target);
    markLiteralScopes(this.#module, target);
    placeReturns(target);
    promoteLocals(target);
    accessElements(target, this.layout);
    this.#engine.hook?.(target);
    joinConditions(target);
    if (verifiesIr()) requireValid(verifyFunction(target));
    keepPrepared(target, { lines, print });
    return lines;
  }

  #addFunction(ir: IrFunction, memory: Memory): void {
    const address = isMissing(ir) ? 0 : memory.reserve(Region.constants, functionAlign);
    const target: DecodedFunction = {
      ir,
      name: ir.name,
      address,
      native: this.#engine.natives.get(ir.name),
      blocks: [],
      template: [],
      registers: new Map(),
      firstConstant: 0,
      // A call copies these arguments before the function is decoded.
      locals: ir.arguments.some(({ attributes }) => attributes.has('byval')) ? describeLocals(ir) : new Map(),
      strays: new Set(),
      lines: undefined,
      isDecoded: false,
      compiled: (runner, ...args) => runner.compile(target)(runner, ...args),
      isCold: true,
      skips: 2,
      penalty: 0,
    };
    this.#addresses.set(ir, address);
    this.#byName.set(ir.name, target);
    if (address !== 0) this.#functions.set(address, target);
  }

  #addVariable(variable: GlobalVariable, memory: Memory): void {
    if (isMissing(variable)) {
      this.#addresses.set(variable, 0);
      return;
    }
    const { valueType, isConstant } = variable;
    const described = globalVariable(variable);
    const origin = new Origin({
      kind: isConstant ? 'constant' : 'global',
      name: described?.name ?? globalName(variable.name),
      bytes:
        valueType.kind === 'struct' && valueType.elements === undefined
          ? 1
          : this.layout.allocBytes(valueType),
      isReadOnly: isConstant,
      meaning: meaningOf(described),
      contents: 'zero',
      allocated: undefined,
      declared: described?.location,
    });
    const region = isConstant ? Region.constants : Region.globals;
    const address = memory.allocate(region, this.#alignOf(variable), origin);
    assert(address !== 0, 'there is room for the globals of a program');
    this.#addresses.set(variable, address);
    this.#variables.set(variable.name, address);
  }

  #alignOf({ align, valueType }: GlobalVariable): number {
    return align > 0 ? align : this.layout.align(valueType);
  }

  #initialize(variable: GlobalVariable, memory: Memory): void {
    if (variable.initializer === undefined || variable.initializer.kind === 'zero') return;
    const object = memory.find(this.addressOf(variable));
    if (object !== undefined) this.#write(variable, object);
  }

  #write({ initializer }: GlobalVariable, object: ObjectState): void {
    if (initializer === undefined || initializer.kind === 'zero') return;
    this.constants.write(object.bytes, 0, initializer);
  }

  #constructorsOf(module: Module): DecodedFunction[] {
    const list = module.variables.find(({ name }) => name === 'llvm.global_ctors')?.initializer;
    if (list?.kind !== 'aggregate') return [];
    const entries = list.elements.map(entry => {
      assert(entry.kind === 'aggregate', 'an entry of llvm.global_ctors is a struct');
      return {
        priority: Number(this.constants.value(entry.elements[0]!)),
        address: Number(this.constants.value(entry.elements[1]!)),
      };
    });
    return entries
      .sort((x, y) => x.priority - y.priority)
      .map(({ address }) => this.#functions.get(address)!);
  }
}
