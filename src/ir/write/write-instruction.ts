/** The text of one instruction, with what is attached to it, without indentation. */
import { unreachable } from '../../support/assert.js';
import { AttributeSet } from '../attributes.js';
import {
  type Block,
  type CallCommon,
  type DebugRecord,
  Flag,
  type Instruction,
  type Ordering,
  type Value,
} from '../model.js';
import { voidType } from '../types.js';
import { gepFlags, type ModuleText } from './module-text.js';
import { spellString } from './spelling.js';

export function instructionText(t: ModuleText, instruction: Instruction): string {
  if (instruction.op === 'debug-record') return `  ${debugRecordText(t, instruction)}`;
  let text = instruction.type === voidType ? '' : `${t.local(instruction)} = `;
  text += operationText(t, instruction);
  if (instruction.debugLocation !== undefined) text += `, !dbg ${t.node(instruction.debugLocation)}`;
  if (instruction.metadata !== undefined) {
    for (const { name, node } of instruction.metadata) text += `, !${name} ${t.node(node)}`;
  }
  return text;
}

/** In the order in which LLVM writes them; `inbounds` and `nusw` belong to getelementptr alone. */
const flagWords: readonly (readonly [number, string])[] = [
  [Flag.nuw, ' nuw'],
  [Flag.nsw, ' nsw'],
  [Flag.exact, ' exact'],
  [Flag.disjoint, ' disjoint'],
  [Flag.nneg, ' nneg'],
  [Flag.samesign, ' samesign'],
  [Flag.reassoc, ' reassoc'],
  [Flag.nnan, ' nnan'],
  [Flag.ninf, ' ninf'],
  [Flag.nsz, ' nsz'],
  [Flag.arcp, ' arcp'],
  [Flag.contract, ' contract'],
  [Flag.afn, ' afn'],
];

/** Each with a space before it. */
function flagsText(flags: number): string {
  if (flags === 0) return '';
  if ((flags & Flag.fast) === Flag.fast) return ' fast';
  let text = '';
  for (const [bit, word] of flagWords) if (flags & bit) text += word;
  return text;
}

function operationText(t: ModuleText, i: Exclude<Instruction, DebugRecord>): string {
  switch (i.op) {
    case 'add':
    case 'sub':
    case 'mul':
    case 'udiv':
    case 'sdiv':
    case 'urem':
    case 'srem':
    case 'shl':
    case 'lshr':
    case 'ashr':
    case 'and':
    case 'or':
    case 'xor':
    case 'fadd':
    case 'fsub':
    case 'fmul':
    case 'fdiv':
    case 'frem':
      return `${i.op}${flagsText(i.flags)} ${t.typedValue(i.left)}, ${t.value(i.right)}`;
    case 'icmp':
    case 'fcmp':
      return `${i.op}${flagsText(i.flags)} ${i.predicate} ${t.typedValue(i.left)}, ${t.value(i.right)}`;
    case 'fneg':
    case 'freeze':
      return `${i.op}${flagsText(i.flags)} ${t.typedValue(i.operand)}`;
    case 'trunc':
    case 'zext':
    case 'sext':
    case 'fptrunc':
    case 'fpext':
    case 'fptoui':
    case 'fptosi':
    case 'uitofp':
    case 'sitofp':
    case 'ptrtoint':
    case 'ptrtoaddr':
    case 'inttoptr':
    case 'bitcast':
    case 'addrspacecast':
      return `${i.op}${flagsText(i.flags)} ${t.typedValue(i.operand)} to ${t.type(i.type)}`;
    case 'select':
      return `select${flagsText(i.flags)} ${list(t, [i.condition, i.ifTrue, i.ifFalse])}`;
    case 'phi': {
      const incoming = i.values.map((value, index) => `[ ${t.value(value)}, ${t.local(i.blocks[index]!)} ]`);
      return `phi${flagsText(i.flags)} ${t.type(i.type)} ${incoming.join(', ')}`;
    }
    case 'alloca': {
      const words = `${i.inalloca ? 'inalloca ' : ''}${i.swiftError ? 'swifterror ' : ''}`;
      const count = i.count === undefined ? '' : `, ${t.typedValue(i.count)}`;
      const space =
        i.type.kind === 'pointer' && i.type.addressSpace !== 0 ? `, addrspace(${i.type.addressSpace})` : '';
      return `alloca ${words}${t.type(i.allocatedType)}${count}${align(i.align)}${space}`;
    }
    case 'load': {
      const access = `${t.type(i.type)}, ${t.typedValue(i.pointer)}`;
      return `load ${qualifiers(i)}${access}${atomicity(i.syncScope, i.ordering)}${align(i.align)}`;
    }
    case 'store': {
      const access = list(t, [i.value, i.pointer]);
      return `store ${qualifiers(i)}${access}${atomicity(i.syncScope, i.ordering)}${align(i.align)}`;
    }
    case 'getelementptr': {
      const operands = list(t, [i.base, ...i.indices]);
      return `getelementptr${gepFlags(i.flags)} ${t.type(i.sourceType)}, ${operands}`;
    }
    case 'fence':
      return `fence${atomicity(i.syncScope, i.ordering)}`;
    case 'cmpxchg': {
      const words = `${i.weak ? 'weak ' : ''}${i.volatile ? 'volatile ' : ''}`;
      const orderings = `${atomicity(i.syncScope, i.successOrdering)} ${i.failureOrdering}`;
      return `cmpxchg ${words}${list(t, [i.pointer, i.expected, i.replacement])}${orderings}${align(i.align)}`;
    }
    case 'atomicrmw': {
      const words = `${i.volatile ? 'volatile ' : ''}${i.operation}`;
      return `atomicrmw ${words} ${list(t, [i.pointer, i.value])}${atomicity(i.syncScope, i.ordering)}${align(i.align)}`;
    }
    case 'extractelement':
      return `extractelement ${list(t, [i.vector, i.index])}`;
    case 'insertelement':
      return `insertelement ${list(t, [i.vector, i.element, i.index])}`;
    case 'shufflevector':
      return `shufflevector ${list(t, [i.left, i.right, i.mask])}`;
    case 'extractvalue':
      return `extractvalue ${t.typedValue(i.aggregate)}, ${i.path.join(', ')}`;
    case 'insertvalue':
      return `insertvalue ${list(t, [i.aggregate, i.element])}, ${i.path.join(', ')}`;
    case 'va_arg':
      return `va_arg ${t.typedValue(i.list)}, ${t.type(i.type)}`;
    case 'call':
      return `${i.tail === '' ? '' : `${i.tail} `}call${flagsText(i.flags)} ${callText(t, i)}`;
    case 'callbr':
      return `callbr ${callText(t, i)} to ${label(t, i.fallthrough)} [${labels(t, i.targets)}]`;
    case 'ret':
      return i.value === undefined ? 'ret void' : `ret ${t.typedValue(i.value)}`;
    case 'br':
      return `br ${label(t, i.target)}`;
    case 'condbr':
      return `br ${t.typedValue(i.condition)}, ${label(t, i.ifTrue)}, ${label(t, i.ifFalse)}`;
    case 'switch': {
      let cases = '';
      i.caseValues.forEach((value, index) => {
        cases += `    ${t.typedValue(value)}, ${label(t, i.caseTargets[index]!)}\n`;
      });
      return `switch ${t.typedValue(i.condition)}, ${label(t, i.defaultTarget)} [\n${cases}  ]`;
    }
    case 'indirectbr':
      return `indirectbr ${t.typedValue(i.address)}, [${labels(t, i.targets)}]`;
    case 'unreachable':
      return 'unreachable';
    default:
      return unreachable(i);
  }
}

function list(t: ModuleText, values: readonly Value[]): string {
  return values.map(value => t.typedValue(value)).join(', ');
}

function label(t: ModuleText, block: Block): string {
  return `label ${t.local(block)}`;
}

function labels(t: ModuleText, blocks: readonly Block[]): string {
  return blocks.map(block => label(t, block)).join(', ');
}

function align(bytes: number): string {
  return bytes === 0 ? '' : `, align ${bytes}`;
}

function qualifiers(access: { ordering: Ordering | undefined; volatile: boolean }): string {
  return `${access.ordering === undefined ? '' : 'atomic '}${access.volatile ? 'volatile ' : ''}`;
}

function atomicity(syncScope: string | undefined, ordering: Ordering | undefined): string {
  const scope = syncScope === undefined ? '' : ` syncscope(${spellString(syncScope)})`;
  return ordering === undefined ? scope : `${scope} ${ordering}`;
}

function callText(t: ModuleText, call: CallCommon): string {
  const convention = call.callingConvention === '' ? '' : `${call.callingConvention} `;
  const type = call.functionType.variadic ? call.functionType : call.functionType.returns;
  const space =
    call.callee.type.kind === 'pointer' && call.callee.type.addressSpace !== 0
      ? `addrspace(${call.callee.type.addressSpace}) `
      : '';
  let args = '';
  for (let i = 0; i < call.args.length; i++) {
    const value = call.args[i]!;
    const attributes = t.valueAttributes(call.argAttributes[i] ?? AttributeSet.empty);
    args += `${i === 0 ? '' : ', '}${t.type(value.type)} ${attributes}${t.value(value)}`;
  }
  const head = `${convention}${t.valueAttributes(call.returnAttributes)}${space}${t.type(type)}`;
  return `${head} ${t.value(call.callee)}(${args})${t.group(call.attributes)}${bundlesText(t, call)}`;
}

function bundlesText(t: ModuleText, call: CallCommon): string {
  if (call.bundles === undefined) return '';
  const bundles = call.bundles.map(bundle => `${spellString(bundle.tag)}(${list(t, bundle.operands)})`);
  return ` [ ${bundles.join(', ')} ]`;
}

function debugRecordText(t: ModuleText, record: DebugRecord): string {
  const parts: string[] = [];
  if (record.record !== 'label') parts.push(locatedText(t, record.values, record.isList));
  parts.push(t.node(record.variable));
  if (record.expression !== undefined) parts.push(t.node(record.expression));
  if (record.assign !== undefined) {
    const { id, address, addressExpression } = record.assign;
    const located = locatedText(t, address === undefined ? [] : [address], false);
    parts.push(t.node(id), located, t.node(addressExpression));
  }
  if (record.debugLocation !== undefined) parts.push(t.node(record.debugLocation));
  return `#dbg_${record.record}(${parts.join(', ')})`;
}

function locatedText(t: ModuleText, values: readonly Value[], isList: boolean): string {
  if (isList) return `!DIArgList(${list(t, values)})`;
  return values.length === 0 ? '!{}' : t.typedValue(values[0]!);
}
