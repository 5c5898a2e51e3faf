/**
 * Writes a module as textual LLVM IR that clang accepts, laid out as LLVM itself does it.
 *
 * Structs, attribute groups and metadata are numbered and defined as they are first mentioned, so a
 * module that was put together by hand or linked from several needs no preparation. Reading the
 * text back gives an equal module, and writing that gives the same text.
 */
import type {
  Constant,
  GlobalCommon,
  GlobalValue,
  GlobalVariable,
  Instruction,
  IrFunction,
  Module,
} from './model.js';
import { ModuleText } from './write/module-text.js';
import { spellLocals, spellName, spellString } from './write/spelling.js';
import { instructionText } from './write/write-instruction.js';

export function writeModule(module: Module): string {
  const globals: GlobalValue[] = [
    ...module.variables,
    ...module.aliases,
    ...module.ifuncs,
    ...module.functions,
  ];
  const t = new ModuleText(globals);
  for (const struct of module.structs) t.type(struct);
  const body: string[] = [];
  for (const variable of module.variables) body.push(variableText(t, variable));
  body.push('\n');
  for (const alias of module.aliases) {
    const target = `${t.type(alias.valueType)}, ${t.typedValue(alias.aliasee)}${placement(alias, ', ')}`;
    body.push(`${t.global(alias)} = ${properties(alias)}${threadLocal(alias)}alias ${target}\n`);
  }
  for (const ifunc of module.ifuncs) {
    const target = `${t.type(ifunc.valueType)}, ${t.typedValue(ifunc.resolver)}${placement(ifunc, ', ')}`;
    body.push(`${t.global(ifunc)} = ${properties(ifunc)}ifunc ${target}\n`);
  }
  for (const target of module.functions) functionText(t, target, body);
  body.push('\n', ...t.groupDefinitions(), '\n');
  for (const [name, nodes] of module.namedMetadata) {
    body.push(`!${name} = !{${nodes.map(node => t.node(node)).join(', ')}}\n`);
  }
  body.push('\n');
  for (const definition of t.nodeDefinitions()) body.push(definition);
  return headText(module, t) + body.join('');
}

/** The text of one function, for messages and tests; its metadata is numbered on its own. */
export function writeFunction(target: IrFunction): string {
  const out: string[] = [];
  functionText(new ModuleText([target]), target, out);
  return out.join('');
}

/** The text of one instruction of this function, for messages. */
export function writeInstruction(instruction: Instruction, target: IrFunction): string {
  const t = new ModuleText([]);
  t.locals = spellLocals(target);
  return instructionText(t, instruction);
}

function headText(module: Module, t: ModuleText): string {
  let text = `; ModuleID = '${module.file.replace(/[^ -~]/g, '?')}'\n`;
  if (module.sourceFilename !== undefined) {
    text += `source_filename = ${spellString(module.sourceFilename)}\n`;
  }
  if (module.dataLayout !== undefined) text += `target datalayout = ${spellString(module.dataLayout)}\n`;
  if (module.triple !== undefined) text += `target triple = ${spellString(module.triple)}\n`;
  for (const line of module.assembly) text += `module asm ${spellString(line)}\n`;
  text += `\n${[...t.structDefinitions()].join('')}\n`;
  for (const comdat of module.comdats) text += `$${spellName(comdat.name)} = comdat ${comdat.selection}\n`;
  return text;
}

/** Linkage and similar words, each followed by a space. */
function properties(global: GlobalCommon, isDeclaration = false): string {
  let text = global.linkage !== 'external' || isDeclaration ? `${global.linkage} ` : '';
  if (global.dsoLocal) text += 'dso_local ';
  if (global.visibility !== 'default') text += `${global.visibility} `;
  if (global.dllStorage !== undefined) text += `${global.dllStorage} `;
  return text;
}

function threadLocal(global: Pick<GlobalVariable, 'threadLocal' | 'unnamedAddress'>): string {
  const mode = global.threadLocal;
  let text = '';
  if (mode !== undefined) text += mode === 'generaldynamic' ? 'thread_local ' : `thread_local(${mode}) `;
  if (global.unnamedAddress !== undefined) text += `${global.unnamedAddress} `;
  return text;
}

/** Section, partition and comdat, each after `separator`. */
function placement(global: GlobalCommon, separator: string): string {
  let text = '';
  if (global.section !== undefined) text += `${separator}section ${spellString(global.section)}`;
  if (global.partition !== undefined) text += `${separator}partition ${spellString(global.partition)}`;
  if (global.comdat !== undefined) {
    const { name } = global.comdat;
    text += name === global.name ? `${separator}comdat` : `${separator}comdat($${spellName(name)})`;
  }
  return text;
}

function variableText(t: ModuleText, variable: GlobalVariable): string {
  const isDeclaration = variable.initializer === undefined;
  let text = `${t.global(variable)} = ${properties(variable, isDeclaration)}${threadLocal(variable)}`;
  if (variable.type.addressSpace !== 0) text += `addrspace(${variable.type.addressSpace}) `;
  if (variable.externallyInitialized) text += 'externally_initialized ';
  text += `${variable.isConstant ? 'constant' : 'global'} ${t.type(variable.valueType)}`;
  if (variable.initializer !== undefined) text += ` ${t.constant(variable.initializer)}`;
  text += placement(variable, ', ');
  if (variable.codeModel !== undefined) text += `, code_model ${spellString(variable.codeModel)}`;
  for (const word of variable.sanitizer ?? []) text += `, ${word}`;
  if (variable.align !== 0) text += `, align ${variable.align}`;
  for (const { name, node } of variable.metadata ?? []) text += `, !${name} ${t.node(node)}`;
  return `${text}${t.group(variable.attributes)}\n`;
}

/** Appends the text of a function, whose numbers are those of `t`. */
export function functionText(t: ModuleText, target: IrFunction, out: string[]): void {
  const isDefinition = target.blocks.length > 0;
  const attachments = (target.metadata ?? []).map(({ name, node }) => ` !${name} ${t.node(node)}`).join('');
  t.locals = spellLocals(target);
  let head = isDefinition ? '\ndefine ' : `\ndeclare${attachments} `;
  head += properties(target);
  if (target.callingConvention !== '') head += `${target.callingConvention} `;
  head += `${t.valueAttributes(target.returnAttributes)}${t.type(target.functionType.returns)} `;
  head += `${t.global(target)}(${parametersText(t, target, isDefinition)})`;
  if (target.unnamedAddress !== undefined) head += ` ${target.unnamedAddress}`;
  if (target.type.addressSpace !== 0) head += ` addrspace(${target.type.addressSpace})`;
  head += t.group(target.attributes) + placement(target, ' ');
  if (target.align !== 0) head += ` align ${target.align}`;
  if (target.preferredAlign !== 0) head += ` prefalign(${target.preferredAlign})`;
  if (target.garbageCollector !== undefined) head += ` gc ${spellString(target.garbageCollector)}`;
  head += constantText(t, 'prefix', target.prefix) + constantText(t, 'prologue', target.prologue);
  head += constantText(t, 'personality', target.personality);
  if (!isDefinition) {
    out.push(head, '\n');
    return;
  }
  out.push(head, attachments, ' {\n');
  target.blocks.forEach((block, index) => {
    out.push(index === 0 ? '' : '\n', t.local(block).slice(1), ':\n');
    for (const instruction of block.instructions) out.push('  ', instructionText(t, instruction), '\n');
  });
  out.push('}\n');
}

function constantText(t: ModuleText, word: string, constant: Constant | undefined): string {
  return constant === undefined ? '' : ` ${word} ${t.typedValue(constant)}`;
}

function parametersText(t: ModuleText, target: IrFunction, named: boolean): string {
  const parameters = target.arguments.map(argument => {
    const attributes = t.valueAttributes(argument.attributes);
    const typed = `${t.type(argument.type)} ${attributes}${named ? t.local(argument) : ''}`;
    return typed.trimEnd();
  });
  if (target.functionType.variadic) parameters.push('...');
  return parameters.join(', ');
}
