/**
 * Reading attributes. Where a value may follow (`ptr noundef %p`), only a list of names can tell an
 * attribute from a constant such as `null`; inside `attributes #0 = { ... }` any word is one.
 */
import { type Attribute, AttributeSet, attribute, stringAttribute, typeAttribute } from '../attributes.js';
import { Token } from './lexer.js';
import { closeBrace, closeParenthesis, equals, openBrace, openParenthesis, type Parser } from './parser.js';
import { parseType } from './read-type.js';

const knownAttributes: ReadonlySet<string> = new Set(
  `align alignstack allocalign allockind allocptr allocsize alwaysinline builtin byref byval captures cold
  convergent coro_elide_safe coro_only_destroy_when_complete dead_on_return dead_on_unwind dereferenceable
  dereferenceable_or_null disable_sanitizer_instrumentation elementtype flatten fn_ret_thunk_extern hot
  hybrid_patchable immarg inalloca initializes inlinehint inreg jumptable memory minsize mustprogress naked
  nest noalias nobuiltin nocallback nocapture nocf_check nocreateundeforpoison nodivergencesource noduplicate noext
  nofpclass nofree noimplicitfloat noinline nomerge nonlazybind nonnull noprofile norecurse noredzone
  noreturn nosanitize_bounds nosanitize_coverage nosync noundef nounwind null_pointer_is_valid optdebug
  optforfuzzing optnone optsize preallocated presplitcoroutine range readnone readonly returned
  returns_twice safestack sanitize_address sanitize_alloc_token sanitize_hwaddress sanitize_memory
  sanitize_memtag sanitize_numerical_stability sanitize_realtime sanitize_realtime_blocking sanitize_thread
  sanitize_type shadowcallstack signext skipprofile speculatable speculative_load_hardening sret ssp sspreq
  sspstrong strictfp swiftasync swifterror swiftself uwtable vscale_range willreturn writable writeonly
  zeroext`.split(/\s+/),
);

const typeAttributes: ReadonlySet<string> = new Set([
  'byval',
  'byref',
  'sret',
  'elementtype',
  'inalloca',
  'preallocated',
]);

/** Attributes before a value: those of parameters, arguments and results. */
export function parseValueAttributes(p: Parser): AttributeSet {
  let set = AttributeSet.empty;
  for (;;) {
    if (p.is(Token.string) || (p.is(Token.word) && knownAttributes.has(p.lexer.word))) {
      set = set.with(parseAttribute(p));
    } else {
      return set;
    }
  }
}

/**
 * Attributes and groups after a function's or a call's parameters. `align` belongs to the function
 * there.
 */
export function parseFunctionAttributes(p: Parser): AttributeSet {
  let set = AttributeSet.empty;
  for (;;) {
    if (p.is(Token.attributeGroup)) {
      const group = p.groups.get(p.lexer.value);
      if (group === undefined) p.lexer.fail(`there is no attribute group ${p.lexer.describe()}`);
      set = set.union(group);
      p.lexer.next();
    } else if (p.is(Token.string)) {
      set = set.with(parseAttribute(p));
    } else if (p.is(Token.word) && p.lexer.word !== 'align' && knownAttributes.has(p.lexer.word)) {
      set = set.with(parseAttribute(p));
    } else {
      return set;
    }
  }
}

/** `{ nounwind "target-cpu"="generic" }`. */
export function parseAttributeGroup(p: Parser): AttributeSet {
  p.expect(openBrace);
  let set = AttributeSet.empty;
  while (!p.accept(closeBrace)) {
    if (!p.is(Token.string) && !p.is(Token.word)) p.failExpected('an attribute');
    set = set.with(parseAttribute(p));
  }
  return set;
}

function parseAttribute(p: Parser): Attribute {
  if (p.is(Token.string)) {
    const name = p.takeString();
    return p.accept(equals) ? stringAttribute(name, p.takeString()) : stringAttribute(name);
  }
  const name = p.takeWord('an attribute');
  if (typeAttributes.has(name)) {
    if (!p.accept(openParenthesis)) return typeAttribute(name, undefined);
    const type = parseType(p);
    p.expect(closeParenthesis);
    return typeAttribute(name, type);
  }
  if (p.is(openParenthesis)) return attribute(name, parenthesised(p));
  if (name === 'align' || name === 'alignstack') {
    p.accept(equals);
    return attribute(name, String(p.takeNumber('an alignment')));
  }
  return attribute(name);
}

/** The text between parentheses that may nest, as it stands. */
function parenthesised(p: Parser): string {
  const start = p.lexer.position;
  let depth = 0;
  for (;;) {
    if (p.is(openParenthesis)) depth++;
    else if (p.is(closeParenthesis) && --depth === 0) break;
    else if (p.is(Token.end)) p.failExpected(`')'`);
    p.lexer.next();
  }
  const text = p.lexer.text.slice(start, p.lexer.offset);
  p.lexer.next();
  return text;
}
