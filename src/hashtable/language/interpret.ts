/**
 * Executes programs of atomic steps on an ordinary array, one step at a time: for tests, and for a
 * scheduler.
 *
 * A function is lowered to a list of operations on registers, with jumps. A *process* executes them
 * up to the next step, and stops before it. Its state is explicit: the fields of its handle, and
 * the position and the registers of each active function. So a scheduler can copy it, restore it,
 * and compare two states; registers whose values are dead are ignored in the comparison
 * (`liveness`).
 *
 * **Invariants.** A process that has not ended stands before a step. Only steps access the shared
 * memory.
 */
import { assert } from '../../support/assert.js';
import type { StepName } from '../shared-memory.js';
import type {
  BinaryOperator,
  Conversion,
  Expression,
  FunctionSource,
  Statement,
  StepOperation,
  StepProgram,
} from './step-program.js';

/** An i64 is a bigint, with its sign; everything else is a number. */
export type StepValue = number | bigint;

type Evaluate = (registers: readonly StepValue[], fields: readonly StepValue[]) => StepValue;

interface Operand {
  readonly evaluate: Evaluate;
  /** The registers that it reads. */
  readonly uses: readonly number[];
}

/** `target` is the register for the answer. A jump leads to the operation with that number. */
type Operation =
  | { readonly kind: 'set'; readonly target: number; readonly value: Operand }
  | { readonly kind: 'set-field'; readonly field: number; readonly value: Operand }
  | { readonly kind: 'jump'; to: number }
  | { readonly kind: 'unless'; readonly condition: Operand; to: number }
  | {
      readonly kind: 'step';
      readonly target: number;
      readonly step: StepName;
      readonly operation: StepOperation;
      readonly operands: readonly Operand[];
    }
  | {
      readonly kind: 'call';
      readonly target: number;
      readonly callee: string;
      readonly operands: readonly Operand[];
    }
  | { readonly kind: 'return'; readonly value: Operand | undefined }
  | { readonly kind: 'assert'; readonly condition: Operand; readonly message: string };

interface Code {
  readonly number: number;
  readonly operations: readonly Operation[];
  /** For each operation, the registers whose values are used at it or later. */
  readonly live: readonly (readonly number[])[];
}

interface Frame {
  readonly code: Code;
  at: number;
  readonly registers: StepValue[];
}

/** A step that a process stands before, with its operands. */
export interface PendingStep {
  readonly step: StepName;
  readonly operation: StepOperation;
  readonly operands: readonly StepValue[];
}

/** A program, ready to be executed. */
export class Interpreter {
  readonly fieldCount: number;
  readonly zeroes: readonly StepValue[];
  readonly #codes = new Map<string, Code>();

  constructor({ functions, fields }: StepProgram) {
    this.fieldCount = fields.length;
    this.zeroes = fields.map(({ type }) => (type === 'i64' ? 0n : 0));
    for (const source of functions.values()) {
      const operations = new Lowering(source).operations;
      this.#codes.set(source.name, { number: this.#codes.size, operations, live: liveness(operations) });
    }
  }

  codeOf(name: string): Code {
    const code = this.#codes.get(name);
    assert(code !== undefined, `there is no function ${name}`);
    return code;
  }
}

export class Process {
  readonly #interpreter: Interpreter;
  #frames: Frame[] = [];
  #fields: StepValue[];
  /** The result of the last function that was called from outside. */
  result: StepValue | undefined;

  constructor(interpreter: Interpreter, fields: readonly StepValue[] = interpreter.zeroes) {
    this.#interpreter = interpreter;
    this.#fields = [...fields];
  }

  get fields(): readonly StepValue[] {
    return this.#fields;
  }

  copy(): Process {
    const copy = new Process(this.#interpreter, this.#fields);
    copy.#frames = this.#frames.map(({ code, at, registers }) => ({ code, at, registers: [...registers] }));
    copy.result = this.result;
    return copy;
  }

  /** Calls a function and executes up to its first step, or to its end. */
  call(name: string, operands: readonly StepValue[]): void {
    assert(this.#frames.length === 0, 'one function at a time');
    this.#frames.push({ code: this.#interpreter.codeOf(name), at: 0, registers: [...operands] });
    this.#run();
  }

  /** The step before which it stands; undefined if the function has returned. */
  get pending(): PendingStep | undefined {
    const frame = this.#frames.at(-1);
    const operation = frame?.code.operations[frame.at];
    if (frame === undefined || operation?.kind !== 'step') return undefined;
    const operands = operation.operands.map(({ evaluate }) => evaluate(frame.registers, this.#fields));
    return { step: operation.step, operation: operation.operation, operands };
  }

  /** Continues after the step, with its result. */
  resume(answer: StepValue): void {
    const frame = this.#frames.at(-1)!;
    const operation = frame.code.operations[frame.at++]!;
    if (operation.kind === 'step') frame.registers[operation.target] = answer;
    this.#run();
  }

  /** Equal for states with the same future. */
  get key(): string {
    let key = this.#fields.join();
    for (const { code, at, registers } of this.#frames) {
      key += ` ${code.number}.${at}`;
      for (const register of code.live[at]!) key += ` ${registers[register]}`;
    }
    return key;
  }

  #run(): void {
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      const { registers } = frame;
      const operation = frame.code.operations[frame.at]!;
      switch (operation.kind) {
        case 'step':
          return;
        case 'set':
          registers[operation.target] = operation.value.evaluate(registers, this.#fields);
          frame.at++;
          break;
        case 'set-field':
          this.#fields[operation.field] = operation.value.evaluate(registers, this.#fields);
          frame.at++;
          break;
        case 'jump':
          frame.at = operation.to;
          break;
        case 'unless':
          frame.at = operation.condition.evaluate(registers, this.#fields) ? frame.at + 1 : operation.to;
          break;
        case 'assert':
          assert(operation.condition.evaluate(registers, this.#fields) !== 0, operation.message);
          frame.at++;
          break;
        case 'call': {
          const code = this.#interpreter.codeOf(operation.callee);
          const operands = operation.operands.map(({ evaluate }) => evaluate(registers, this.#fields));
          this.#frames.push({ code, at: 0, registers: operands });
          break;
        }
        case 'return': {
          const answer = operation.value?.evaluate(registers, this.#fields);
          this.#frames.pop();
          const caller = this.#frames.at(-1);
          if (caller === undefined) this.result = answer;
          else {
            const call = caller.code.operations[caller.at++]!;
            if (call.kind === 'call') caller.registers[call.target] = answer ?? 0;
          }
        }
      }
    }
  }
}

/**
 * Lowers a function to operations. Steps and calls become separate operations, in the order of
 * evaluation.
 */
class Lowering {
  readonly operations: Operation[] = [];
  #registerCount: number;
  /** Jumps to the end of the loop that is being lowered, and where it begins. */
  #breaks: { to: number }[] = [];
  #loop = 0;

  constructor({ locals, body }: FunctionSource) {
    this.#registerCount = locals.length;
    this.#statements(body);
    this.operations.push({ kind: 'return', value: undefined });
  }

  #statements(statements: readonly Statement[]): void {
    for (const statement of statements) this.#statement(statement);
  }

  #statement(statement: Statement): void {
    const { operations } = this;
    switch (statement.kind) {
      case 'set-local':
        operations.push({ kind: 'set', target: statement.index, value: this.#operand(statement.value) });
        return;
      case 'set-field':
        operations.push({ kind: 'set-field', field: statement.index, value: this.#operand(statement.value) });
        return;
      case 'evaluate':
        this.#operand(statement.value);
        return;
      case 'if': {
        const otherwise = this.#unless(statement.condition);
        this.#statements(statement.then);
        if (statement.otherwise.length === 0) otherwise.to = operations.length;
        else {
          const end = this.#jump();
          otherwise.to = operations.length;
          this.#statements(statement.otherwise);
          end.to = operations.length;
        }
        return;
      }
      case 'while': {
        const [outerBreaks, outerLoop] = [this.#breaks, this.#loop];
        this.#breaks = [];
        this.#loop = operations.length;
        this.#breaks.push(this.#unless(statement.condition));
        this.#statements(statement.body);
        this.#jump().to = this.#loop;
        for (const jump of this.#breaks) jump.to = operations.length;
        [this.#breaks, this.#loop] = [outerBreaks, outerLoop];
        return;
      }
      case 'break':
        this.#breaks.push(this.#jump());
        return;
      case 'continue':
        this.#jump().to = this.#loop;
        return;
      case 'return':
        operations.push({ kind: 'return', value: statement.value && this.#operand(statement.value) });
        return;
      case 'assert': {
        const condition = this.#operand(statement.condition);
        operations.push({ kind: 'assert', condition, message: statement.message });
        return;
      }
    }
  }

  #jump(): { to: number } {
    const jump = { kind: 'jump' as const, to: -1 };
    this.operations.push(jump);
    return jump;
  }

  #unless(condition: Expression): { to: number } {
    const jump = { kind: 'unless' as const, condition: this.#operand(condition), to: -1 };
    this.operations.push(jump);
    return jump;
  }

  #operand(expression: Expression): Operand {
    switch (expression.kind) {
      case 'constant': {
        const { value } = expression;
        return { evaluate: () => value, uses: [] };
      }
      case 'local':
        return register(expression.index);
      case 'field': {
        const { index } = expression;
        return { evaluate: (_, fields) => fields[index]!, uses: [] };
      }
      case 'binary': {
        const [left, right] = this.#operands([expression.left, expression.right]);
        const apply = binary(expression.operator, expression.left.type === 'i64');
        return {
          evaluate: (registers, fields) =>
            apply(left!.evaluate(registers, fields), right!.evaluate(registers, fields)),
          uses: [...left!.uses, ...right!.uses],
        };
      }
      case 'logical':
        return this.#logical(expression.operator, expression.left, expression.right);
      case 'convert': {
        const operands = this.#operands(expression.operands);
        const convert = converters[expression.conversion];
        return {
          evaluate: (registers, fields) =>
            convert(...operands.map(({ evaluate }) => evaluate(registers, fields))),
          uses: operands.flatMap(({ uses }) => uses),
        };
      }
      case 'step': {
        const { step, operation } = expression;
        const operands = this.#operands(expression.operands);
        const target = this.#registerCount++;
        this.operations.push({ kind: 'step', target, step, operation, operands });
        return register(target);
      }
      case 'call': {
        const operands = this.#operands(expression.operands);
        const target = this.#registerCount++;
        this.operations.push({ kind: 'call', target, callee: expression.callee, operands });
        return register(target);
      }
    }
  }

  /**
   * From left to right: values that are evaluated before a step or a call are kept in a register.
   */
  #operands(expressions: readonly Expression[]): Operand[] {
    const operands: Operand[] = [];
    for (const expression of expressions) {
      const from = this.operations.length;
      const operand = this.#operand(expression);
      if (this.operations.length > from) {
        const added = this.operations.splice(from);
        for (const [i, earlier] of operands.entries()) operands[i] = this.#kept(earlier);
        const shift = this.operations.length - from;
        for (const operation of added) if ('to' in operation && operation.to >= 0) operation.to += shift;
        this.operations.push(...added);
      }
      operands.push(operand);
    }
    return operands;
  }

  #kept(value: Operand): Operand {
    const target = this.#registerCount++;
    this.operations.push({ kind: 'set', target, value });
    return register(target);
  }

  #logical(operator: '&&' | '||', left: Expression, right: Expression): Operand {
    const target = this.#registerCount++;
    this.operations.push({ kind: 'set', target, value: truth(this.#operand(left)) });
    const value = register(target);
    const condition = operator === '&&' ? value : negation(value);
    const end = { kind: 'unless' as const, condition, to: -1 };
    this.operations.push(end);
    this.operations.push({ kind: 'set', target, value: truth(this.#operand(right)) });
    end.to = this.operations.length;
    return value;
  }
}

function register(index: number): Operand {
  return { evaluate: registers => registers[index]!, uses: [index] };
}

function truth({ evaluate, uses }: Operand): Operand {
  return { evaluate: (registers, fields) => (evaluate(registers, fields) ? 1 : 0), uses };
}

function negation({ evaluate, uses }: Operand): Operand {
  return { evaluate: (registers, fields) => (evaluate(registers, fields) ? 0 : 1), uses };
}

const converters: Readonly<Record<Conversion, (...operands: StepValue[]) => StepValue>> = {
  low: word => Number(BigInt.asIntN(32, word as bigint)),
  high: word => Number(BigInt.asIntN(32, (word as bigint) >> 32n)),
  join: (low, high) => joined(low as number, high as number),
  toNumber: word => Number(word),
  fromNumber: number => BigInt(number!),
  clz: word => Math.clz32(word as number),
};

export function joined(low: number, high: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low >>> 0);
}

function binary(operator: BinaryOperator, isWide: boolean): (left: StepValue, right: StepValue) => StepValue {
  return (isWide ? wideOperators : narrowOperators)[operator] as (
    left: StepValue,
    right: StepValue,
  ) => StepValue;
}

const comparisonOperators = {
  '==': (a: StepValue, b: StepValue) => Number(a === b),
  '!=': (a: StepValue, b: StepValue) => Number(a !== b),
  '<': (a: StepValue, b: StepValue) => Number(a < b),
  '>': (a: StepValue, b: StepValue) => Number(a > b),
  '<=': (a: StepValue, b: StepValue) => Number(a <= b),
  '>=': (a: StepValue, b: StepValue) => Number(a >= b),
};

const narrowOperators: Readonly<Record<BinaryOperator, (a: number, b: number) => number>> = {
  '+': (a, b) => (a + b) | 0,
  '-': (a, b) => (a - b) | 0,
  '*': (a, b) => Math.imul(a, b),
  '/': (a, b) => (a / b) | 0,
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
  '>>>': (a, b) => (a >>> b) | 0,
  ...comparisonOperators,
};

const wideOperators: Readonly<Record<BinaryOperator, (a: bigint, b: bigint) => StepValue>> = {
  '+': (a, b) => BigInt.asIntN(64, a + b),
  '-': (a, b) => BigInt.asIntN(64, a - b),
  '*': (a, b) => BigInt.asIntN(64, a * b),
  '/': (a, b) => BigInt.asIntN(64, a / b),
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '<<': (a, b) => BigInt.asIntN(64, a << (b & 63n)),
  '>>': (a, b) => a >> (b & 63n),
  '>>>': (a, b) => BigInt.asIntN(64, BigInt.asUintN(64, a) >> (b & 63n)),
  ...comparisonOperators,
};

/**
 * Backwards over the operations until nothing changes. At a call, registers count as they are
 * needed after it.
 */
function liveness(operations: readonly Operation[]): number[][] {
  const live = operations.map(() => new Set<number>());
  for (let changed = true; changed; ) {
    changed = false;
    for (let at = operations.length - 1; at >= 0; at--) {
      const operation = operations[at]!;
      const set = new Set<number>();
      for (const next of successors(operation, at))
        for (const register of live[next] ?? []) set.add(register);
      if ('target' in operation) set.delete(operation.target);
      for (const register of usesOf(operation)) set.add(register);
      if (set.size !== live[at]!.size) changed = true;
      live[at] = set;
    }
  }
  return live.map((set, at) => {
    const operation = operations[at]!;
    // A frame stands at a call while that is executed, and its operands are in use no more.
    if (operation.kind !== 'call') return [...set].sort((a, b) => a - b);
    const after = [...(live[at + 1] ?? [])].filter(register => register !== operation.target);
    return after.sort((a, b) => a - b);
  });
}

function successors(operation: Operation, at: number): readonly number[] {
  if (operation.kind === 'return') return [];
  if (operation.kind === 'jump') return [operation.to];
  return operation.kind === 'unless' ? [at + 1, operation.to] : [at + 1];
}

function usesOf(operation: Operation): readonly number[] {
  switch (operation.kind) {
    case 'set':
    case 'set-field':
      return operation.value.uses;
    case 'unless':
    case 'assert':
      return operation.condition.uses;
    case 'step':
    case 'call':
      return operation.operands.flatMap(({ uses }) => uses);
    case 'return':
      return operation.value?.uses ?? [];
    case 'jump':
      return [];
  }
}
