/* Functions that replace instructions of x86. */
#ifndef RZ_X86_H
#define RZ_X86_H

unsigned long long __x86_ticks(void);
/* Stores eax, ebx, ecx and edx. */
void __x86_cpuid(unsigned leaf, unsigned subleaf, unsigned *registers);

#endif
