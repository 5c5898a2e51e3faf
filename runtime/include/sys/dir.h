/* <sys/dir.h>: <dirent.h> by the names of 4.2BSD */
#ifndef _SYS_DIR_H
#define _SYS_DIR_H

#include <dirent.h>

#define direct dirent

#endif
