/**
 * 64-bit words for other lock-free structures in the same memory, as JavaScript numbers up to 2^53:
 * `Atomics` supports 64 bits only as bigints.
 */
export const wordsSource = `
export fn loadWord(at): f64 {
  return toNumber(load64('word.read', at));
}

// Replaces the word if it is the expected one; returns whether it was.
export fn replaceWord(at, expected: f64, desired: f64): i32 {
  return cas64('word.replace', at, fromNumber(expected), fromNumber(desired));
}
`;
