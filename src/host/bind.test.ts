import { describe, expect, test } from 'vitest';
import { bindHost } from './bind.js';
import { errno } from './errno.js';
import { ModelHost } from './model-host.js';
import { open, statLayout } from './wire.js';

const tag = 0xabcd_0000_0000n;

function setUp() {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const host = new ModelHost({ arguments: ['prog', 'ä'], environment: { A: '1' }, files: { f: 'abc' } });
  const imports = bindHost(host, memory) as Record<string, (...values: unknown[]) => unknown>;
  const put = (text: string, at: number) => {
    const bytes = new TextEncoder().encode(text);
    new Uint8Array(memory.buffer).set(bytes, at);
    return [tag | BigInt(at), BigInt(bytes.length)] as const;
  };
  return { memory, host, imports, put };
}

describe('bindHost', () => {
  test('ignores the tag in the upper half of a pointer', () => {
    const { imports, put, memory } = setUp();
    const handle = imports.__host_open!(...put('f', 16), 0, 0);
    expect(imports.__host_read!(handle, tag | 100n, 10n, -1n)).toBe(3n);
    expect([...new Uint8Array(memory.buffer).slice(100, 103)]).toEqual([97, 98, 99]);
  });

  test('follows a memory that grows', () => {
    const { imports, put, memory, host } = setUp();
    imports.__host_write!(1, ...put('one ', 16), -1n);
    memory.grow(1);
    imports.__host_write!(1, ...put('two', 65536 + 16), -1n);
    expect(new TextDecoder().decode(host.stdout)).toBe('one two');
  });

  test('stores the status of a file', () => {
    const { imports, put, memory } = setUp();
    expect(imports.__host_stat!(...put('f', 16), 1, 1000n)).toBe(0);
    const view = new DataView(memory.buffer, 1000);
    expect(view.getBigInt64(statLayout.size, true)).toBe(3n);
    expect(view.getUint32(statLayout.mode, true)).toBe(0o100644);
    expect(imports.__host_stat!(...put('g', 16), 1, 1000n)).toBe(-errno.ENOENT);
  });

  test('passes arguments and environment', () => {
    const { imports, memory } = setUp();
    expect(imports.__host_strings!(0, 0n, 0n)).toBe(8n);
    expect(imports.__host_strings!(0, 64n, 8n)).toBe(8n);
    expect(new TextDecoder().decode(new Uint8Array(memory.buffer).slice(64, 72))).toBe('prog\0ä\0');
    expect(imports.__host_strings!(1, 0n, 0n)).toBe(4n);
  });

  test('rejects a path that is not UTF-8', () => {
    const { imports, memory } = setUp();
    new Uint8Array(memory.buffer)[16] = 0xff;
    expect(imports.__host_open!(16n, 1n, open.O_CREAT, 0)).toBe(-errno.EILSEQ);
  });

  test('computes', () => {
    const { imports } = setUp();
    expect(imports.__host_math_pow!(2, 0.5)).toBe(Math.SQRT2);
  });
});
