/* <mntent.h>: entries of a table of mounted file systems. */
#ifndef _MNTENT_H
#define _MNTENT_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MNTTAB "/etc/fstab"
#define MOUNTED "/etc/mtab"
#define MNTTYPE_IGNORE "ignore"
#define MNTTYPE_NFS "nfs"
#define MNTTYPE_SWAP "swap"
#define MNTOPT_DEFAULTS "defaults"
#define MNTOPT_RO "ro"
#define MNTOPT_RW "rw"
#define MNTOPT_SUID "suid"
#define MNTOPT_NOSUID "nosuid"
#define MNTOPT_NOAUTO "noauto"

struct mntent {
  char *mnt_fsname;
  char *mnt_dir;
  char *mnt_type;
  char *mnt_opts;
  int mnt_freq;
  int mnt_passno;
};

FILE *setmntent(const char *__path, const char *__mode);
struct mntent *getmntent(FILE *__stream);
struct mntent *getmntent_r(FILE *__restrict __stream, struct mntent *__restrict __entry, char *__restrict __buffer, int __size);
int addmntent(FILE *__restrict __stream, const struct mntent *__restrict __entry);
int endmntent(FILE *__stream);
char *hasmntopt(const struct mntent *__entry, const char *__option);

#ifdef __cplusplus
}
#endif

#endif
