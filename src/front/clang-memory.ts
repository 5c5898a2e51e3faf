/**
 * Makes clang's memory grow in large steps.
 *
 * clang's allocator (dlmalloc of wasi-libc) requests memory in pieces of 64 KiB. V8 makes a new
 * `ArrayBuffer` of the whole memory each time, and takes it for that much new memory. So above 64
 * MB each request starts a garbage collection: 490 of them for SQLite, half of the processor time
 * that clang took (docs/decisions/0351).
 *
 * The allocator's parameters are one constant in its code, stored when it is first called:
 *
 *     i64.const   granularity << 32 | page size      (64 KiB each)
 *     i64.store   align=4
 *
 * A granularity of 4 MiB is the largest with as many bytes. The pieces adjoin, so addresses and
 * results stay the same.
 */

/** The constant, and the opcode and alignment of the store. */
const parameters = [0x42, 0x80, 0x80, 0x84, 0x80, 0x80, 0x80, 0xc0, 0x00, 0x37, 0x02];
const withLargerSteps = [0x42, 0x80, 0x80, 0x84, 0x80, 0x80, 0x80, 0x80, 0x20, 0x37, 0x02];

/**
 * Changes the binary in place: the first such constant, because `malloc` is one of the first
 * functions, and clang has the same two numbers elsewhere. False if there is none.
 */
export function growInLargeSteps(binary: Uint8Array): boolean {
  for (let at = binary.indexOf(parameters[0]!); at >= 0; at = binary.indexOf(parameters[0]!, at + 1)) {
    if (!parameters.every((byte, i) => binary[at + i] === byte)) continue;
    binary.set(withLargerSteps, at);
    return true;
  }
  return false;
}
