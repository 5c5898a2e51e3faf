/*
 * The monitor's reports to TypeScript: they only say that something is wrong and where. TypeScript
 * finds the details in the same memory. The functions return only with --keep-going.
 */
#ifndef RZ_REPORT_H
#define RZ_REPORT_H

#include "shadow.h"

#define RZ_IMPORT(name) __attribute__((import_module("redzone"), import_name(#name)))

void __rz_report_access(u32 address, u32 number, u64 bytes, u32 access, u32 site) RZ_IMPORT(__rz_report_access);
/* The access is valid except for its alignment. */
void __rz_report_misaligned(u32 address, u32 number, u32 bytes, u32 access, u32 site) RZ_IMPORT(__rz_report_misaligned);
/* An uninitialised value is used. The address is 0 if it is unknown where the value was loaded. */
#define SOME_BITS 0x80000000u /* added to the bytes: some of their bits were written */
/* The uninitialised bytes, and the value of which they are a part. */
void __rz_report_uninitialized(u32 address, u32 number, u32 bytes, u32 site, u32 value, u32 value_bytes)
    RZ_IMPORT(__rz_report_uninitialized);
void __rz_report_overlap(u32 destination, u32 source, u32 bytes, u32 site) RZ_IMPORT(__rz_report_overlap);
void __rz_report_null_call(u32 site) RZ_IMPORT(__rz_report_null_call);
void __rz_report_mismatched_call(u32 site) RZ_IMPORT(__rz_report_mismatched_call);
void __rz_report_lost_goto(u32 site) RZ_IMPORT(__rz_report_lost_goto);
void __rz_report_trap(u32 site) RZ_IMPORT(__rz_report_trap);
void __rz_report_unsupported_assembly(u32 site) RZ_IMPORT(__rz_report_unsupported_assembly);
void __rz_report_stack_exhausted(u32 site) RZ_IMPORT(__rz_report_stack_exhausted);
/* Not an error yet: the program gets null, and may handle it. */
void __rz_report_out_of_memory(u64 bytes, u32 site) RZ_IMPORT(__rz_report_out_of_memory);
/* Two unordered accesses, as records of races.c: the current one, and an earlier one. */
void __rz_report_race(u32 address, u32 record, u32 earlier) RZ_IMPORT(__rz_report_race);
/* A budget is exceeded; the site is 0 in a call. */
enum budget { BUDGET_STACK, BUDGET_HEAP, BUDGET_ALLOCATIONS, BUDGET_DEPTH };
void __rz_report_budget(u32 budget, u32 used, u32 site) RZ_IMPORT(__rz_report_budget);
/* Reports the addresses of the sites and globals of an instrumented object. */
void __rz_module_loaded(u32 id_low, u32 id_high, u32 sites, u32 globals) RZ_IMPORT(__rz_module_loaded);

#endif
