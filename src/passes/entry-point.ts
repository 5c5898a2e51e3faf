/**
 * Replaces `main` by another function. A new `__main_void`, which the C library calls, makes each
 * of its parameters an input of the program and calls it; a function with the parameters of `main`
 * gets the arguments of the command line.
 *
 *     define i32 @__main_void() {
 *       %n = alloca i32
 *       call void @klee_make_symbolic(ptr %n, i64 4, ptr @.entry.n)
 *       %0 = load i32, ptr %n
 *       %1 = call i64 @area(i32 %0)
 *       ret i32 0
 *     }
 *
 * The old `main` stays in the program under another name.
 */
import { Builder, makeBlock, makeFunction, makeVariable } from '../ir/builder.js';
import { integerConstant } from '../ir/constants.js';
import { DataLayout } from '../ir/data-layout.js';
import type { Argument, IrFunction, Module, Value } from '../ir/model.js';
import { arrayType, functionType, i8, i32, i64, ptr, type Type, voidType } from '../ir/types.js';

const mainNames: ReadonlySet<string> = new Set([
  'main',
  '__main_void',
  '__main_argc_argv',
  '__original_main',
]);

/** Returns the reason if it is not possible. */
export function setEntryPoint(modules: readonly Module[], name: string): string | undefined {
  const module = modules.find(({ functions }) => functions.some(each => isDefined(each, name)));
  const target = module?.functions.find(each => isDefined(each, name));
  if (module === undefined || target === undefined) return `no function \`${name}\` is defined`;
  if (mainNames.has(name)) return undefined;
  const types = target.functionType.parameters;
  const isMain = types.length === 2 && types[0] === i32 && types[1] === ptr;
  if (target.functionType.variadic) return `\`${name}\` takes variable arguments`;
  const pointer = isMain ? -1 : types.findIndex(type => !isNumber(type));
  if (pointer >= 0) return `parameter ${pointer + 1} of \`${name}\` is not a number`;
  for (const { functions, aliases } of modules) {
    for (const each of [...functions, ...aliases])
      if (mainNames.has(each.name)) each.name = `${each.name}.before`;
  }
  module.functions.push(isMain ? passOn(target) : makeInputs(module, target));
  return undefined;
}

function isDefined({ name, blocks }: IrFunction, wanted: string): boolean {
  return name === wanted && blocks.length > 0;
}

function isNumber(type: Type): boolean {
  if (type.kind === 'integer') return type.bits <= 64;
  return type.kind === 'float' && (type.bits === 32 || type.bits === 64);
}

/** `main` in all but its name. */
function passOn(target: IrFunction): IrFunction {
  const main = makeFunction('__main_argc_argv', functionType(i32, [i32, ptr]));
  const builder = beginBody(main);
  finish(builder, builder.call(target, [...main.arguments]));
  return main;
}

function makeInputs(module: Module, target: IrFunction): IrFunction {
  const layout = new DataLayout(module.dataLayout);
  const main = makeFunction('__main_void', functionType(i32, []));
  const builder = beginBody(main);
  const makeSymbolic = functionNamed(module, 'klee_make_symbolic');
  const values = target.arguments.map((parameter, i) => {
    const bytes = layout.storeBytes(parameter.type);
    const place = builder.alloca(parameter.type);
    builder.call(makeSymbolic, [place, integerConstant(i64, bytes), nameOf(module, parameter, i)]);
    return builder.load(parameter.type, place);
  });
  finish(builder, builder.call(target, values));
  return main;
}

function beginBody(target: IrFunction): Builder {
  const block = makeBlock();
  target.blocks.push(block);
  return new Builder(block.instructions);
}

/** The exit status is the result if that is an `int`. */
function finish(builder: Builder, result: Value): void {
  builder.ret(result.type === i32 ? result : integerConstant(i32, 0));
}

function functionNamed(module: Module, name: string): IrFunction {
  const known = module.functions.find(each => each.name === name);
  if (known !== undefined) return known;
  const made = makeFunction(name, functionType(voidType, [ptr, i64, ptr]));
  module.functions.push(made);
  return made;
}

/** The name of an input, as a text of the program. */
function nameOf(module: Module, { name }: Argument, i: number): Value {
  const data = `${name ?? `parameter ${i + 1}`}\0`;
  const type = arrayType(i8, data.length);
  const text = makeVariable(`.entry.${i}`, type, { kind: 'bytes', type, data });
  text.linkage = 'private';
  text.isConstant = true;
  module.variables.push(text);
  return text;
}
