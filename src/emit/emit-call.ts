/**
 * Calls with LLVM's calling convention: variable arguments are in a buffer in the caller's frame,
 * whose address is the last argument; structures that are passed by value are copied there; a
 * result of several components is returned through a pointer in the first argument.
 */
import type { CallInstruction, Value } from '../ir/model.js';
import type { Type } from '../ir/types.js';
import { wasm } from '../wasm/instruction-bytes.js';
import { i64 } from '../wasm/wasm-opcodes.js';
import type { FunctionCode } from './function-body.js';
import { loadFrom, storeTo } from './memory-pieces.js';
import type { ObjectSymbol } from './object-file.js';
import { componentsOf, extensionOf, isReturnedInMemory, NotEmitted, signatureOfType } from './value-types.js';

/** Whether the code of the call needs space in the frame. */
export function callNeedsFrame({ functionType: type, args, argAttributes }: CallInstruction): boolean {
  return (
    args.length > type.parameters.length ||
    isReturnedInMemory(type.returns) ||
    argAttributes.some(attributes => attributes.has('byval'))
  );
}

export function emitCall(code: FunctionCode, call: CallInstruction): void {
  const { functionType: type, callee, args, argAttributes } = call;
  const signature = signatureOfType(type);
  const target = directTarget(code, call);
  const result = isReturnedInMemory(type.returns)
    ? code.buffer('result', code.layout.allocBytes(type.returns), code.layout.align(type.returns))
    : undefined;
  if (result !== undefined) code.pushFrame(result);
  for (let i = 0; i < type.parameters.length; i++) {
    const argument = args[i]!;
    const attributes = argAttributes[i]!;
    const copied = attributes.get('byval')?.type;
    if (copied !== undefined) pushCopy(code, argument, copied, i);
    else if (extensionOf(attributes) === 'signed') code.pushSigned(argument);
    else code.pushAll(argument);
  }
  if (type.variadic) pushVariable(code, args.slice(type.parameters.length), call);
  if (target !== undefined) code.out.call(target);
  else {
    code.push(callee);
    code.out.callIndirect(code.object.typeNumber(signature), code.object.functionTable);
  }
  if (type.returns.kind === 'void') return;
  if (result === undefined) {
    if (extensionOf(call.returnAttributes) !== 'zeros') code.mask(type.returns);
  } else if (code.plan.planned(call)?.locals.length) {
    loadFrom(
      code,
      type.returns,
      () => {
        code.out.local(wasm.localGet, code.framePointer);
        return result;
      },
      0,
    );
  } else return;
  code.assign(call);
}

/** The function that is called by its name. */
function directTarget(
  code: FunctionCode,
  { callee, functionType }: CallInstruction,
): ObjectSymbol | undefined {
  if (callee.kind !== 'function' && callee.kind !== 'alias') return undefined;
  const target = code.symbolOf(callee);
  // LLVM would convert the arguments.
  if (code.object.typeNumber(signatureOfType(functionType)) !== target.type)
    throw new NotEmitted(`a call of ${callee.name} as something else`);
  return target;
}

function pushCopy(code: FunctionCode, source: Value, type: Type, argument: number): void {
  const bytes = code.layout.allocBytes(type);
  const place = code.buffer(`argument ${argument}`, bytes, Math.max(code.layout.align(type), 8));
  if (bytes > 0) {
    code.pushFrame(place);
    code.push(source);
    code.out.i64Const(BigInt(bytes));
    code.op(wasm.prefix);
    code.out.append(Uint8Array.of(0x0a, 0, 0));
  }
  code.pushFrame(place);
}

function pushVariable(code: FunctionCode, args: readonly Value[], call: CallInstruction): void {
  const { places, bytes } = code.layout.variadicPlaces(args.map(({ type }) => type));
  if (args.length === 0) return void code.out.zero(i64);
  const buffer = code.buffer('variable arguments', bytes, 16);
  args.forEach((argument, i) => {
    if (call.argAttributes[call.functionType.parameters.length + i]?.has('byval'))
      throw new NotEmitted('a structure among variable arguments');
    if (componentsOf(argument.type).length === 0) throw new NotEmitted('an empty variable argument');
    storeTo(
      code,
      argument,
      () => {
        code.out.local(wasm.localGet, code.framePointer);
        return buffer + places[i]!;
      },
      0,
    );
  });
  code.pushFrame(buffer);
}
