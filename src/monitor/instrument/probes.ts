/**
 * The fuzzer's probes: calls that count edges and record comparisons, inserted before the checks of
 * the monitor.
 *
 * Edge coverage needs fewer counters than there are edges. A probe is at the entry of a function,
 * in a block whose only predecessor has several successors, and in a new block on a critical edge.
 * Join blocks need none, and the branches of checks have none.
 *
 * ```
 *        entry ●               ●  probe
 *        │    ╲
 *        ●     ● (on the edge)
 *        │    ╱
 *        join                  executed as often as the two before it together
 * ```
 *
 * Each back edge and each call has a probe that also consumes fuel: an endless run is stopped when
 * the fuel is used up, after the same number of probes on all machines. Comparisons of integers,
 * the values of switches and the arguments of `memcmp`, `strcmp` and similar functions are recorded
 * with an index into the table of comparisons.
 *
 * At first the functions are named like intrinsics, so that the instrumentation treats them as
 * harmless; `nameProbes` gives them the names that `runtime/fuzz/fuzz.c` defines.
 */

import type { SourceLocation } from '../../findings/finding.js';
import { AttributeSet, attribute } from '../../ir/attributes.js';
import { Builder, getOrDeclareFunction, makeBlock } from '../../ir/builder.js';
import { isOfCheck } from '../../ir/check-marks.js';
import { integerConstant, isConstant } from '../../ir/constants.js';
import { functionLocation, stackOf } from '../../ir/debug.js';
import type {
  Block,
  CallInstruction,
  Instruction,
  IrFunction,
  Module,
  SwitchInstruction,
  Value,
} from '../../ir/model.js';
import { mapSuccessors, successorsOf, terminatorOf } from '../../ir/operands.js';
import { type FunctionType, functionType, i32, i64, ptr, voidType } from '../../ir/types.js';
import { buildCfg, type Cfg } from '../../passes/cfg.js';
import { foldConstantBranches } from '../../passes/constant-branches.js';
import { placeReturns } from '../../passes/returned-values.js';
import { splitCleanups } from '../../passes/split-cleanups.js';
import { removeUnreachableBlocks } from '../../passes/unreachable-blocks.js';

/** The meaning of the probes' numbers. */
export interface ProbeTable {
  readonly edges: readonly EdgeProbe[];
  readonly comparisons: readonly ComparisonProbe[];
}

export interface EdgeProbe {
  readonly location: SourceLocation;
  /** The lines that are executed when the edge is taken, up to the next probe. */
  readonly lines: readonly number[];
  /** The function whose entry this is, and the line where it begins. */
  readonly entry?: { readonly name: string; readonly line: number };
  /** The location of the branch, and a number that all edges of the branch share. */
  readonly branch?: { readonly number: number; readonly location: SourceLocation };
}

export interface ComparisonProbe {
  readonly location: SourceLocation;
  /** The width of the operands; 0 for strings. */
  readonly bits: number;
  /** The values with which the value of a switch is compared, in decimal. */
  readonly cases?: readonly string[];
  /** Whether it is an ordering comparison; otherwise equality. */
  readonly isOrder?: boolean;
}

type ProbeName = 'edge' | 'step' | 'compare' | 'compare_text';

const prefix = 'llvm.rz.';
const finalPrefix = '__rz_fuzz_';

const types: Readonly<Record<ProbeName, FunctionType>> = {
  edge: functionType(voidType, [i32]),
  step: functionType(voidType, [i32]),
  compare: functionType(voidType, [i32, i64, i64]),
  compare_text: functionType(voidType, [i32, i32, ptr, ptr, i64]),
};

/**
 * For each name, the positions of the operands and the count among the arguments. The order of
 * kinds is that of `enum text_kind`.
 */
const textFunctions: ReadonlyMap<string, { readonly kind: 0 | 1 | 2; readonly hasCount: boolean }> = new Map([
  ['memcmp', { kind: 0, hasCount: true }],
  ['bcmp', { kind: 0, hasCount: true }],
  ['strncmp', { kind: 1, hasCount: true }],
  ['strncasecmp', { kind: 1, hasCount: true }],
  ['strcmp', { kind: 2, hasCount: false }],
  ['strcasecmp', { kind: 2, hasCount: false }],
  ['strcoll', { kind: 2, hasCount: false }],
  ['strstr', { kind: 2, hasCount: false }],
  ['strcasestr', { kind: 2, hasCount: false }],
]);

/** Inserts probes into all functions of the module. */
export function insertProbes(module: Module): ProbeTable {
  const probes = new Probes(module);
  for (const target of module.functions) if (target.blocks.length > 0) probes.addTo(target);
  return probes.table;
}

/**
 * Gives the probes of an instrumented module their final names. A part of a divided module may not
 * declare all of them.
 */
export function nameProbes(module: Module): void {
  const name = (target: IrFunction): void => {
    if (target.name.startsWith(prefix)) target.name = finalPrefix + target.name.slice(prefix.length);
  };
  for (const target of module.functions) {
    name(target);
    for (const { instructions } of target.blocks)
      for (const instruction of instructions)
        if (instruction.op === 'call' && instruction.callee.kind === 'function') name(instruction.callee);
  }
}

class Probes {
  readonly #edges: EdgeProbe[] = [];
  readonly #comparisons: ComparisonProbe[] = [];
  #branch: EdgeProbe['branch'];
  #branches = 0;

  constructor(private readonly module: Module) {}

  get table(): ProbeTable {
    return { edges: this.#edges, comparisons: this.#comparisons };
  }

  addTo(target: IrFunction): void {
    showReturns(target);
    const blocks = [...target.blocks];
    for (const block of blocks) this.#addComparisons(target, block);
    const cfg = buildCfg(target);
    const loops = retreatingEdges(cfg);
    cfg.blocks.forEach((block, number) => {
      this.#addEdges(target, cfg, number, loops);
      this.#branch = undefined;
      if (number === 0) this.#insert(block, this.#probe('step', target, block, entryOf(target)));
    });
  }

  /** Inserts the probes of a block's outgoing edges. */
  #addEdges(target: IrFunction, cfg: Cfg, from: number, loops: ReadonlySet<string>): void {
    const source = cfg.blocks[from]!;
    const successors = [...new Set(cfg.successors[from])];
    const terminator = terminatorOf(source);
    if (terminator === undefined || terminator.op === 'callbr' || isOfCheck(terminator)) return;
    const place = stackOf(terminator)[0] ?? locationIn(source);
    this.#branch = place && { number: this.#branches++, location: place };
    for (const to of successors) {
      const block = cfg.blocks[to]!;
      const name = loops.has(`${from} ${to}`) ? 'step' : 'edge';
      const isOnly = new Set(cfg.predecessors[to]).size === 1 && to !== 0;
      if (successors.length === 1) {
        // An unconditional back edge is counted at its source.
        if (name === 'step') {
          const probe = this.#probe(name, target, block);
          source.instructions.splice(source.instructions.length - 1, 0, ...probe);
        }
      } else if (isOnly) this.#insert(block, this.#probe(name, target, block));
      else if (terminator.op !== 'indirectbr') this.#split(target, source, block, name);
    }
  }

  #split(target: IrFunction, source: Block, to: Block, name: 'edge' | 'step'): void {
    const middle = makeBlock('edge');
    middle.instructions.push(...this.#probe(name, target, to));
    new Builder(middle.instructions, debugOf(source)).br(to);
    const ways = successorsOf(source).filter(block => block === to).length;
    mapSuccessors(terminatorOf(source)!, block => (block === to ? middle : block));
    for (const phi of to.instructions) {
      if (phi.op !== 'phi') break;
      // Several edges from one block to another become one.
      for (let extra = ways - 1; extra > 0; extra--) {
        const at = phi.blocks.lastIndexOf(source);
        phi.blocks.splice(at, 1);
        phi.values.splice(at, 1);
      }
      phi.blocks = phi.blocks.map(block => (block === source ? middle : block));
    }
    target.blocks.push(middle);
  }

  /** After phis and, in the entry, after the locals. */
  #insert(block: Block, probe: Instruction[]): void {
    const at = block.instructions.findIndex(
      ({ op }) => op !== 'phi' && op !== 'alloca' && op !== 'debug-record',
    );
    block.instructions.splice(at < 0 ? 0 : at, 0, ...probe);
  }

  #probe(name: 'edge' | 'step', target: IrFunction, block: Block, entry?: EdgeProbe['entry']): Instruction[] {
    const location = locationIn(block) ?? functionLocation(target) ?? unknown(target);
    const number = this.#edges.length;
    this.#edges.push({
      location,
      lines: linesFrom(block),
      ...(entry === undefined ? {} : { entry }),
      ...(this.#branch === undefined ? {} : { branch: this.#branch }),
    });
    const made: Instruction[] = [];
    new Builder(made, debugOf(block)).call(this.#function(name), [integerConstant(i32, number)]);
    return made;
  }

  // ----------------------------------------------------------------------------------- comparisons

  #addComparisons(target: IrFunction, block: Block): void {
    const out: Instruction[] = [];
    for (const instruction of block.instructions) {
      const made = this.#comparisonOf(target, instruction);
      out.push(...made, instruction);
    }
    block.instructions = out;
  }

  #comparisonOf(target: IrFunction, instruction: Instruction): Instruction[] {
    const made: Instruction[] = [];
    const builder = new Builder(made, instruction.debugLocation);
    if (isOfCheck(instruction)) return made;
    if (instruction.op === 'icmp') {
      const { left, right, predicate } = instruction;
      if (left.type.kind !== 'integer' || left.type.bits < 8 || left.type.bits > 64) return made;
      if (isConstant(left) && isConstant(right)) return made;
      const isOrder = predicate !== 'eq' && predicate !== 'ne';
      const site = this.#comparison(target, instruction, left.type.bits, isOrder ? { isOrder } : {});
      builder.call(this.#function('compare'), [site, wide(builder, left), wide(builder, right)]);
    } else if (instruction.op === 'switch') this.#addSwitch(target, instruction, builder);
    else if (instruction.op === 'call') this.#addCall(target, instruction, builder);
    return made;
  }

  #addSwitch(target: IrFunction, instruction: SwitchInstruction, builder: Builder): void {
    const { condition, caseValues } = instruction;
    if (condition.type.kind !== 'integer' || condition.type.bits > 64 || isConstant(condition)) return;
    const cases = caseValues.map(({ value }) => String(value));
    const site = this.#comparison(target, instruction, condition.type.bits, { cases });
    builder.call(this.#function('compare'), [site, wide(builder, condition), integerConstant(i64, 0)]);
  }

  #addCall(target: IrFunction, instruction: CallInstruction, builder: Builder): void {
    const { callee, args } = instruction;
    const known = callee.kind === 'function' ? textFunctions.get(callee.name) : undefined;
    if (known === undefined || args.length < (known.hasCount ? 3 : 2)) return;
    if (args[0]!.type !== ptr || args[1]!.type !== ptr) return;
    const count = known.hasCount ? wide(builder, args[2]!) : integerConstant(i64, 0);
    const site = this.#comparison(target, instruction, 0, {});
    const kind = integerConstant(i32, known.kind);
    builder.call(this.#function('compare_text'), [site, kind, args[0]!, args[1]!, count]);
  }

  #comparison(
    target: IrFunction,
    at: Instruction,
    bits: number,
    more: Pick<ComparisonProbe, 'cases' | 'isOrder'>,
  ): Value {
    const location = stackOf(at)[0] ?? functionLocation(target) ?? unknown(target);
    this.#comparisons.push({ location, bits, ...more });
    return integerConstant(i32, this.#comparisons.length - 1);
  }

  #function(name: ProbeName): IrFunction {
    const made = getOrDeclareFunction(this.module, prefix + name, types[name]);
    made.attributes = AttributeSet.of(
      attribute('nounwind'),
      attribute(
        'memory',
        name === 'compare_text' ? 'read, inaccessiblemem: readwrite' : 'inaccessiblemem: readwrite',
      ),
    );
    return made;
  }
}

/**
 * Done before the probes, which would hide clang's patterns from the passes: results would then
 * stay in memory. The switches of cleanups are not branches of the program, either.
 */
function showReturns(target: IrFunction): void {
  placeReturns(target);
  splitCleanups(target);
  removeUnreachableBlocks(target);
  foldConstantBranches(target);
}

function wide(builder: Builder, value: Value): Value {
  return value.type === i64 ? value : builder.cast('zext', value, i64);
}

/**
 * Retreating edges, which lead to a block that is earlier in reverse postorder; each loop has one.
 * As "from to".
 */
function retreatingEdges({ successors }: Cfg): Set<string> {
  return new Set(
    successors.flatMap((list, from) => list.filter(to => to <= from).map(to => `${from} ${to}`)),
  );
}

function locationIn(block: Block): SourceLocation | undefined {
  for (const instruction of block.instructions) {
    if (instruction.op === 'phi' || instruction.op === 'debug-record') continue;
    const place = stackOf(instruction)[0];
    if (place !== undefined && place.line > 0) return place;
  }
  return undefined;
}

function debugOf(block: Block): Instruction['debugLocation'] {
  return block.instructions.find(({ op, debugLocation }) => op !== 'phi' && debugLocation !== undefined)
    ?.debugLocation;
}

/** The lines of a block and of its unconditional successors. */
function linesFrom(block: Block): number[] {
  const lines = new Set<number>();
  const visited = new Set<Block>();
  for (let at: Block | undefined = block; at !== undefined && !visited.has(at); ) {
    visited.add(at);
    for (const instruction of at.instructions) {
      if (instruction.op === 'debug-record' || instruction.op === 'alloca') continue;
      const line = stackOf(instruction)[0]?.line ?? 0;
      if (line > 0) lines.add(line);
    }
    const next: Block[] = successorsOf(at);
    at = next.length === 1 ? next[0] : undefined;
  }
  return [...lines].sort((a, b) => a - b);
}

function entryOf(target: IrFunction): EdgeProbe['entry'] {
  const { function: name, line } = functionLocation(target) ?? unknown(target);
  return { name: name ?? target.name, line };
}

function unknown(target: IrFunction): SourceLocation {
  return { file: '<unknown>', line: 0, column: 0, function: target.name };
}
