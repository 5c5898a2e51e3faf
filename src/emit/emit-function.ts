/**
 * The body of a function: its control flow and frame.
 *
 * WebAssembly has no jumps, only blocks that nest. Blocks are written along the tree of dominators
 * (Ramsey, "Beyond Relooper", 2022): a join block follows the end of a wasm `block` that begins at
 * its dominator, a loop header is inside a `loop`, and any other block is placed at its branch.
 *
 * ```
 *   loop                      header of a loop
 *     block                   for the second join, which its dominator writes after the first
 *       block                 for the first join
 *         … br_if 0 …         to the first join
 *       end
 *       first join … br 1     to the header
 *     end
 *     second join
 *   end
 * ```
 *
 * An irreducible graph, and a function to which `longjmp` may return, is compiled differently:
 * every block is a case of one `br_table` in one loop (`dispatch`).
 *
 * Nothing here is recursive, because a function may have thousands of blocks in a row.
 */
import type { Block, CallInstruction, PhiInstruction, SwitchInstruction, Terminator } from '../ir/model.js';
import { terminatorOf } from '../ir/operands.js';
import type { DominatorTree } from '../passes/dominators.js';
import { assert, unreachable } from '../support/assert.js';
import { noResult, wasm } from '../wasm/instruction-bytes.js';
import { i32, i64 } from '../wasm/wasm-opcodes.js';
import type { FunctionCode } from './function-body.js';
import { emitInstruction } from './instructions.js';
import { isSetjmp, SetjmpCode } from './setjmp.js';
import { switchRanges } from './switch-table.js';
import { componentsOf, extensionOf, isReturnedInMemory, NotEmitted } from './value-types.js';

/** The open wasm blocks around the current position. */
type Label = { readonly kind: 'join' | 'loop' | 'other'; readonly block: number };

/** The work that is left, the next on top. */
type Task =
  | { readonly kind: 'block'; readonly block: number }
  | { readonly kind: 'edge'; readonly from: number; readonly to: number }
  | { readonly kind: 'end' };

export class ControlFlow {
  readonly #tree: DominatorTree;
  readonly #labels: Label[] = [];
  readonly #tasks: Task[] = [];
  readonly #isJoin: Uint8Array;
  readonly #isLoop: Uint8Array;
  readonly isReducible: boolean;
  /** In functions with a dispatch loop: the local with the number of the next block. */
  #next: number | undefined;
  #setjmp: SetjmpCode | undefined;

  constructor(tree: DominatorTree) {
    this.#tree = tree;
    const { successors } = tree.cfg;
    const forward = new Int32Array(successors.length);
    this.#isLoop = new Uint8Array(successors.length);
    let isReducible = true;
    successors.forEach((list, from) => {
      for (const to of list) {
        if (to > from) forward[to]!++;
        else if (tree.dominates(to, from)) this.#isLoop[to] = 1;
        else isReducible = false;
      }
    });
    this.isReducible = isReducible;
    this.#isJoin = Uint8Array.from(forward, count => (count > 1 ? 1 : 0));
  }

  /** Writes all blocks; `callsSetjmp` says whether control may return into the function. */
  write(code: FunctionCode, callsSetjmp: boolean): void {
    if (callsSetjmp) {
      this.#setjmp = new SetjmpCode(code);
      this.#dispatch(code);
    } else if (this.isReducible) {
      this.#tasks.push({ kind: 'block', block: 0 });
      this.#work(code);
    } else this.#dispatch(code);
    code.op(wasm.unreachable);
  }

  #work(code: FunctionCode): void {
    for (let task = this.#tasks.pop(); task !== undefined; task = this.#tasks.pop()) {
      if (task.kind === 'end') this.#close(code);
      else if (task.kind === 'edge') this.#follow(code, task.from, task.to);
      else this.#writeBlock(code, task.block);
    }
  }

  #open(code: FunctionCode, opcode: number, label: Label): void {
    code.op(opcode);
    code.op(noResult);
    this.#labels.push(label);
  }

  #close(code: FunctionCode): void {
    code.op(wasm.end);
    this.#labels.pop();
  }

  #writeBlock(code: FunctionCode, number: number): void {
    if (this.#isLoop[number]) {
      this.#open(code, wasm.loop, { kind: 'loop', block: number });
      this.#tasks.push({ kind: 'end' });
    }
    const children = this.#tree.children[number]!;
    // The last one in the order of blocks is written last, so its label is outermost.
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i]!;
      if (!this.#isJoin[child]) continue;
      this.#open(code, wasm.block, { kind: 'join', block: child });
      this.#tasks.push({ kind: 'block', block: child }, { kind: 'end' });
    }
    const block = this.#tree.cfg.blocks[number]!;
    this.#writeInstructions(code, block);
    this.#terminate(code, number, terminatorOf(block)!);
  }

  /**
   * Writes the instructions from a position to the terminator, or to a `setjmp`, whose position is
   * returned.
   */
  #writeInstructions(code: FunctionCode, { instructions }: Block, from = 0): number | undefined {
    for (let i = from; i < instructions.length - 1; i++) {
      const instruction = instructions[i]!;
      if (this.#setjmp !== undefined && isSetjmp(instruction)) return i;
      if (instruction.op !== 'phi' && !code.plan.isSkipped(instruction)) emitInstruction(code, instruction);
    }
    return undefined;
  }

  // ----------------------------------------------------------------------------------------- edges

  #numberOf(block: Block): number {
    return this.#tree.cfg.numberOf.get(block)!;
  }

  /** The number of wasm blocks that the branch leaves; -1 if the target is written in place. */
  #depthOf(from: number, to: number): number {
    if (this.#next !== undefined) return this.#labels.length - 1;
    const kind = to <= from ? 'loop' : 'join';
    if (kind === 'join' && !this.#isJoin[to]) return -1;
    for (let i = this.#labels.length - 1; i >= 0; i--) {
      const label = this.#labels[i]!;
      if (label.block === to && label.kind === kind) return this.#labels.length - 1 - i;
    }
    assert(false, 'a branch leads to a block that encloses it');
  }

  /** Whether an edge only branches. */
  #isBare(code: FunctionCode, from: number, to: number): boolean {
    return this.#next === undefined && this.#depthOf(from, to) >= 0 && !this.#hasCopies(code, from, to);
  }

  #phisOf(code: FunctionCode, to: number): PhiInstruction[] {
    const phis: PhiInstruction[] = [];
    for (const instruction of this.#tree.cfg.blocks[to]!.instructions) {
      if (instruction.op !== 'phi') break;
      if (code.plan.planned(instruction)?.locals.length) phis.push(instruction);
    }
    return phis;
  }

  #hasCopies(code: FunctionCode, from: number, to: number): boolean {
    return this.#phisOf(code, to).some(phi => !this.#isInPlace(code, phi, from));
  }

  #isInPlace(code: FunctionCode, phi: PhiInstruction, from: number): boolean {
    const value = this.#valueFrom(phi, from);
    const source = code.plan.source(value);
    if (source.kind === 'undef' || source.kind === 'poison') return true;
    const planned = code.plan.planned(source);
    if (planned === undefined || planned.isInTree || planned.components.length !== 1) return false;
    return source === value || code.plan.componentOf(value) === 0
      ? planned.locals[0] === code.plan.planned(phi)!.locals[0]
      : false;
  }

  #valueFrom(phi: PhiInstruction, from: number): PhiInstruction['values'][number] {
    return phi.values[phi.blocks.indexOf(this.#tree.cfg.blocks[from]!)]!;
  }

  /** All values are read before a phi is set, because the phis of a block change simultaneously. */
  #copyPhis(code: FunctionCode, from: number, to: number): void {
    const phis = this.#phisOf(code, to).filter(phi => !this.#isInPlace(code, phi, from));
    for (const phi of phis) code.pushAll(this.#valueFrom(phi, from));
    for (const phi of phis.reverse()) code.assign(phi);
  }

  #follow(code: FunctionCode, from: number, to: number): void {
    this.#copyPhis(code, from, to);
    const depth = this.#depthOf(from, to);
    if (this.#next !== undefined) {
      code.out.i32Const(to);
      code.out.local(wasm.localSet, this.#next);
    }
    if (depth < 0) this.#tasks.push({ kind: 'block', block: to });
    else code.out.branch(wasm.br, depth);
  }

  #terminate(code: FunctionCode, from: number, terminator: Terminator): void {
    switch (terminator.op) {
      case 'br':
        return void this.#follow(code, from, this.#numberOf(terminator.target));
      case 'condbr': {
        const [yes, no] = [this.#numberOf(terminator.ifTrue), this.#numberOf(terminator.ifFalse)];
        if (yes === no) return void this.#follow(code, from, yes);
        code.push(terminator.condition);
        if (this.#isBare(code, from, yes)) {
          code.out.branch(wasm.brIf, this.#depthOf(from, yes));
          return void this.#follow(code, from, no);
        }
        if (this.#isBare(code, from, no)) {
          code.op(wasm.i32Eqz);
          code.out.branch(wasm.brIf, this.#depthOf(from, no));
          return void this.#follow(code, from, yes);
        }
        // Control never reaches the end of the `if`.
        this.#open(code, wasm.if, { kind: 'other', block: -1 });
        this.#tasks.push({ kind: 'edge', from, to: no }, { kind: 'end' }, { kind: 'edge', from, to: yes });
        return;
      }
      case 'switch':
        return void this.#switch(code, from, terminator);
      case 'ret':
        return void emitReturn(code, terminator);
      case 'unreachable':
        return void code.op(wasm.unreachable);
      case 'callbr':
      case 'indirectbr':
        throw new NotEmitted(`the instruction ${terminator.op}`);
      default:
        unreachable(terminator);
    }
  }

  /** Each target has an edge after the end of a block that the table branches to. */
  #switch(code: FunctionCode, from: number, terminator: SwitchInstruction): void {
    const targets = [terminator.defaultTarget, ...terminator.caseTargets].map(block => this.#numberOf(block));
    const distinct = [...new Set(targets)];
    for (let i = distinct.length - 1; i >= 0; i--) {
      this.#open(code, wasm.block, { kind: 'other', block: -1 });
      this.#tasks.push({ kind: 'edge', from, to: distinct[i]! }, { kind: 'end' });
    }
    const depthOf = (block: Block): number => distinct.indexOf(this.#numberOf(block));
    switchRanges(code, terminator, depthOf);
  }

  // -------------------------------------------------------------------------------------- dispatch

  /**
   * `loop … br_table` over all blocks; the blocks branch back to the loop. The rest of a block
   * after a `setjmp` is a separate case, after those of the blocks.
   */
  #dispatch(code: FunctionCode): void {
    const { blocks } = this.#tree.cfg;
    const { out } = code;
    const cases = blocks.map((block, number) => ({ block, number, from: 0 }));
    blocks.forEach((block, number) => {
      block.instructions.forEach((instruction, i) => {
        if (this.#setjmp !== undefined && isSetjmp(instruction)) cases.push({ block, number, from: i + 1 });
      });
    });
    const other: Label = { kind: 'other', block: -1 };
    this.#next = code.plan.addLocal(i32);
    this.#open(code, wasm.loop, other);
    this.#setjmp?.begin();
    if (this.#setjmp !== undefined) this.#labels.push(other);
    for (const _ of cases) this.#open(code, wasm.block, other);
    out.local(wasm.localGet, this.#next);
    out.byte(wasm.brTable);
    out.u32(cases.length - 1);
    for (let i = 0; i < cases.length; i++) out.u32(i);
    for (const { block, number, from } of cases) {
      this.#close(code);
      const stop = this.#writeInstructions(code, block, from);
      if (stop === undefined) this.#terminate(code, number, terminatorOf(block)!);
      else {
        const next = cases.findIndex(each => each.block === block && each.from === stop + 1);
        this.#setjmp!.call(block.instructions[stop] as CallInstruction, next);
        out.i32Const(next);
        out.local(wasm.localSet, this.#next);
        out.branch(wasm.br, this.#labels.length - 1);
      }
      this.#work(code);
    }
    if (this.#setjmp !== undefined) {
      this.#labels.pop();
      this.#setjmp.end(this.#next);
      out.branch(wasm.br, 0);
    }
    this.#close(code);
  }
}

function emitReturn(code: FunctionCode, { value }: Extract<Terminator, { op: 'ret' }>): void {
  const { returns } = code.target.functionType;
  if (value !== undefined && isReturnedInMemory(returns)) code.storeResult(value);
  else if (value !== undefined && extensionOf(code.target.returnAttributes) === 'signed')
    code.pushSigned(value);
  else if (value !== undefined) code.pushAll(value);
  code.leaveFrame();
  code.op(wasm.return);
}

/** Converts arguments to the representation of values: see `value-types.ts`. */
export function receiveArguments(code: FunctionCode): void {
  for (const argument of code.target.arguments) {
    if (extensionOf(argument.attributes) === 'zeros') continue;
    const [component] = componentsOf(argument.type);
    if (component !== i32 && component !== i64) continue;
    const before = code.out.length;
    code.push(argument);
    const pushed = code.out.length;
    code.mask(argument.type);
    if (code.out.length > pushed) code.assign(argument);
    else code.out.length = before;
  }
}
