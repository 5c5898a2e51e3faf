#ifndef _FTS_H
#define _FTS_H 1

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FTS_COMFOLLOW 0x01
#define FTS_LOGICAL 0x02
#define FTS_NOCHDIR 0x04
#define FTS_NOSTAT 0x08
#define FTS_PHYSICAL 0x10
#define FTS_SEEDOT 0x20
#define FTS_XDEV 0x40
#define FTS_WHITEOUT 0x80
#define FTS_OPTIONMASK 0xff
#define FTS_NAMEONLY 0x100
#define FTS_STOP 0x200

#define FTS_ROOTPARENTLEVEL (-1)
#define FTS_ROOTLEVEL 0

#define FTS_D 1
#define FTS_DC 2
#define FTS_DEFAULT 3
#define FTS_DNR 4
#define FTS_DOT 5
#define FTS_DP 6
#define FTS_ERR 7
#define FTS_F 8
#define FTS_INIT 9
#define FTS_NS 10
#define FTS_NSOK 11
#define FTS_SL 12
#define FTS_SLNONE 13
#define FTS_W 14

#define FTS_AGAIN 1
#define FTS_FOLLOW 2
#define FTS_NOINSTR 3
#define FTS_SKIP 4

struct stat;

typedef struct _ftsent {
  struct _ftsent *fts_cycle, *fts_parent, *fts_link;
  long fts_number;
  void *fts_pointer;
  char *fts_accpath, *fts_path;
  int fts_errno;
  unsigned short fts_pathlen, fts_namelen;
  ino_t fts_ino;
  dev_t fts_dev;
  nlink_t fts_nlink;
  short fts_level;
  unsigned short fts_info, fts_flags, fts_instr;
  struct stat *fts_statp;
  char fts_name[1];
} FTSENT;

typedef struct {
  FTSENT *fts_cur, *fts_child;
  dev_t fts_dev;
  int (*fts_compar)(const void *, const void *);
  int fts_options;
} FTS;

FTS *fts_open(char *const *__paths, int __options, int (*__compare)(const FTSENT **, const FTSENT **));
FTSENT *fts_read(FTS *__walk);
FTSENT *fts_children(FTS *__walk, int __options);
int fts_set(FTS *__walk, FTSENT *__entry, int __instruction);
int fts_close(FTS *__walk);

#ifdef __cplusplus
}
#endif

#endif
