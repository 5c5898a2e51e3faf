/* The processor's own description: it has no extension of x86 (src/front/x86-assembly.ts). */
#ifndef _CPUID_H
#define _CPUID_H 1

void __x86_cpuid(unsigned int __leaf, unsigned int __subleaf, unsigned int *__registers);

#define __cpuid(leaf, a, b, c, d) __cpuid_count(leaf, 0, a, b, c, d)
#define __cpuid_count(leaf, subleaf, a, b, c, d)       \
  do {                                                 \
    unsigned int __registers[4];                       \
    __x86_cpuid(leaf, subleaf, __registers);           \
    (a) = __registers[0], (b) = __registers[1];        \
    (c) = __registers[2], (d) = __registers[3];        \
  } while (0)

static __inline unsigned int __get_cpuid_max(unsigned int __leaf, unsigned int *__signature) {
  unsigned int __registers[4];
  __x86_cpuid(__leaf & 0x80000000u, 0, __registers);
  if (__signature) *__signature = __registers[1];
  return __registers[0];
}

static __inline int __get_cpuid_count(unsigned int __leaf, unsigned int __subleaf, unsigned int *__a,
                                      unsigned int *__b, unsigned int *__c, unsigned int *__d) {
  unsigned int __most = __get_cpuid_max(__leaf & 0x80000000u, 0);
  if (__most == 0 || __most < __leaf) return 0;
  __cpuid_count(__leaf, __subleaf, *__a, *__b, *__c, *__d);
  return 1;
}

static __inline int __get_cpuid(unsigned int __leaf, unsigned int *__a, unsigned int *__b, unsigned int *__c,
                                unsigned int *__d) {
  return __get_cpuid_count(__leaf, 0, __a, __b, __c, __d);
}

#endif
