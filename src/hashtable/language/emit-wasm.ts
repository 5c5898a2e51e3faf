/**
 * Compiles programs of atomic steps to WebAssembly: a step is one atomic instruction, a field a
 * plain access to the handle.
 *
 * Every function has the address of the handle as its first parameter. An `inline fn` becomes a
 * block inside its caller, and its `return` a branch to the end of that block, because V8 does not
 * inline functions of WebAssembly.
 *
 * Opcodes are named as in the WebAssembly specification.
 */
import { assert } from '../../support/assert.js';
import {
  type BinaryOperator,
  type Conversion,
  type Expression,
  type FunctionSource,
  type Statement,
  type StepOperation,
  type StepProgram,
  stepOperations,
  type Type,
} from './step-program.js';

const typeBytes: Readonly<Record<Type, number>> = { i32: 0x7f, i64: 0x7e, f64: 0x7c, void: 0x40 };

const BLOCK = 0x02;
const LOOP = 0x03;
const IF = 0x04;
const ELSE = 0x05;
const END = 0x0b;
const BR = 0x0c;
const BR_IF = 0x0d;
const UNREACHABLE = 0x00;
const CALL = 0x10;
const DROP = 0x1a;
const I32_EQZ = 0x45;
const I64_EXTEND_I32_U = 0xad;
const I64_SHIFT_LEFT_32 = [0x42, 32, 0x86];
const I64_SHIFT_RIGHT_32 = [0x42, 32, 0x88];
const I32_STORE_8 = 0x3a;
const I64_OR = 0x84;
const I32_WRAP_I64 = 0xa7;
const ATOMIC = 0xfe;

const binaryOpcodes: Readonly<Record<BinaryOperator, { readonly i32: number; readonly i64: number }>> = {
  ...{ '+': { i32: 0x6a, i64: 0x7c }, '-': { i32: 0x6b, i64: 0x7d }, '*': { i32: 0x6c, i64: 0x7e } },
  '/': { i32: 0x6d, i64: 0x7f },
  ...{ '&': { i32: 0x71, i64: 0x83 }, '|': { i32: 0x72, i64: 0x84 }, '^': { i32: 0x73, i64: 0x85 } },
  ...{ '<<': { i32: 0x74, i64: 0x86 }, '>>': { i32: 0x75, i64: 0x87 }, '>>>': { i32: 0x76, i64: 0x88 } },
  ...{ '==': { i32: 0x46, i64: 0x51 }, '!=': { i32: 0x47, i64: 0x52 }, '<': { i32: 0x48, i64: 0x53 } },
  ...{ '>': { i32: 0x4a, i64: 0x55 }, '<=': { i32: 0x4c, i64: 0x57 }, '>=': { i32: 0x4e, i64: 0x59 } },
};

const conversionBytes: Readonly<Record<Exclude<Conversion, 'join'>, readonly number[]>> = {
  low: [I32_WRAP_I64],
  high: [...I64_SHIFT_RIGHT_32, I32_WRAP_I64],
  toNumber: [0xb9],
  fromNumber: [0xfc, 0x06],
  clz: [0x67],
};

const atomicOpcodes: Readonly<Record<Exclude<StepOperation, 'zero' | 'own'>, number>> = {
  ...{ load32: 0x10, store32: 0x17, add32: 0x1e, cas32: 0x48 },
  ...{ load64: 0x11, store64: 0x18, add64: 0x1f, cas64: 0x49 },
};

/** The module. It imports a shared memory of exactly this many pages as `m.memory`. */
export function emitModule(program: StepProgram, pages: number): Uint8Array<ArrayBuffer> {
  const functions = [...program.functions.values()].filter(({ access }) => access !== 'inline');
  const numbers = new Map(functions.map(({ name }, number) => [name, number]));
  const types = functions.map(({ parameters, result }) => [
    ...[0x60, parameters.length + 1, typeBytes.i32, ...parameters.map(({ type }) => typeBytes[type])],
    ...(result === 'void' ? [0] : [1, typeBytes[result]]),
  ]);
  const memory = [...name('m'), ...name('memory'), 2, 3, ...unsigned(pages), ...unsigned(pages)];
  const bodies = functions.map(source => {
    const code = new FunctionEmitter(program, numbers).emit(source);
    return [...unsigned(code.length), ...code];
  });
  const exported = functions.filter(({ access }) => access === 'export');
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, types),
    ...section(2, [memory]),
    ...section(
      3,
      functions.map((_, number) => unsigned(number)),
    ),
    ...section(
      7,
      exported.map(source => [...name(source.name), 0, ...unsigned(numbers.get(source.name)!)]),
    ),
    ...section(10, bodies),
  ]);
}

class FunctionEmitter {
  readonly #program: StepProgram;
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #code: number[] = [];
  /** The types of variables and temporaries, without parameters. */
  readonly #localTypes: Type[] = [];
  #parameterCount = 0;
  /**
   * The wasm local of each variable of the function that is being emitted, which may be one put
   * into another.
   */
  #variables: readonly number[] = [];
  /**
   * How many blocks are open, and how many were where `break`, `continue` and an inner `return`
   * lead.
   */
  #depth = 0;
  #breakDepth = 0;
  #continueDepth = 0;
  #returnDepth: number | undefined;

  constructor(program: StepProgram, numbers: ReadonlyMap<string, number>) {
    this.#program = program;
    this.#numbers = numbers;
  }

  emit({ parameters, locals, body, result }: FunctionSource): number[] {
    this.#parameterCount = parameters.length + 1;
    const own = locals.slice(parameters.length).map(type => this.#newLocal(type));
    this.#variables = [...parameters.map((_, i) => i + 1), ...own];
    this.#statements(body);
    if (result !== 'void') this.#code.push(UNREACHABLE);
    const declared = this.#localTypes.flatMap(type => [1, typeBytes[type]]);
    return [...unsigned(this.#localTypes.length), ...declared, ...this.#code, END];
  }

  #newLocal(type: Type): number {
    return this.#parameterCount + this.#localTypes.push(type) - 1;
  }

  #statements(statements: readonly Statement[]): void {
    for (const statement of statements) this.#statement(statement);
  }

  #statement(statement: Statement): void {
    switch (statement.kind) {
      case 'set-local':
        this.#expression(statement.value);
        this.#push(0x21, ...unsigned(this.#variables[statement.index]!));
        return;
      case 'set-field': {
        const { type, offset } = this.#program.fields[statement.index]!;
        this.#push(0x20, 0);
        this.#expression(statement.value);
        this.#push(...(type === 'i64' ? [0x37, 3] : [0x36, 2]), ...unsigned(offset));
        return;
      }
      case 'evaluate':
        this.#expression(statement.value);
        if (statement.value.type !== 'void') this.#push(DROP);
        return;
      case 'if':
        this.#expression(statement.condition);
        this.#open(IF, 'void');
        this.#statements(statement.then);
        if (statement.otherwise.length > 0) this.#push(ELSE);
        this.#statements(statement.otherwise);
        this.#close();
        return;
      case 'while':
        this.#while(statement.condition, statement.body);
        return;
      case 'break':
        this.#branchTo(this.#breakDepth);
        return;
      case 'continue':
        this.#branchTo(this.#continueDepth);
        return;
      case 'return':
        if (statement.value) this.#expression(statement.value);
        if (this.#returnDepth === undefined) this.#push(0x0f);
        else this.#branchTo(this.#returnDepth);
        return;
      case 'assert':
        this.#expression(statement.condition);
        this.#push(I32_EQZ);
        this.#open(IF, 'void');
        this.#push(UNREACHABLE);
        this.#close();
        return;
    }
  }

  #while(condition: Expression, body: readonly Statement[]): void {
    const [outerBreak, outerContinue] = [this.#breakDepth, this.#continueDepth];
    this.#open(BLOCK, 'void');
    this.#breakDepth = this.#depth;
    this.#open(LOOP, 'void');
    this.#continueDepth = this.#depth;
    if (condition.kind !== 'constant') {
      this.#expression(condition);
      this.#push(I32_EQZ, BR_IF, 1);
    }
    this.#statements(body);
    this.#push(BR, 0);
    this.#close();
    this.#close();
    [this.#breakDepth, this.#continueDepth] = [outerBreak, outerContinue];
  }

  #expression(expression: Expression): void {
    switch (expression.kind) {
      case 'constant':
        if (expression.type === 'i64')
          this.#push(0x42, ...signed(BigInt.asIntN(64, BigInt(expression.value))));
        else this.#push(0x41, ...signed(BigInt(Number(expression.value) | 0)));
        return;
      case 'local':
        this.#push(0x20, ...unsigned(this.#variables[expression.index]!));
        return;
      case 'field': {
        const { type, offset } = this.#program.fields[expression.index]!;
        this.#push(0x20, 0, ...(type === 'i64' ? [0x29, 3] : [0x28, 2]), ...unsigned(offset));
        return;
      }
      case 'binary': {
        const { operator, left, right } = expression;
        this.#expression(left);
        this.#expression(right);
        this.#push(binaryOpcodes[operator][left.type as 'i32' | 'i64']);
        return;
      }
      case 'logical':
        this.#expression(expression.left);
        this.#open(IF, 'i32');
        if (expression.operator === '&&') this.#expression(expression.right);
        else this.#push(0x41, 1);
        this.#push(ELSE);
        if (expression.operator === '&&') this.#push(0x41, 0);
        else this.#expression(expression.right);
        this.#close();
        return;
      case 'convert':
        this.#convert(expression.conversion, expression.operands);
        return;
      case 'step':
        this.#step(expression.operation, expression.operands);
        return;
      case 'call':
        this.#call(this.#program.functions.get(expression.callee)!, expression.operands);
        return;
    }
  }

  #convert(conversion: Conversion, operands: readonly Expression[]): void {
    this.#expression(operands[0]!);
    if (conversion !== 'join') {
      this.#push(...conversionBytes[conversion]);
      return;
    }
    this.#push(I64_EXTEND_I32_U);
    this.#expression(operands[1]!);
    this.#push(I64_EXTEND_I32_U, ...I64_SHIFT_LEFT_32, I64_OR);
  }

  #step(operation: StepOperation, [address, ...operands]: readonly Expression[]): void {
    if (operation === 'zero') {
      this.#expression(address!);
      this.#push(0x41, 0);
      this.#expression(operands[0]!);
      this.#push(0xfc, 11, 0);
      return;
    }
    const offset = this.#address(address!);
    if (operation === 'own') {
      this.#push(0x41, 0, I32_STORE_8, 0, ...unsigned(offset));
      return;
    }
    const isWide = stepOperations[operation].byteCount === 8;
    for (const operand of operands) this.#expression(operand);
    // The instruction returns the previous value: the first operand is needed again, for the sum or
    // for the comparison.
    const isAdd = operation === 'add32' || operation === 'add64';
    const isCas = operation === 'cas32' || operation === 'cas64';
    let again = -1;
    if (isAdd || isCas) {
      again = this.#newLocal(isWide ? 'i64' : 'i32');
      const desired = isCas ? this.#newLocal(isWide ? 'i64' : 'i32') : -1;
      if (isCas) this.#push(0x21, ...unsigned(desired));
      this.#push(0x22, ...unsigned(again));
      if (isCas) this.#push(0x20, ...unsigned(desired));
    }
    this.#push(ATOMIC, atomicOpcodes[operation], isWide ? 3 : 2, ...unsigned(offset));
    if (again < 0) return;
    const operator = isAdd ? '+' : '==';
    this.#push(0x20, ...unsigned(again), binaryOpcodes[operator][isWide ? 'i64' : 'i32']);
  }

  /** Emits an address without a constant at its end, which the instruction adds itself. */
  #address(address: Expression): number {
    if (address.kind === 'binary' && address.operator === '+' && address.right.kind === 'constant') {
      this.#expression(address.left);
      return Number(address.right.value);
    }
    this.#expression(address);
    return 0;
  }

  #call(callee: FunctionSource, operands: readonly Expression[]): void {
    if (callee.access === 'inline') {
      this.#inline(callee, operands);
      return;
    }
    this.#push(0x20, 0);
    for (const operand of operands) this.#expression(operand);
    this.#push(CALL, ...unsigned(this.#numbers.get(callee.name)!));
  }

  #inline({ name, locals, body, result }: FunctionSource, operands: readonly Expression[]): void {
    const variables = locals.map(type => this.#newLocal(type));
    for (const operand of operands) this.#expression(operand);
    for (let i = operands.length - 1; i >= 0; i--) this.#push(0x21, ...unsigned(variables[i]!));
    const outer = this.#variables;
    const outerReturn = this.#returnDepth;
    assert(this.#depth < 200, `${name} is put into itself`);
    this.#open(BLOCK, result);
    this.#variables = variables;
    this.#returnDepth = this.#depth;
    this.#statements(body);
    if (result !== 'void') this.#push(UNREACHABLE);
    this.#close();
    this.#variables = outer;
    this.#returnDepth = outerReturn;
  }

  #open(opcode: number, type: Type): void {
    this.#push(opcode, typeBytes[type]);
    this.#depth++;
  }

  #close(): void {
    this.#push(END);
    this.#depth--;
  }

  #branchTo(depth: number): void {
    this.#push(BR, ...unsigned(this.#depth - depth));
  }

  #push(...bytes: readonly number[]): void {
    this.#code.push(...bytes);
  }
}

function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function signed(value: bigint): number[] {
  const low = Number(value & 127n);
  const rest = value >> 7n;
  const isLast = (rest === 0n && low < 64) || (rest === -1n && low >= 64);
  return isLast ? [low] : [low | 128, ...signed(rest)];
}

function name(text: string): number[] {
  return [text.length, ...Array.from(text, letter => letter.charCodeAt(0))];
}

function section(id: number, items: readonly (readonly number[])[]): number[] {
  const content = [...unsigned(items.length), ...items.flat()];
  return [id, ...unsigned(content.length), ...content];
}
