/** `--wrap` on the text of IR. */
import { expect, test } from 'vitest';
import { symbolsOf } from './units.js';
import { isWrapped, withWrappedSymbols } from './wrap-symbols.js';

const user = `@text = private constant [6 x i8] c"call @f"
define i32 @main() {
  %1 = call i32 @f(i32 1)
  %2 = call i32 @ff(i32 1)
  ret i32 %1
}
declare i32 @f(i32)
declare i32 @ff(i32)
`;

test('references become those to the wrapper, names in strings do not', () => {
  expect(isWrapped(symbolsOf(user), ['g'])).toBe(false);
  const wrapped = withWrappedSymbols(user, symbolsOf(user), ['f']);
  expect(wrapped).toBe(
    user.replace('call i32 @f(', 'call i32 @__wrap_f(').replace('declare i32 @f(', 'declare i32 @__wrap_f('),
  );
});

test('a module that has the wrapper, and uses both, mentions each name once', () => {
  const both = `define i32 @__wrap_f(i32 %0) {
  %2 = call i32 @__real_f(i32 %0)
  %3 = call i32 @f(i32 %0)
  ret i32 %2
}
declare i32 @__real_f(i32)
declare i32 @f(i32)
`;
  const wrapped = withWrappedSymbols(both, symbolsOf(both), ['f']);
  expect(wrapped).toContain('%2 = call i32 @f(i32 %0)\n  %3 = call i32 @__wrap_f(i32 %0)');
  expect(wrapped.match(/^declare.*$/gm)).toEqual(['declare i32 @f(i32)']);
});

test('a source that defines the function itself keeps it', () => {
  const own = 'define i32 @f(i32 %0) {\n  %2 = call i32 @f(i32 %0)\n  ret i32 %2\n}\n';
  expect(isWrapped(symbolsOf(own), ['f'])).toBe(false);
});
