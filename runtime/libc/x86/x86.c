/*
 * Replacements for instructions of x86 (src/front/x86-assembly.ts, <cpuid.h>): a counter of
 * nanoseconds and a processor without extensions, so that programs choose their portable code.
 */
#include "x86.h"

#include "clock-state.h"
#include "host.h"

unsigned long long __x86_ticks(void) { return (unsigned long long)__rz_clock(__HOST_CLOCK_MONOTONIC); }

void __x86_cpuid(unsigned leaf, unsigned subleaf, unsigned *registers) {
  static const char vendor[12] = "RedzoneVM   ";
  (void)subleaf;
  for (int i = 0; i < 4; i++) registers[i] = 0;
  if (leaf != 0) return;
  registers[0] = 1;
  __builtin_memcpy(&registers[1], vendor, 4);
  __builtin_memcpy(&registers[3], vendor + 4, 4);
  __builtin_memcpy(&registers[2], vendor + 8, 4);
}
