/**
 * Makes the fast copy of a loop: see `fast-loops.ts` for its purpose.
 *
 * Control passes from the fast copy to the checked one in the middle of blocks, where a check
 * fails. (Before the first side effect of an iteration, the checked copy repeats the iteration from
 * its start, so that one exit serves all checks and few values are passed.) So
 * 1. blocks are cut into *pieces*, each beginning with an access that the fast copy checks;
 * 2. a value that is used in another piece is passed through a cell in memory, the same for both
 *    copies;
 * 3. the pieces are copied, and a check is inserted before each piece of the copy;
 * 4. `mem2reg` promotes the cells to values again, with phis where the copies meet.
 *
 * Values from before the loop enter the copy through `freeze`, which marks them as defined: the
 * branch into the copy checks this.
 */

import { Builder, makeBlock } from '../../ir/builder.js';
import { checkMark } from '../../ir/check-marks.js';
import { cloneInstruction } from '../../ir/clone.js';
import { integerConstant } from '../../ir/constants.js';
import type {
  AllocaInstruction,
  Block,
  CastInstruction,
  Instruction,
  IrFunction,
  PhiInstruction,
  UnaryInstruction,
  Value,
} from '../../ir/model.js';
import { forEachOperand, mapOperands, mapSuccessors, successorsOf, terminatorOf } from '../../ir/operands.js';
import { i1, i32, i64, type Type } from '../../ir/types.js';
import { lastOf, stepsPast } from '../../passes/induction.js';
import type { CheckBefore, FastCheck, FastLoopFacts, LoopPlan, MadeLoops, Window } from './fast-loops.js';
import { accessOf } from './memory-access.js';
import { isBesidePadding } from './padded-members.js';
import { likely } from './rewriter.js';

/** Iterations in the checked copy before the fast one is first tried, and after it failed. */
const firstPatience = 1;
const patience = 6;

/**
 * How often the fast copy may be outside its windows before it requests a new one: a request takes
 * as long as about this many reads of tag words (record 0285).
 */
const missesOfWindows = 12;

interface WindowCells {
  readonly start: AllocaInstruction;
  readonly limit: AllocaInstruction;
}

export class LoopCopy {
  readonly #allocas: Builder = new Builder([]);
  readonly #initial: Builder = new Builder([]);
  readonly #cells = new Map<Value, AllocaInstruction>();
  readonly #windows = new Map<Window, WindowCells>();
  readonly #frozen = new Map<Value, UnaryInstruction>();
  readonly #wait: AllocaInstruction;
  /** How many more misses read a tag word. */
  readonly #misses: AllocaInstruction;
  readonly #attempt = makeBlock('attempt');
  readonly #attemptBuilder: Builder = new Builder(this.#attempt.instructions);
  /** The blocks of the checked copy, in order. */
  #pieces: Block[] = [];
  readonly #pieceOf = new Map<Value, Block>();
  /** The access at the beginning of a piece, the piece before it, and its original pointer. */
  readonly #asked = new Map<Block, { access: Instruction; before: Block; pointer: Value }>();
  readonly #copies = new Map<Block, Block>();
  /** The exits to the checked copy, by their continuation. */
  readonly #givingUp = new Map<Block, Block>();
  readonly #values = new Map<Value, Value>();
  readonly #arguments = new Set<Value>();

  constructor(
    private readonly target: IrFunction,
    private readonly plan: LoopPlan,
    private readonly facts: FastLoopFacts,
    private readonly made: MadeLoops,
  ) {
    this.#wait = this.#allocas.alloca(i32, 4, 'wait');
    this.#misses = this.#allocas.alloca(i32, 4, 'misses');
    this.#initial.store(integerConstant(i32, firstPatience), this.#wait, { align: 4 });
    this.#initial.store(integerConstant(i32, 0), this.#misses, { align: 4 });
  }

  make(): void {
    for (const check of this.plan.checks.values()) if ('window' in check) this.#cellsOf(check.window);
    // Must precede the demotion to cells, which hides how addresses are computed.
    const conditions = this.#conditionsBefore();
    this.#cut();
    if (!this.#demote()) return;
    const body = successorsOf(this.plan.header)[0]!;
    this.#copy();
    if (this.plan.isNested) for (const piece of this.#pieces) this.made.seldom.add(piece);
    this.#ask(body);
    this.#enter(conditions, body);
    const entry = this.target.blocks[0]!;
    const at = entry.instructions.findIndex(({ op }) => op !== 'alloca');
    entry.instructions.splice(at, 0, ...this.#allocas.into, ...this.#initial.into);
  }

  // ---------------------------------------------------------------------------------------- pieces

  #cut(): void {
    const last = new Map<Block, Block>();
    const blocks: Block[] = [];
    for (const block of this.target.blocks) {
      blocks.push(block);
      if (!this.plan.blocks.includes(block)) continue;
      const pieces = this.#cutBlock(block);
      blocks.push(...pieces.slice(1));
      this.#pieces.push(...pieces);
      last.set(block, pieces.at(-1)!);
    }
    this.target.blocks = blocks;
    for (const block of blocks)
      for (const phi of phisOf(block)) phi.blocks = phi.blocks.map(source => last.get(source) ?? source);
    for (const piece of this.#pieces)
      for (const instruction of piece.instructions) this.#pieceOf.set(instruction, piece);
  }

  #cutBlock(block: Block): Block[] {
    const pieces = [block];
    const instructions = block.instructions;
    let current: Instruction[] = [];
    block.instructions = current;
    const begin = (): Block => {
      const piece = makeBlock(block.name);
      new Builder(current).br(piece);
      current = piece.instructions;
      pieces.push(piece);
      return piece;
    };
    let inPhis = block === this.plan.header;
    for (const instruction of instructions) {
      if (inPhis && instruction.op !== 'phi') {
        begin();
        inPhis = false;
      }
      const check = this.plan.checks.get(instruction);
      if (check !== undefined && isOnTheWay(check)) {
        const before = pieces.at(-1)!;
        this.#asked.set(begin(), { access: instruction, before, pointer: accessOf(instruction)!.pointer });
      }
      current.push(instruction);
    }
    return pieces;
  }

  // ----------------------------------------------------------------------------------------- cells

  /** False if a value that needs a cell has a type that mem2reg does not promote. */
  #demote(): boolean {
    for (const block of this.target.blocks) {
      for (const user of block.instructions) {
        forEachOperand(user, operand => {
          const piece = this.#pieceOf.get(operand);
          if (piece === undefined || (piece === block && user.op !== 'phi')) return;
          if (!this.#cells.has(operand)) this.#cells.set(operand, this.#cell(operand.type));
        });
      }
    }
    if ([...this.#cells.keys()].some(({ type }) => !['integer', 'float', 'pointer'].includes(type.kind)))
      return false;
    for (const block of this.target.blocks) this.#loadCells(block);
    for (const piece of this.#pieces) this.#storeCells(piece);
    return true;
  }

  #cell(type: Type): AllocaInstruction {
    return this.#allocas.alloca(type, 8);
  }

  #loadCells(block: Block): void {
    const made: Instruction[] = [];
    const builder = new Builder(made);
    for (const user of block.instructions) {
      if (user.op === 'phi') {
        user.values.forEach((value, i) => {
          const cell = this.#cells.get(value);
          if (cell !== undefined) user.values[i] = loadAtEnd(user.blocks[i]!, value.type, cell);
        });
      } else {
        mapOperands(user, operand => {
          const cell = this.#cells.get(operand);
          const isForeign = cell !== undefined && this.#pieceOf.get(operand) !== block;
          return isForeign ? builder.load(operand.type, cell, { align: 8 }) : operand;
        });
      }
      made.push(user);
    }
    block.instructions = made;
  }

  #storeCells(piece: Block): void {
    const made: Instruction[] = [];
    const builder = new Builder(made);
    const phis = phisOf(piece);
    made.push(...phis);
    for (const phi of phis) this.#storeCell(phi, builder);
    for (const instruction of piece.instructions.slice(phis.length)) {
      made.push(instruction);
      this.#storeCell(instruction, builder);
    }
    piece.instructions = made;
  }

  #storeCell(value: Instruction, builder: Builder): void {
    const cell = this.#cells.get(value);
    if (cell !== undefined) builder.store(value, cell, { align: 8 });
  }

  // ------------------------------------------------------------------------------------------ copy

  #copy(): void {
    for (const piece of this.#pieces) this.#copies.set(piece, this.#fastBlock('fast'));
    for (const piece of this.#pieces) {
      const copy = this.#copies.get(piece)!;
      for (const instruction of piece.instructions) {
        const made = cloneInstruction(instruction);
        this.#values.set(instruction, made);
        copy.instructions.push(made);
        if (accessOf(made) !== undefined) this.made.trusted.add(made);
      }
    }
    for (const piece of this.#pieces) this.#connect(piece);
    for (const piece of this.#pieces) this.#leave(piece);
    const at = this.target.blocks.indexOf(this.#pieces.at(-1)!) + 1;
    this.target.blocks.splice(at, 0, this.#attempt, ...this.#copies.values());
  }

  #connect(piece: Block): void {
    const copy = this.#copies.get(piece)!;
    copy.instructions.forEach((instruction, i) => {
      if (instruction.op !== 'phi') mapOperands(instruction, operand => this.#inCopy(operand));
      else this.#connectPhi(instruction, piece === this.plan.header ? piece.instructions[i] : undefined);
    });
    mapSuccessors(terminatorOf(copy)!, block => this.#copies.get(block) ?? block);
  }

  /** A phi of the header continues the phi of which it is a copy. */
  #connectPhi(phi: PhiInstruction, continued: Value | undefined): void {
    const incoming = phi.blocks.flatMap((source, i) => {
      const block = this.#copies.get(source);
      return block === undefined ? [] : [{ block, value: this.#inCopy(phi.values[i]!) }];
    });
    if (continued !== undefined) incoming.push({ block: this.#attempt, value: this.#freeze(continued) });
    phi.values = incoming.map(({ value }) => value);
    phi.blocks = incoming.map(({ block }) => block);
  }

  /** A block that only the fast copy reaches. */
  #fastBlock(name: string): Block {
    const block = makeBlock(name);
    if (this.plan.isClean) this.made.clean.add(block);
    return block;
  }

  /** The operand of the checked copy in the fast one. */
  #inCopy(operand: Value): Value {
    if (operand.kind === 'argument') this.#arguments.add(operand);
    const copied = this.#values.get(operand);
    if (copied !== undefined) return copied;
    return operand.kind === 'instruction' && operand.op !== 'alloca' ? this.#freeze(operand) : operand;
  }

  #freeze(value: Value): Value {
    let frozen = this.#frozen.get(value);
    if (frozen === undefined) {
      frozen = this.#attemptBuilder.append({
        kind: 'instruction',
        type: value.type,
        name: undefined,
        debugLocation: undefined,
        metadata: undefined,
        op: 'freeze',
        flags: 0,
        operand: value,
      });
      this.#frozen.set(value, frozen);
    }
    return frozen;
  }

  /** Adds the exits of the copy to the phis after the loop. */
  #leave(piece: Block): void {
    for (const successor of new Set(successorsOf(piece))) {
      if (this.#copies.has(successor)) continue;
      for (const phi of phisOf(successor)) {
        phi.blocks.forEach((source, i) => {
          if (source !== piece) return;
          phi.values.push(this.#inCopy(phi.values[i]!));
          phi.blocks.push(this.#copies.get(piece)!);
        });
      }
    }
  }

  // ------------------------------------------------------------------------------------- questions

  #ask(body: Block): void {
    for (const [piece, { access, before, pointer }] of this.#asked) {
      const from = this.#copies.get(before)!;
      const to = this.#copies.get(piece)!;
      const giveUp = this.#giveUp(this.plan.unrepeatable.has(access) ? piece : body);
      const builder = new Builder(from.instructions);
      from.instructions.pop();
      const cell = this.#cells.get(pointer);
      const at = cell === undefined ? this.#inCopy(pointer) : builder.load(pointer.type, cell, { align: 8 });
      const check = this.plan.checks.get(access)!;
      const settle = this.#settle(access, at, to, giveUp);
      if ('window' in check) this.#askWindow(access, check.window, at, builder, to, settle);
      else this.#askTag(access, at, builder, to, settle);
    }
  }

  /**
   * If the word of the granule is not plain, which is always the case next to padding and at the
   * end of a block, the access may be valid nevertheless, and then the fast copy continues.
   */
  #settle(access: Instruction, pointer: Value, to: Block, giveUp: Block): Block {
    const { type, align, isStore } = accessOf(access)!;
    const { runtime, layout, accessWord } = this.facts;
    const block = this.#fastBlock('settle');
    const builder = new Builder(block.instructions);
    const isRight = builder.call(runtime.function(isStore ? '__rz_settled_write' : '__rz_settled_read'), [
      pointer,
      accessWord({ bytes: layout.storeBytes(type), align }),
    ]);
    builder.condBr(builder.icmp('ne', isRight, integerConstant(i32, 0)), to, giveUp).metadata = likely;
    this.target.blocks.push(block);
    return this.#settleInline(access, pointer, to, block);
  }

  /**
   * Most accesses beside padding are settled without the runtime, and most of bytes: texts end in
   * the middle of a granule.
   */
  #settleInline(access: Instruction, pointer: Value, to: Block, settle: Block): Block {
    const { checks, layout, marks } = this.facts;
    const found = accessOf(access)!;
    const bytes = layout.storeBytes(found.type);
    if (marks !== undefined || !(bytes === 1 || isBesidePadding(found, layout))) return settle;
    const block = this.#fastBlock('unsure');
    const builder = new Builder(block.instructions);
    const isWritten = checks.writtenCondition(builder, { ...found, pointer, bytes });
    this.#trust(builder.into);
    builder.condBr(isWritten, to, settle).metadata = likely;
    this.target.blocks.push(block);
    return block;
  }

  /** These instructions belong to the monitor, and have no checks of their own. */
  #trust(instructions: readonly Instruction[]): void {
    for (const made of instructions) {
      if (accessOf(made) === undefined) continue;
      this.made.trusted.add(made);
      this.made.own.add(made);
    }
  }

  #askTag(access: Instruction, pointer: Value, builder: Builder, to: Block, giveUp: Block): void {
    builder.condBr(this.#isPlain(access, pointer, builder), to, giveUp).metadata = likely;
  }

  /** Whether the tag word is the expected one; in a clean copy also, whether there is no mark. */
  #isPlain(access: Instruction, pointer: Value, builder: Builder): Value {
    const { type, align, isStore } = accessOf(access)!;
    const bytes = this.facts.layout.storeBytes(type);
    const first = builder.into.length;
    let condition = this.facts.checks.fastCondition(builder, { pointer, bytes, align, isStore });
    if (condition !== undefined && this.plan.isClean)
      for (const each of this.facts.marks?.noneAt(access, pointer, builder) ?? [])
        condition = builder.binary('and', condition, each);
    this.#trust(builder.into.slice(first));
    return condition ?? integerConstant(i1, 0);
  }

  #askWindow(
    access: Instruction,
    window: Window,
    pointer: Value,
    builder: Builder,
    to: Block,
    giveUp: Block,
  ): void {
    const { start, limit } = this.#cellsOf(window);
    const whole = builder.cast('ptrtoint', pointer, i64);
    const inside = isWithin(
      builder,
      whole,
      builder.load(i64, start, { align: 8 }),
      builder.load(i64, limit, { align: 8 }),
    );
    const elsewhere = this.#fastBlock('elsewhere');
    const plain = this.#fastBlock('plain');
    builder.condBr(inside, to, elsewhere).metadata = likely;
    const misses = new Builder(elsewhere.instructions);
    misses.call(this.facts.runtime.function('__rz_seldom'), []);
    // No window has a granule that is not plain.
    this.#askTag(access, pointer, misses, plain, giveUp);
    const another = this.#countMiss(plain, to);
    const rare = new Builder(another.instructions);
    rare.store(integerConstant(i32, missesOfWindows), this.#misses, { align: 4 });
    const found = this.#window(rare, '__rz_window', window, whole);
    rare.store(found.start, start, { align: 8 });
    rare.store(found.limit, limit, { align: 8 });
    rare.br(to);
    this.target.blocks.push(elsewhere, plain, another);
  }

  /**
   * Finding a window takes as long as reading several tag words, and many loops end before that
   * pays or alternate between blocks. So most misses only read the tag word; returns the block for
   * the others.
   */
  #countMiss(miss: Block, to: Block): Block {
    const another = this.#fastBlock('another');
    const counted = this.#fastBlock('counted');
    const counts = new Builder(miss.instructions);
    const left = counts.load(i32, this.#misses, { align: 4 });
    counts.condBr(counts.icmp('ne', left, integerConstant(i32, 0)), counted, another);
    const stays = new Builder(counted.instructions);
    stays.store(stays.binary('sub', left, integerConstant(i32, 1)), this.#misses, { align: 4 });
    stays.br(to);
    this.target.blocks.push(counted);
    return another;
  }

  /** The block that continues in the checked copy. */
  #giveUp(at: Block): Block {
    let block = this.#givingUp.get(at);
    if (block === undefined) {
      block = this.#fastBlock('give-up');
      const builder = new Builder(block.instructions);
      builder.call(this.facts.runtime.function('__rz_seldom'), []);
      builder.store(integerConstant(i32, patience), this.#wait, { align: 4 });
      builder.br(at);
      this.target.blocks.push(block);
      this.#givingUp.set(at, block);
    }
    return block;
  }

  #cellsOf(window: Window): WindowCells {
    let cells = this.#windows.get(window);
    if (cells === undefined) {
      cells = { start: this.#cell(i64), limit: this.#cell(i64) };
      this.#windows.set(window, cells);
    }
    return cells;
  }

  /** The window around an address; empty if there is none. */
  #window(
    builder: Builder,
    name: '__rz_window' | '__rz_first_window',
    window: Window,
    whole: CastInstruction,
  ): { start: Value; limit: Value } {
    const packed = builder.call(this.facts.runtime.function(name), [
      whole.operand,
      this.facts.accessWord(window),
      integerConstant(i32, window.writes ? 1 : 0),
    ]);
    const low = 0xffff_ffffn;
    const address = builder.binary('and', packed, integerConstant(i64, low));
    const number = builder.binary('and', whole, integerConstant(i64, ~low & 0xffff_ffff_ffff_ffffn));
    return {
      start: builder.binary('or', number, address),
      limit: builder.binary('lshr', packed, integerConstant(i64, 32)),
    };
  }

  // ----------------------------------------------------------------------------------------- entry

  /**
   * `header` counts iterations until the next attempt; the attempt requests the windows and checks
   * the accesses that are known in advance.
   */
  #enter(conditions: readonly Value[], body: Block): void {
    const { header } = this.plan;
    header.instructions.pop();
    const builder = new Builder(header.instructions);
    const waiting = makeBlock('waiting');
    const left = builder.load(i32, this.#wait, { align: 4 });
    builder.condBr(builder.icmp('ne', left, integerConstant(i32, 0)), waiting, this.#attempt).metadata =
      likely;
    const waits = new Builder(waiting.instructions);
    waits.store(waits.binary('sub', left, integerConstant(i32, 1)), this.#wait, { align: 4 });
    waits.br(body);
    const failed = makeBlock('failed');
    const fails = new Builder(failed.instructions);
    fails.store(integerConstant(i32, patience), this.#wait, { align: 4 });
    fails.br(body);
    this.target.blocks.push(waiting, failed);
    const attempt = this.#attemptBuilder;
    const all = this.#allOf(conditions);
    attempt.store(integerConstant(i32, missesOfWindows), this.#misses, { align: 4 });
    const branch = attempt.condBr(all, this.#copies.get(header)!, failed);
    branch.metadata = checkMark;
    this.made.entries.set(branch, [...this.#frozen.keys()]);
    if (this.plan.isClean) this.made.cleanEntries.set(branch, [...this.#frozen.keys(), ...this.#arguments]);
  }

  #allOf(conditions: readonly Value[]): Value {
    return conditions.reduce<Value>(
      (sum, each) => this.#attemptBuilder.binary('and', sum, each),
      integerConstant(i1, 1),
    );
  }

  /**
   * The conditions for entering the copy. The window of a block that the loop may fill is all of
   * memory if its accesses are known to be valid; otherwise they are checked in the copy.
   */
  #conditionsBefore(): Value[] {
    const builder = this.#attemptBuilder;
    const known = new Map<Window, { start: Value; limit: Value }>();
    const asked = new Map<number, CheckBefore>();
    const conditions: Value[] = [];
    /** The conditions under which the window of a block that the loop may fill is not needed. */
    const filled = new Map<Window, Value[]>();
    for (const [access, check] of this.plan.checks) {
      if (check.kind === 'fixed') {
        const at = this.plan.addresses.at(accessOf(access)!.pointer, 'invariant', undefined, builder);
        conditions.push(this.#isPlain(access, at, builder));
      }
      if (check.kind !== 'before') continue;
      const before = asked.get(check.address);
      if (before?.window === check.window && before.pace === check.pace) continue;
      asked.set(check.address, check);
      if (check.window.fills && !filled.has(check.window)) filled.set(check.window, []);
      const wanted = filled.get(check.window) ?? conditions;
      for (const whole of this.#endsOf(access, check, wanted)) {
        let found = known.get(check.window);
        if (found === undefined) {
          found = this.#window(builder, '__rz_first_window', check.window, whole);
          known.set(check.window, found);
        }
        wanted.push(isWithin(builder, whole, found.start, found.limit));
      }
    }
    for (const access of this.plan.unmarkedBefore) {
      const { pointer, type } = accessOf(access)!;
      const at = this.plan.addresses.at(pointer, 'invariant', undefined, builder);
      const bytes = integerConstant(i32, this.facts.layout.storeBytes(type));
      const isUnmarked = builder.call(this.facts.runtime.function('__rz_unmarked'), [at, bytes]);
      conditions.push(builder.icmp('ne', isUnmarked, integerConstant(i32, 0)));
    }
    const none = integerConstant(i64, 0);
    for (const [window, { start, limit }] of this.#windows) {
      let found = known.get(window) ?? { start: none, limit: none };
      const wanted = filled.get(window);
      if (wanted !== undefined) {
        const all = this.#allOf(wanted);
        const everything = integerConstant(i64, 0xffff_ffff_ffff_ffffn);
        found = {
          start: builder.select(all, none, found.start),
          limit: builder.select(all, everything, found.limit),
        };
      }
      builder.store(found.start, start, { align: 8 });
      builder.store(found.limit, limit, { align: 8 });
    }
    return conditions;
  }

  /** The first and the last address of an access. */
  #endsOf(access: Instruction, check: CheckBefore, conditions: Value[]): CastInstruction[] {
    const builder = this.#attemptBuilder;
    const { addresses } = this.plan;
    const { pace } = check;
    const { pointer } = accessOf(access)!;
    const whole = (counter: Value | undefined) =>
      builder.cast('ptrtoint', addresses.at(pointer, pace, counter, builder), i64);
    if (pace === 'invariant') return [whole(undefined)];
    const last = lastOf(pace, builder);
    const [low, high] = pace.ascends ? [pace.phi, last] : [last, pace.phi];
    conditions.push(builder.icmp(pace.isSigned ? 'sle' : 'ule', low, high));
    const leaves = stepsPast(pace, last, builder);
    if (leaves !== undefined) conditions.push(leaves);
    if (pace.phi.type === i64) {
      const rounds = builder.binary('sub', high, low);
      conditions.push(builder.icmp('ult', rounds, integerConstant(i64, 1n << 31n)));
    }
    return [whole(pace.phi), whole(last)];
  }
}

/** Whether the fast copy checks the access in each iteration. */
function isOnTheWay(check: FastCheck): boolean {
  return check.kind !== 'fixed' && (check.kind !== 'before' || check.window.fills);
}

function isWithin(builder: Builder, whole: Value, start: Value, limit: Value): Value {
  return builder.icmp('ult', builder.binary('sub', whole, start), limit);
}

function phisOf(block: Block): PhiInstruction[] {
  const phis: PhiInstruction[] = [];
  for (const instruction of block.instructions) {
    if (instruction.op !== 'phi') break;
    phis.push(instruction);
  }
  return phis;
}

function loadAtEnd(block: Block, type: Type, cell: AllocaInstruction): Value {
  const made: Instruction[] = [];
  const load = new Builder(made).load(type, cell, { align: 8 });
  block.instructions.splice(-1, 0, ...made);
  return load;
}
