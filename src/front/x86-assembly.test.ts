import { expect, test } from 'vitest';
import { replaceAssembly, withPortableAssembly } from './x86-assembly.js';

const lines = (text: string): number => text.split('\n').length;

test.each([
  ['__asm__ volatile("mfence" ::: "memory");', '__sync_synchronize();'],
  ['asm volatile("lock; addl $0,0(%%rsp)" : : : "memory", "cc");', '__sync_synchronize();'],
  ['asm("pause");', 'do {  } while (0);'],
  ['__asm__("" : "+r"(x));', 'do {  } while (0);'],
  ['__asm__("" : "=r"(x) : "0"(f(y, ":)")));', 'do { (x) = (f(y,":)")); } while (0);'],
  ['asm("bswap %0" : "+r"(x));', '((x) = sizeof(x) == 8 ? __builtin_bswap64(x) : __builtin_bswap32(x));'],
  ['asm("rorw $8, %w[v]" : [v] "=r"(x) : "0"(y));', '((x) = __builtin_bswap16(y));'],
])('%s', (text, code) => {
  expect(replaceAssembly(text)).toBe(code);
});

test('constraints assign operands to registers', () => {
  expect(replaceAssembly('asm volatile ("rdtsc" : "=d"(hi), "=a"(lo));')).toContain(
    '(hi) = (unsigned)(__rz_t >> 32); (lo) = (unsigned)__rz_t;',
  );
  const picky = 'asm("xchgl %%ebx,%1; cpuid; xchgl %%ebx,%1" : "=a"(a), "=r"(b) : "0"(leaf), "c"(2));';
  expect(replaceAssembly(picky)).toContain('__x86_cpuid(leaf, 2, __rz_r); (a) = __rz_r[0]; (b) = __rz_r[1];');
});

test('unknown assembly gets constraints that compile, at its position', () => {
  const text = '__asm__ volatile("imul %%rbx" : "=a"(lo), "=&d"(hi) : "%a"(x), "m"(y) : "rbx", "memory");';
  expect(replaceAssembly(text)).toBe(
    '__asm__ volatile("imul %%rbx" : "=r"(lo), "=&r"(hi) : "r"(x), "m"(y) : "cc", "memory");',
  );
});

test.each([
  'int f(void) __asm__("g");',
  'register int x __asm__("r12");',
  '__asm__(".globl g");',
  'char *s = "asm(\\"nop\\" : \\"=a\\"(x))"; // asm("nop" : "=a"(x))',
  'int asm_mode = plasma(1);',
  'asm volatile("" :: TEMPLATE(x))',
  'asm goto("jmp %l0" :::: out);',
  'asm("',
])('%s is left alone', text => {
  expect(replaceAssembly(text)).toBe(text);
});

test('line numbers do not change, in macros either', () => {
  const text =
    '#define TICKS(lo, hi) \\\n  __asm__ __volatile__ ( \\\n    "rdtsc\\n\\t" \\\n    : "=a" (lo), /* low */ \\\n      "=d" (hi))\nint x;\n';
  const changed = replaceAssembly(text);
  expect(lines(changed)).toBe(lines(text));
  expect(
    changed
      .split('\n')
      .slice(0, 5)
      .every(line => line.endsWith('\\')) || !changed.includes('asm'),
  ).toBe(true);
  expect(changed.endsWith('\nint x;\n')).toBe(true);
});

test('other bytes are not changed', () => {
  const latin = Uint8Array.from([0xe4, 0x20, ...new TextEncoder().encode('asm("nop");'), 0xff]);
  const changed = withPortableAssembly(latin);
  expect([changed[0], changed.at(-1)]).toEqual([0xe4, 0xff]);
  const without = new TextEncoder().encode('int x; /* asm */');
  expect(withPortableAssembly(without)).toBe(without);
});
