/** Reading the flags of instructions: `nuw nsw`, `inbounds`, `fast`. */
import { Flag } from '../model.js';
import { Token } from './lexer.js';
import type { Parser } from './parser.js';

const flagBits: ReadonlyMap<string, number> = new Map(Object.entries(Flag));

/** Any of them, in any order; the verifier knows which instruction may have which. */
export function parseFlags(p: Parser): number {
  let flags = 0;
  while (p.lexer.kind === Token.word) {
    const bit = flagBits.get(p.lexer.word);
    if (bit === undefined) break;
    flags |= bit;
    p.lexer.next();
  }
  return flags;
}

/** Those of `getelementptr`, where `inbounds` implies `nusw`. */
export function parseGepFlags(p: Parser): number {
  let flags = 0;
  while (p.is(Token.word)) {
    const word = p.lexer.word;
    if (word === 'inbounds') flags |= Flag.inbounds | Flag.nusw;
    else if (word === 'nusw') flags |= Flag.nusw;
    else if (word === 'nuw') flags |= Flag.nuw;
    else break;
    p.lexer.next();
  }
  return flags;
}
