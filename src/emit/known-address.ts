/** Link-time constant addresses, and the symbols of which they are made. */
import type { DataLayout } from '../ir/data-layout.js';
import type { Constant, GlobalAlias, GlobalValue, IrFunction } from '../ir/model.js';
import { type ObjectFile, type ObjectSymbol, symbolFlag } from './object-file.js';
import { NotEmitted, signatureOfType } from './value-types.js';

/** A global plus an offset, or a number. */
export interface KnownAddress {
  readonly global: GlobalValue | undefined;
  readonly addend: bigint;
}

/** The address that a constant is, if the linker can compute it. */
export function knownAddress(layout: DataLayout, constant: Constant): KnownAddress | undefined {
  switch (constant.kind) {
    case 'variable':
    case 'function':
    case 'alias':
      return { global: constant, addend: 0n };
    case 'null':
      return { global: undefined, addend: 0n };
    case 'integer':
      return constant.type.bits <= 64
        ? { global: undefined, addend: BigInt.asIntN(constant.type.bits, constant.value) }
        : undefined;
    case 'expression': {
      const [first, second] = constant.operands;
      const base = first && knownAddress(layout, first);
      if (base === undefined) return undefined;
      if (constant.op === 'getelementptr') {
        const steps = layout.gepSteps(constant.sourceType!, constant.operands.slice(1));
        return steps.scaled.length > 0 ? undefined : { ...base, addend: base.addend + steps.constantBytes };
      }
      if (['ptrtoint', 'ptrtoaddr', 'inttoptr', 'bitcast'].includes(constant.op))
        return layout.bits(constant.type) === 64 && layout.bits(first!.type) === 64 ? base : undefined;
      if (constant.op !== 'add' && constant.op !== 'sub') return undefined;
      const other = second && knownAddress(layout, second);
      if (other === undefined || other.global !== undefined || layout.bits(constant.type) !== 64)
        return undefined;
      return { ...base, addend: base.addend + (constant.op === 'add' ? other.addend : -other.addend) };
    }
    default:
      // Other constants are not addresses.
      return undefined;
  }
}

export function dataSymbol(object: ObjectFile, variable: GlobalValue): ObjectSymbol {
  return object.data(variable.name, flagsOf(variable));
}

/** LLVM's name of an `int main` without parameters, in all objects that mention it. */
function symbolName({ name, functionType }: IrFunction): string {
  const { parameters, returns } = functionType;
  return name === 'main' && parameters.length === 0 && returns.kind !== 'void' ? '__original_main' : name;
}

export function functionSymbol(object: ObjectFile, target: IrFunction): ObjectSymbol {
  const module = target.attributes.get('wasm-import-module')?.value;
  const name = target.attributes.get('wasm-import-name')?.value ?? target.name;
  return object.function(
    symbolName(target),
    signatureOfType(target.functionType),
    flagsOf(target),
    module === undefined ? undefined : { module, name },
  );
}

/** The function that an alias names. */
export function aliasSymbol(object: ObjectFile, alias: GlobalAlias): ObjectSymbol {
  const { aliasee } = alias;
  if (aliasee.kind !== 'function' || aliasee.blocks.length === 0) throw new NotEmitted('an unusual alias');
  const symbol = object.function(alias.name, signatureOfType(aliasee.functionType), flagsOf(alias));
  symbol.other = functionSymbol(object, aliasee);
  return symbol;
}

function flagsOf({ linkage, visibility }: GlobalValue): number {
  const binding =
    linkage === 'internal' || linkage === 'private'
      ? symbolFlag.local
      : /^(weak|linkonce|extern_weak)/.test(linkage)
        ? symbolFlag.weak
        : 0;
  return binding | (visibility === 'hidden' ? symbolFlag.hidden : 0);
}
