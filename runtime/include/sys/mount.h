#ifndef _SYS_MOUNT_H
#define _SYS_MOUNT_H 1

#ifdef __cplusplus
extern "C" {
#endif

/* Redzone has no such service: calls are reported as unsupported. */
#define MS_RDONLY 1ul
#define MNT_FORCE 1

int mount(const char *source, const char *target, const char *type, unsigned long flags, const void *data);
int umount(const char *target);
int umount2(const char *target, int flags);

#ifdef __cplusplus
}
#endif

#endif
