/**
 * Reading metadata: nodes are checked at once and decoded on demand.
 *
 * Each body is scanned once to check that it is well formed and to record the nodes it mentions;
 * only its position is kept. A body that mentions a global or a type is decoded at once, because a
 * later renaming could not change text; most bodies only hold numbers, strings and other nodes.
 *
 * **Invariants**: `skipBody` accepts exactly what `decodeBody` can decode. Until a node is defined
 * it has no space, and its `start` is the place of its first mention, for the message if no
 * definition comes.
 */
import { makeModule } from '../builder.js';
import {
  type Metadata,
  type MetadataBody,
  type MetadataField,
  MetadataNode,
  type MetadataSpace,
  type MetadataString,
  type MetadataValue,
} from '../metadata.js';
import type { MetadataOperand } from '../model.js';
import { metadataType } from '../types.js';
import { Lexer, Token } from './lexer.js';
import {
  bar,
  closeBrace,
  closeParenthesis,
  comma,
  equals,
  exclamation,
  openBrace,
  openParenthesis,
  Parser,
} from './parser.js';
import { parseTypedConstant, parseTypedValue } from './read-constant.js';

export class MetadataReader {
  readonly #space: MetadataSpace;
  /** `!DIExpression()` and other nodes written where they are used, by their text. */
  readonly #inline = new Map<string, MetadataNode>();
  readonly #mentioned: MetadataNode[] = [];
  #decoder: Parser | undefined;
  #needsDecoding = false;

  constructor(text: string) {
    this.#space = { text, nodes: new Map(), decode: (_, start) => this.#decodeLater(start) };
  }

  #decodeLater(start: number): MetadataBody {
    this.#decoder ??= new Parser(new Lexer(this.#space.text), makeModule(''), this);
    this.#decoder.lexer.jump(start);
    return this.#decodeBody(this.#decoder);
  }

  /** The node that the lexer's `!7` names. */
  #numbered(p: Parser): MetadataNode {
    const number = p.lexer.value;
    let node = this.#space.nodes.get(number);
    if (node === undefined) {
      node = new MetadataNode(undefined);
      node.start = p.lexer.offset;
      this.#space.nodes.set(number, node);
      this.#mentioned.push(node);
    }
    return node;
  }

  /** `!7 = distinct !{...}`; requires the lexer at its first token. */
  definition(p: Parser): void {
    const node = this.#numbered(p);
    if (node.space !== undefined) p.lexer.fail(`${p.lexer.describe()} is defined twice`);
    p.lexer.next();
    p.expect(equals);
    node.distinct = p.acceptWord('distinct');
    this.#fill(p, node);
  }

  /** Passes over the body at the lexer and makes it the node's. */
  #fill(p: Parser, node: MetadataNode): void {
    const start = p.lexer.offset;
    const outer = this.#needsDecoding;
    this.#needsDecoding = false;
    const end = this.#skipBody(p);
    node.start = start;
    node.end = end;
    node.space = this.#space;
    if (this.#needsDecoding) {
      p.lexer.jump(start);
      node.body = this.#decodeBody(p);
    }
    this.#needsDecoding = outer;
  }

  /** `!llvm.ident = !{!1, !2}`; requires the lexer at its first token. */
  namedDefinition(p: Parser): void {
    const name = p.lexer.word;
    p.lexer.next();
    p.expect(equals);
    p.expect(exclamation);
    const nodes = p.list(openBrace, closeBrace, () => this.node(p));
    const known = p.module.namedMetadata.get(name);
    if (known === undefined) p.module.namedMetadata.set(name, nodes);
    else known.push(...nodes);
  }

  /** A node where one must stand: `!7`, `!{...}` or `!DIExpression(...)`. */
  node(p: Parser): MetadataNode {
    if (p.is(Token.metadataNumber)) {
      const node = this.#numbered(p);
      p.lexer.next();
      return node;
    }
    if (!p.is(Token.metadataName) && !p.is(exclamation)) p.failExpected('a metadata node');
    return this.#inlineNode(p);
  }

  #inlineNode(p: Parser): MetadataNode {
    const start = p.lexer.offset;
    const node = new MetadataNode(undefined);
    this.#fill(p, node);
    const text = this.#space.text.slice(start, node.end);
    const known = this.#inline.get(text);
    if (known !== undefined) return known;
    this.#inline.set(text, node);
    return node;
  }

  /** What stands after `metadata` in a call. */
  operand(p: Parser): MetadataOperand {
    return { kind: 'metadata', type: metadataType, metadata: this.#operandContent(p) };
  }

  #operandContent(p: Parser): MetadataNode | MetadataString | MetadataValue {
    if (p.is(exclamation) && p.lexer.isFollowedBy(0x22)) {
      p.lexer.next();
      return { kind: 'string', text: p.takeString() };
    }
    if (p.is(Token.metadataNumber) || p.is(Token.metadataName) || p.is(exclamation)) return this.node(p);
    return { kind: 'value', value: parseTypedValue(p) };
  }

  /** At the end of the text: every node that was mentioned must have been defined. */
  finish(p: Parser): void {
    for (const node of this.#mentioned) {
      if (node.space === undefined) p.lexer.fail('this metadata node is never defined', node.start);
    }
  }

  // ---------------------------------------------------------------------------------- passing over

  /** Passes over `!{...}` or `!Tag(...)` and returns where it ends. */
  #skipBody(p: Parser): number {
    if (p.is(exclamation)) {
      p.lexer.next();
      p.expect(openBrace);
      p.enter();
      if (!p.is(closeBrace)) {
        do this.#skipOperand(p);
        while (p.accept(comma));
      }
      p.leave();
      return endAfter(p, closeBrace);
    }
    if (!p.is(Token.metadataName)) p.failExpected('a metadata node');
    p.lexer.next();
    p.expect(openParenthesis);
    p.enter();
    if (!p.is(closeParenthesis)) {
      do this.#skipField(p);
      while (p.accept(comma));
    }
    p.leave();
    return endAfter(p, closeParenthesis);
  }

  /** An operand of a tuple. */
  #skipOperand(p: Parser): void {
    const lexer = p.lexer;
    switch (lexer.kind) {
      case Token.metadataNumber:
        this.#numbered(p);
        lexer.next();
        return;
      case exclamation:
        if (lexer.isFollowedBy(0x22)) {
          lexer.next();
          this.#skipString(p);
          return;
        }
        this.#skipBody(p);
        return;
      case Token.metadataName:
        this.#skipBody(p);
        return;
      default:
        if (p.acceptWord('null')) return;
        this.#skipValue(p);
    }
  }

  #skipString(p: Parser): void {
    if (!p.is(Token.string)) p.failExpected('a string');
    p.lexer.next();
  }

  /** `i32 7` may wait; anything that names a global or a struct must be decoded now. */
  #skipValue(p: Parser): void {
    const constant = parseTypedConstant(p);
    if (constant.kind !== 'integer') this.#needsDecoding = true;
  }

  #skipField(p: Parser): void {
    const lexer = p.lexer;
    if (lexer.kind === Token.label && !lexer.quoted) lexer.next();
    switch (lexer.kind) {
      case Token.integer:
        if (lexer.text.startsWith('0x', lexer.start + 1)) p.takeBigInt();
        else lexer.next();
        return;
      case Token.string:
        lexer.next();
        return;
      case Token.word:
        if (isKeyword(p)) {
          lexer.next();
          while (p.accept(bar)) p.takeWord('a flag');
          return;
        }
        this.#skipValue(p);
        return;
      default:
        this.#skipOperand(p);
    }
  }

  // -------------------------------------------------------------------------------------- decoding

  #decodeBody(p: Parser): MetadataBody {
    if (p.accept(exclamation)) {
      p.expect(openBrace);
      const operands: Metadata[] = [];
      if (!p.is(closeBrace)) {
        do operands.push(this.#decodeOperand(p));
        while (p.accept(comma));
      }
      p.expect(closeBrace);
      return { kind: 'tuple', operands };
    }
    const tag = p.lexer.word;
    p.lexer.next();
    p.expect(openParenthesis);
    const fields = new Map<string, MetadataField>();
    const positional: MetadataField[] = [];
    if (!p.is(closeParenthesis)) {
      do {
        const name = p.is(Token.label) ? p.lexer.word : undefined;
        if (name !== undefined) p.lexer.next();
        const value = this.#decodeField(p);
        if (name === undefined) positional.push(value);
        else fields.set(name, value);
      } while (p.accept(comma));
    }
    p.expect(closeParenthesis);
    return { kind: 'specialized', tag, fields, positional };
  }

  #decodeOperand(p: Parser): Metadata {
    if (p.is(exclamation) && p.lexer.isFollowedBy(0x22)) {
      p.lexer.next();
      return { kind: 'string', text: p.takeString() };
    }
    if (p.is(Token.metadataNumber) || p.is(Token.metadataName) || p.is(exclamation)) return this.node(p);
    if (p.acceptWord('null')) return null;
    return { kind: 'value', value: parseTypedConstant(p) };
  }

  #decodeField(p: Parser): MetadataField {
    const lexer = p.lexer;
    switch (lexer.kind) {
      case Token.integer:
        return p.takeBigInt();
      case Token.string:
        return { kind: 'string', text: p.takeString() };
      case Token.word: {
        if (!isKeyword(p)) return { kind: 'value', value: parseTypedConstant(p) };
        let text = p.takeWord('a keyword');
        if (text === 'true' || text === 'false') return text === 'true';
        if (text === 'null') return null;
        while (p.accept(bar)) text += ` | ${p.takeWord('a flag')}`;
        return { kind: 'keyword', text };
      }
      default:
        return this.#decodeOperand(p);
    }
  }
}

/**
 * `DW_TAG_member` or `true`, and not the type of a value: after a keyword the field ends or a flag
 * follows.
 */
function isKeyword(p: Parser): boolean {
  return p.lexer.isFollowedBy(comma) || p.lexer.isFollowedBy(closeParenthesis) || p.lexer.isFollowedBy(bar);
}

/** Expects the closing bracket and returns the position after it. */
function endAfter(p: Parser, closing: number): number {
  const end = p.lexer.position;
  p.expect(closing);
  return end;
}
