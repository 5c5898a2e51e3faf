/**
 * The code of one function under construction: the access to operands, the frame and other
 * functions.
 *
 * ```
 *   frame    __stack_pointer at entry ─▶ ┌──────────────────────┐
 *                                        │ locals of known size │
 *                                        │ arguments in memory  │  of variadic calls, structs by value
 *                    frame pointer ─────▶ └──────────────────────┘  multiple of 16, as LLVM's
 *                                          locals of other sizes      below, by moving __stack_pointer
 * ```
 */
import type { DataLayout } from '../ir/data-layout.js';
import type { AllocaInstruction, Constant, GlobalValue, IrFunction, Value } from '../ir/model.js';
import type { Type } from '../ir/types.js';
import { assert } from '../support/assert.js';
import { wasm } from '../wasm/instruction-bytes.js';
import { f32, i32, i64, type ValueType } from '../wasm/wasm-opcodes.js';
import { CodeBuffer } from './code-buffer.js';
import { aliasSymbol, dataSymbol, functionSymbol, type KnownAddress, knownAddress } from './known-address.js';
import { storeTo } from './memory-pieces.js';
import type { ObjectFile, ObjectSymbol, Signature } from './object-file.js';
import type { PlannedValue, ValuePlan } from './value-plan.js';
import { componentsOf, NotEmitted, narrowBits } from './value-types.js';

export class FunctionCode {
  readonly out: CodeBuffer = new CodeBuffer(4096);
  /** The local with the address of the frame. */
  readonly framePointer: number;
  /** The local with `__stack_pointer` as it was at entry. */
  readonly entryPointer: number;
  frameBytes = 0;
  frameAlign = 16;
  readonly #places = new Map<AllocaInstruction, number>();
  readonly #buffers = new Map<string, number>();
  readonly #scratch = new Map<string, number>();

  constructor(
    readonly object: ObjectFile,
    readonly layout: DataLayout,
    readonly target: IrFunction,
    readonly plan: ValuePlan,
    readonly compute: (code: FunctionCode, planned: PlannedValue) => void,
    /** The parameter with the address of the variable arguments. */
    readonly variableArguments: number | undefined,
  ) {
    this.framePointer = plan.addLocal(i64);
    this.entryPointer = plan.addLocal(i64);
  }

  op(opcode: number): void {
    this.out.byte(opcode);
  }

  /** A temporary local of one instruction; `name` distinguishes several of one type. */
  scratch(type: ValueType, name = ''): number {
    const key = `${type} ${name}`;
    let local = this.#scratch.get(key);
    if (local === undefined) {
      local = this.plan.addLocal(type);
      this.#scratch.set(key, local);
    }
    return local;
  }

  // ------------------------------------------------------------------------------------- operands

  push(value: Value, component = 0): void {
    const source = this.plan.source(value);
    const at = source === value ? component : component + this.plan.componentOf(value);
    const planned = this.plan.planned(source);
    if (planned?.isInTree) this.compute(this, planned);
    else if (planned !== undefined) this.out.local(wasm.localGet, planned.locals[at]!);
    else if (source.kind === 'instruction') this.#pushFramePlace(source);
    else if (source.kind === 'argument' || source.kind === 'assembly' || source.kind === 'metadata')
      throw new NotEmitted(`a ${source.kind} as an operand`);
    else this.#pushConstant(source, at);
  }

  pushAll(value: Value): void {
    const { length } = componentsOf(value.type);
    for (let i = 0; i < length; i++) this.push(value, i);
  }

  /** Pushes the value sign-extended to its wasm type. */
  pushSigned(value: Value): void {
    this.push(value);
    this.extendSign(value.type);
  }

  extendSign(type: Type): void {
    const bits = narrowBits(type);
    if (bits === 0) return;
    const [component] = componentsOf(type);
    const isLong = component === i64;
    if (bits === 8) this.op(isLong ? wasm.i64Extend8S : wasm.i32Extend8S);
    else if (bits === 16) this.op(isLong ? wasm.i64Extend16S : wasm.i32Extend16S);
    else
      for (const opcode of isLong ? [wasm.i64Shl, wasm.i64ShrS] : [wasm.i32Shl, wasm.i32ShrS]) {
        this.out.integer(component!, (isLong ? 64 : 32) - bits);
        this.op(opcode);
      }
  }

  /** Clears the bits above the width of this type. */
  mask(type: Type): void {
    const bits = narrowBits(type);
    if (bits === 0) return;
    if (bits > 64) throw new NotEmitted(`arithmetic of ${bits} bits`);
    if (bits < 32) {
      this.out.i32Const(2 ** bits - 1);
      this.op(wasm.i32And);
    } else {
      this.out.i64Const((1n << BigInt(bits)) - 1n);
      this.op(wasm.i64And);
    }
  }

  /** Pushes an index as a 64-bit offset. */
  pushIndex(index: Value): void {
    this.pushSigned(index);
    if (componentsOf(index.type)[0] === i32) this.op(wasm.i64ExtendI32S);
  }

  /**
   * Sets the locals of an instruction to the values on top of the stack; drops them if there are no
   * uses.
   */
  assign(value: Value): void {
    const planned = this.plan.planned(value);
    if (planned?.isInTree) return;
    const components = componentsOf(value.type);
    for (let i = components.length - 1; i >= 0; i--) {
      const local = planned?.locals[i];
      if (local === undefined) this.op(wasm.drop);
      else this.out.local(wasm.localSet, local);
    }
  }

  // ------------------------------------------------------------------------------------ constants

  #pushConstant(constant: Constant, component: number): void {
    const type = componentsOf(constant.type)[component]!;
    switch (constant.kind) {
      case 'integer':
        return void this.#pushBits(constant.value, type, component);
      case 'float':
        return void this.#pushBits(constant.bits, type, component);
      case 'null':
      case 'zero':
      case 'undef':
      case 'poison':
        return void this.out.zero(type);
      case 'aggregate': {
        let at = component;
        for (const element of constant.elements) {
          const count = componentsOf(element.type).length;
          if (at < count) return void this.#pushConstant(element, at);
          at -= count;
        }
        break;
      }
      case 'variable':
      case 'function':
      case 'alias':
      case 'expression': {
        const known = knownAddress(this.layout, constant);
        if (known !== undefined) return void this.#pushAddress(known);
        if (constant.kind === 'expression') return void this.#pushExpression(constant);
      }
    }
    throw new NotEmitted(`a constant of kind ${constant.kind}`);
  }

  #pushBits(bits: bigint, type: ValueType, component: number): void {
    if (type === i32) return void this.out.i32Const(Number(BigInt.asIntN(32, bits)));
    if (type === i64) return void this.out.i64Const(BigInt.asIntN(64, bits >> (64n * BigInt(component))));
    this.op(type === f32 ? wasm.f32Const : wasm.f64Const);
    for (let at = 0n; at < (type === f32 ? 32n : 64n); at += 8n) this.op(Number((bits >> at) & 0xffn));
  }

  #pushAddress({ global, addend }: KnownAddress): void {
    if (global === undefined) return void this.out.i64Const(BigInt.asIntN(64, addend));
    if (global.kind === 'variable')
      return void this.out.dataAddress(dataSymbol(this.object, global), BigInt.asIntN(64, addend));
    this.out.functionAddress(this.symbolOf(global));
    if (addend === 0n) return;
    this.out.i64Const(addend);
    this.op(wasm.i64Add);
  }

  #pushExpression(constant: Extract<Constant, { kind: 'expression' }>): void {
    const [first, second] = constant.operands;
    if (constant.op === 'trunc' && constant.type.kind === 'integer' && constant.type.bits === 32) {
      const known = knownAddress(this.layout, first!);
      if (known?.global?.kind === 'variable')
        return void this.out.dataAddress32(
          dataSymbol(this.object, known.global),
          BigInt.asIntN(64, known.addend),
        );
      this.#pushConstant(first!, 0);
      return void this.op(wasm.i32WrapI64);
    }
    const opcode = { add: wasm.i64Add, sub: wasm.i64Sub, xor: wasm.i64Xor }[constant.op as 'add'];
    if (opcode === undefined || componentsOf(constant.type)[0] !== i64 || narrowBits(constant.type) !== 0)
      throw new NotEmitted(`the constant expression ${constant.op}`);
    this.#pushConstant(first!, 0);
    this.#pushConstant(second!, 0);
    this.op(opcode);
  }

  // -------------------------------------------------------------------------------------- symbols

  symbolOf(global: GlobalValue): ObjectSymbol {
    if (global.kind === 'alias') return aliasSymbol(this.object, global);
    if (global.kind !== 'function') throw new NotEmitted(`the address of an ${global.kind}`);
    return functionSymbol(this.object, global);
  }

  /** A function of the runtime that the code generator calls. */
  library(name: string, signature: Signature): ObjectSymbol {
    return this.object.function(name, signature);
  }

  // ---------------------------------------------------------------------------------------- frame

  /** Reserves space in the frame. Returns its offset from the frame pointer. */
  reserve(bytes: number, align: number): number {
    assert(this.hasFrame, 'a function that was found to need no frame reserves room in it');
    this.frameAlign = Math.max(this.frameAlign, align);
    const place = Math.ceil(this.frameBytes / align) * align;
    this.frameBytes = place + bytes;
    return place;
  }

  /**
   * Space that is reused after the instruction; `name` distinguishes the buffers of one
   * instruction.
   */
  buffer(name: string, bytes: number, align: number): number {
    const key = `${name} ${bytes} ${align}`;
    let place = this.#buffers.get(key);
    if (place === undefined) {
      place = this.reserve(bytes, align);
      this.#buffers.set(key, place);
    }
    return place;
  }

  /** The offset of a local of known size. */
  placeOf(alloca: AllocaInstruction): number {
    let place = this.#places.get(alloca);
    if (place === undefined) {
      const count = alloca.count?.kind === 'integer' ? Number(alloca.count.value) : 1;
      const align = alloca.align || this.layout.align(alloca.allocatedType);
      place = this.reserve(this.layout.allocBytes(alloca.allocatedType) * count, align);
      this.#places.set(alloca, place);
    }
    return place;
  }

  #pushFramePlace(source: Value): void {
    if (source.kind !== 'instruction' || source.op !== 'alloca')
      throw new NotEmitted('an operand that has no code');
    this.pushFrame(this.placeOf(source));
  }

  /** Whether the function has a frame. */
  hasFrame = false;

  /** Releases the frame by restoring the stack pointer of the entry. */
  leaveFrame(): void {
    if (!this.hasFrame) return;
    this.out.local(wasm.localGet, this.entryPointer);
    this.out.global(wasm.globalSet, this.object.stackPointer);
  }

  /** Writes the result to where the first parameter points. */
  storeResult(value: Value): void {
    storeTo(
      this,
      value,
      () => {
        this.out.local(wasm.localGet, 0);
        return 0;
      },
      0,
    );
  }

  pushFrame(place: number): void {
    this.out.local(wasm.localGet, this.framePointer);
    if (place === 0) return;
    this.out.i64Const(place);
    this.op(wasm.i64Add);
  }
}
