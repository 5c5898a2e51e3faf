#ifndef _SYS_AUXV_H
#define _SYS_AUXV_H 1

#ifdef __cplusplus
extern "C" {
#endif

#define AT_PAGESZ 6
#define AT_HWCAP 16
#define AT_SECURE 23
#define AT_HWCAP2 26

unsigned long getauxval(unsigned long type);

#ifdef __cplusplus
}
#endif

#endif
